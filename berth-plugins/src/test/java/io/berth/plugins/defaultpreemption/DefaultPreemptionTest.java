package io.berth.plugins.defaultpreemption;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.Recorder;
import io.berth.api.label.LabelSelector;
import io.berth.api.model.Pod;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.spec.PodSpec;
import io.berth.engine.Inspection;
import io.berth.engine.framework.ProfileSettings;
import io.berth.plugins.InTree;
import io.berth.testkit.Pods;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class DefaultPreemptionTest {
    private final TestScheduler scheduler =
            TestScheduler.with(
                    InTree.factories(),
                    ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults()));

    private static Pods victim(String name, int priority) {
        return pod(name)
                .cpu("2")
                .priority(priority)
                .label("app", name)
                .with(p -> p.phase("Running").startedAt(Instant.parse("2026-01-01T10:00:00Z")));
    }

    private void running(Pod pod) {
        scheduler.create(pod);
    }

    @Test
    @Tag("E-156")
    @Tag("E-162")
    void lessImportantPodMakesRoom() {
        scheduler.add(node("a").cpu("2").build());
        running(victim("low", 1).onNode("a").build());
        scheduler.create(pod("high").cpu("2").priority(10).build());
        scheduler.settle();
        scheduler.pass(Duration.ofSeconds(2));

        assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
        assertThat(scheduler.cluster().pods()).extracting(Pod::name).containsExactly("high");
        assertThat(scheduler.cluster().events())
                .extracting(Recorder.Event::reason, Recorder.Event::note)
                .contains(
                        org.assertj.core.groups.Tuple.tuple(
                                "Preempted", "Preempted by pod default/high on node a"));
    }

    @Test
    @Tag("E-109")
    @Tag("E-159")
    void messageSaysThatPreemptionDoesNotHelp() {
        scheduler.add(node("a").cpu("2").build());
        scheduler.add(node("b").cpu("2").taint("t", "", "NoSchedule").build());
        scheduler.create(pod("big").cpu("1").priority(5).build());
        running(victim("same", 5).onNode("a").build());
        scheduler.settle();

        assertThat(scheduler.messageOf("default/big"))
                .isEqualTo(
                        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated"
                                + " taint(s). no new claims to deallocate, preemption: 0/2 nodes are"
                                + " available: 1 No preemption victims found for incoming pod, 1"
                                + " Preemption is not helpful for scheduling.");
    }

    @Test
    @Tag("E-152")
    void podWithPolicyNeverDoesNotPreempt() {
        scheduler.add(node("a").cpu("2").build());
        running(victim("low", 1).onNode("a").build());
        scheduler.create(
                pod("polite").cpu("2").priority(10).spec(s -> s.mayPreempt(false)).build());
        scheduler.settle();

        assertThat(scheduler.messageOf("default/polite"))
                .endsWith("preemption: not eligible due to preemptionPolicy=Never.");
        assertThat(scheduler.cluster().pods()).hasSize(2);
    }

    @Test
    @Tag("E-157")
    void asFewAsPossibleAreEvictedAndTheMoreImportantStay() {
        scheduler.add(node("a").cpu("4").build());
        running(victim("low", 1).onNode("a").build());
        running(victim("middle", 2).onNode("a").build());
        scheduler.create(pod("high").cpu("2").priority(10).build());
        scheduler.settle();
        scheduler.pass(Duration.ofSeconds(2));

        assertThat(scheduler.cluster().pods())
                .extracting(Pod::name)
                .containsExactlyInAnyOrder("middle", "high");
    }

    @Nested
    @Tag("E-158")
    @Tag("E-160")
    final class Budgets {
        @Test
        void nodeWithoutViolationIsChosenEvenIfItsVictimIsMoreImportant() {
            scheduler.add(node("a").cpu("2").build());
            scheduler.add(node("b").cpu("2").build());
            running(victim("guarded", 1).onNode("a").build());
            running(victim("free", 2).onNode("b").build());
            scheduler.add(
                    new PodDisruptionBudget(
                            "default",
                            "budget",
                            LabelSelector.matching("app", "guarded"),
                            0,
                            Set.of()));
            scheduler.create(pod("high").cpu("2").priority(10).build());
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(2));

            assertThat(scheduler.nodeOf("default/high")).isEqualTo("b");
        }
    }

    @Test
    @Tag("E-63")
    void preemptorIsNominatedUntilItIsBound() {
        scheduler.add(node("a").cpu("2").build());
        running(victim("low", 1).onNode("a").build());
        scheduler.create(pod("high").cpu("2").priority(10).build());
        scheduler.engine().step();
        stepUntilPreempting();
        assertThat(Inspection.of(scheduler.engine()).queue().nominator().on("a"))
                .extracting(Pod::name)
                .containsExactly("high");
        scheduler.settle();
        scheduler.pass(Duration.ofSeconds(2));
        assertThat(Inspection.of(scheduler.engine()).queue().nominator().isEmpty()).isTrue();
    }

    /// Found by simulation: somebody else deletes the victim while its eviction has not begun. The
    /// deletion is heard of while the gate is shut, and the eviction finds nothing left to delete;
    /// the preemptor stayed gated until it had been parked for five minutes.
    @Test
    @Tag("E-162")
    @Tag("E-163")
    void preemptorIsTriedAgainWhenItsVictimWasGoneAlready() {
        scheduler.add(node("a").cpu("2").build());
        var low = victim("low", 1).onNode("a").build();
        running(low);
        scheduler.create(pod("high").cpu("2").priority(10).build());
        stepUntilPreempting();
        scheduler.cluster().remove(low);
        scheduler.engine().step();
        scheduler.settle();
        scheduler.pass(Duration.ofSeconds(2));

        assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
        assertThat(scheduler.cluster().events())
                .extracting(Recorder.Event::reason)
                .doesNotContain("Preempted");
    }

    /// Found by simulation: the victim is not bound yet. Its binding fails, which frees its place
    /// while the gate is shut; then it is deleted, which says nothing of a node. The preemptor
    /// stayed gated until it had been parked for five minutes.
    @Test
    @Tag("E-162")
    @Tag("E-163")
    void preemptorIsTriedAgainWhenItsVictimWasNeverBound() {
        scheduler.add(node("a").cpu("2").build());
        scheduler.create(pod("low").cpu("2").priority(1).build());
        while (Inspection.of(scheduler.engine()).state().assumedCount() == 0) {
            scheduler.engine().step();
        }
        scheduler.create(pod("high").cpu("2").priority(10).build());
        stepUntilPreempting();
        scheduler
                .cluster()
                .failNextBind(
                        "default/low",
                        new ClusterException(ClusterException.Kind.UNAVAILABLE, "not now"));
        scheduler.settle();
        scheduler.pass(Duration.ofSeconds(2));

        assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
    }

    /// Found by simulation: of two victims one is terminating already, so only the other is
    /// evicted. The first goes while the gate is shut, and the going of the second does not concern
    /// the plugin that refused the preemptor.
    @Test
    @Tag("E-163")
    void preemptorTurnedAwayIsTriedAgainWhenTheEvictionIsOver() {
        scheduler.add(node("a").cpu("4").build());
        var leaving =
                victim("leaving", 1)
                        .hostPort(8080)
                        .onNode("a")
                        .with(p -> p.deletedAt(Instant.parse("2026-01-01T11:00:00Z")))
                        .build();
        running(leaving);
        running(victim("big", 1).onNode("a").build());
        scheduler.create(pod("high").cpu("4").hostPort(8080).priority(10).build());
        stepUntilPreempting();
        scheduler.cluster().remove(leaving);
        scheduler.engine().step();
        scheduler.settle();
        scheduler.pass(Duration.ofSeconds(3));

        assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
    }

    /// The API server has deleted the victim, but its watch does not say so yet. A preemptor that
    /// its gate turned away in the meantime is not tried before it does: its place would still be
    /// taken, and it would look for another victim.
    @Test
    @Tag("E-163")
    void preemptorTurnedAwayIsNotTriedBeforeTheLastVictimIsSeenToLeave() {
        for (var name : List.of("a", "b", "c")) {
            scheduler.add(node(name).cpu("2").build());
        }
        running(victim("low-a", 1).onNode("a").build());
        running(victim("low-b", 1).onNode("b").build());
        running(pod("stays").cpu("1").priority(20).onNode("c").build());
        var goes = pod("goes").cpu("1").priority(20).onNode("c").build();
        running(goes);
        scheduler.create(pod("high").cpu("2").priority(10).build());
        stepUntilPreempting();
        scheduler.cluster().remove(goes);
        scheduler.engine().step();

        scheduler.cluster().hold();
        scheduler.settle();
        assertThat(namesOfPods()).containsExactlyInAnyOrder("low-b", "stays", "high");
        assertThat(Inspection.of(scheduler.engine()).queue().counts().gated()).isEqualTo(1);

        scheduler.cluster().release();
        scheduler.settle();
        scheduler.pass(Duration.ofSeconds(2));
        assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
        assertThat(namesOfPods()).containsExactlyInAnyOrder("low-b", "stays", "high");
    }

    /// Until the preemption is decided and before any victim is evicted.
    private void stepUntilPreempting() {
        var nominator = Inspection.of(scheduler.engine()).queue().nominator();
        for (int steps = 0; nominator.isEmpty() && steps < 100; steps++) {
            scheduler.engine().step();
        }
        assertThat(nominator.isEmpty()).as("nobody preempts").isFalse();
    }

    private List<String> namesOfPods() {
        return scheduler.cluster().pods().stream().map(Pod::name).toList();
    }
}
