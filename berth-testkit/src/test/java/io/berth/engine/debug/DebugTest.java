package io.berth.engine.debug;

import static io.berth.engine.Scripted.filter;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.plugin.Refusal;
import io.berth.api.plugin.Verdict;
import io.berth.engine.Bed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What an operator gets in the log on demand.
final class DebugTest {
    private static Bed bed() {
        var bed =
                Bed.of(
                        filter(
                                "NotYet",
                                (pod, node) ->
                                        pod.name().equals("waits")
                                                ? Refusal.hopeless("not yet")
                                                : Verdict.PASS));
        bed.scheduler.add(node("a").cpu("2").build());
        bed.scheduler.add(node("b").cpu("1").build());
        bed.run(pod("on-a").onNode("a").cpu("500m").with(p -> p.phase("Running")).build());
        return bed;
    }

    @Test
    @Tag("E-177")
    @Tag("P-312")
    void nodesAreDumpedWithTheirPods() {
        var bed = bed();
        bed.log.details.clear();
        bed.engine().debug();
        bed.stepOnly();
        var dump = bed.log.detail("Dump of cached NodeInfo");
        assertThat(dump)
                .contains("Node name: a\nDeleted: false\nRequested Resources: ")
                .contains("\nAllocatable Resources:")
                .contains(
                        "Scheduled Pods(number: 1):\nname: on-a, namespace: default, uid:"
                                + " default/on-a, phase: Running, nominated node: ")
                .contains("\n\nNode name: b\n")
                .contains("Scheduled Pods(number: 0):")
                .doesNotContain("Nominated Pods");
    }

    @Test
    @Tag("E-177")
    @Tag("E-62")
    void queueIsDumpedWithItsSummary() {
        var bed = bed();
        bed.run(pod("waits").build());
        bed.log.details.clear();
        bed.engine().debug();
        bed.stepOnly();
        assertThat(bed.log.detail("Dump of scheduling queue"))
                .contains("activeQ:0; backoffQ:0; unschedulablePods:1")
                .contains(
                        "name: waits, namespace: default, uid: default/waits, phase: Pending, nominated"
                                + " node: ");
    }

    @Test
    @Tag("E-176")
    void booksThatAgreeAreComparedInSilence() {
        var bed = bed();
        bed.log.lines.clear();
        bed.engine().debug();
        bed.stepOnly();
        assertThat(bed.log.lines)
                .containsSubsequence("Cache comparer started", "Cache comparer finished")
                .doesNotContain("Cache mismatch");
    }

    /// A pod that is being tried is in neither of the books, as upstream has it too.
    @Test
    @Tag("E-176")
    @Tag("P-311")
    void podInFlightShowsAsMissed() {
        var bed = bed();
        bed.scheduler.create(pod("new").build());
        bed.log.details.clear();
        // Forgotten, while its binding is still under way.
        bed.stepOnly();
        bed.engine().state().forgetPod(bed.held("new"));
        bed.engine().debug();
        bed.stepOnly();
        assertThat(bed.log.detail("Cache mismatch"))
                .isEqualTo("missedPods=[default/new] redundantPods=[]");
    }
}
