package io.berth.plugins.schedulinggates;

import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.verdict.Refusal;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SchedulingGatesTest {
    private final SchedulingGates plugin = new SchedulingGates();

    @Test
    @Tag("SG-1")
    void podWithGatesWaits() {
        var gated = pod("p", spec().schedulingGate("g1").schedulingGate("g2"));
        assertThat(plugin.preEnqueue(gated))
                .contains(Refusal.hopeless("waiting for scheduling gates: [g1 g2]"));
        assertThat(plugin.preEnqueue(pod("p").build())).isEmpty();
    }

    @Test
    @Tag("SG-2")
    void ownGatesGoneWakesAndAnothersDoNot() {
        var event =
                ClusterEvent.of(
                        ClusterEvent.UNSCHEDULABLE_POD,
                        Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED);
        var waiting = pod("p").build();
        var other = pod("q").build();
        assertThat(hint(plugin, event, waiting, waiting, waiting)).isEqualTo(Hint.QUEUE);
        assertThat(hint(plugin, event, waiting, other, other)).isEqualTo(Hint.SKIP);
        assertThat(
                        hint(
                                plugin,
                                ClusterEvent.of(ClusterEvent.NODE, Action.ADD),
                                waiting,
                                null,
                                null))
                .isEqualTo(Hint.SKIP);
    }
}
