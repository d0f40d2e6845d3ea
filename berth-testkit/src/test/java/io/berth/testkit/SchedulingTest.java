package io.berth.testkit;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.Recorder;
import io.berth.api.model.PodCondition;
import io.berth.engine.Inspection;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SchedulingTest {
    private final TestScheduler scheduler =
            TestScheduler.with(TinyPlugins.all().factories(), TinyPlugins.all().profile());

    @Test
    void podIsBoundToTheOnlyNodeThatFits() {
        scheduler.add(node("small").cpu("1").build());
        scheduler.add(node("large").cpu("8").build());
        scheduler.create(pod("p").cpu("4").build());
        scheduler.settle();

        assertThat(scheduler.nodeOf("default/p")).isEqualTo("large");
        assertThat(scheduler.cluster().events())
                .extracting(Recorder.Event::reason, Recorder.Event::note)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(
                                "Scheduled", "Successfully assigned default/p to large"));
        assertThat(Inspection.of(scheduler.engine()).state().recount()).isEmpty();
    }

    @Test
    void podsSpreadOverNodesBecauseAssumedPodsCount() {
        for (var name : new String[] {"a", "b", "c"}) {
            scheduler.add(node(name).cpu("4").build());
        }
        for (int i = 0; i < 9; i++) {
            scheduler.create(pod("p" + i).cpu("1").build());
        }
        scheduler.settle();

        for (var name : new String[] {"a", "b", "c"}) {
            assertThat(scheduler.cluster().pods())
                    .filteredOn(p -> p.nodeName().equals(name))
                    .hasSize(3);
        }
    }

    @Test
    void podThatFitsNowhereIsToldWhyAndPlacedWhenANodeComes() {
        scheduler.add(node("a").cpu("1").build());
        scheduler.create(pod("p").cpu("2").build());
        scheduler.settle();

        assertThat(scheduler.nodeOf("default/p")).isEmpty();
        assertThat(scheduler.messageOf("default/p"))
                .isEqualTo("0/1 nodes are available: 1 too little cpu.");
        var condition = scheduler.cluster().pod("default/p").condition("PodScheduled");
        assertThat(condition)
                .isNotNull()
                .extracting(PodCondition::reason)
                .isEqualTo("Unschedulable");

        scheduler.add(node("b").cpu("2").build());
        scheduler.settle();
        assertThat(scheduler.nodeOf("default/p")).isEqualTo("b");
    }

    @Test
    void withoutNodesThePodWaitsAndIsTriedAgain() {
        scheduler.create(pod("p").build());
        scheduler.settle();
        assertThat(scheduler.messageOf("default/p"))
                .isEqualTo("no nodes available to schedule pods");

        scheduler.add(node("a").build());
        scheduler.settle();
        assertThat(scheduler.nodeOf("default/p")).isEmpty();
        scheduler.pass(Duration.ofSeconds(3));
        assertThat(scheduler.nodeOf("default/p")).isEqualTo("a");
    }

    @Test
    void failedBindingGivesThePlaceBackAndIsTriedAgain() {
        scheduler.add(node("a").cpu("1").build());
        scheduler
                .cluster()
                .failNextBind(
                        "default/p",
                        new ClusterException(ClusterException.Kind.UNAVAILABLE, "try later"));
        scheduler.create(pod("p").cpu("1").build());
        scheduler.settle();

        assertThat(scheduler.nodeOf("default/p")).isEmpty();
        assertThat(scheduler.messageOf("default/p"))
                .isEqualTo("running Bind plugin \"Binder\": try later");
        assertThat(Inspection.of(scheduler.engine()).state().podCount()).isZero();

        scheduler.pass(Duration.ofSeconds(3));
        assertThat(scheduler.nodeOf("default/p")).isEqualTo("a");
        assertThat(Inspection.of(scheduler.engine()).state().assumedCount()).isZero();
    }
}
