package io.berth.plugins.defaultpreemption;

import static io.berth.plugins.defaultpreemption.PreemptionBed.EARLIER;
import static io.berth.plugins.defaultpreemption.PreemptionBed.high;
import static io.berth.plugins.defaultpreemption.PreemptionBed.preempted;
import static io.berth.plugins.defaultpreemption.PreemptionBed.running;
import static io.berth.plugins.defaultpreemption.PreemptionBed.stepOnly;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.Cycle;
import io.berth.api.handle.Recorder;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.PreBind;
import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.PreBindVerdict;
import io.berth.engine.Inspection;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What becomes of the victims that a preemption chose.
final class EvictionTest {
    private final PreemptionBed bed = new PreemptionBed();

    @Nested
    @Tag("E-179")
    final class Telling {
        private List<String> toldOfPreemption() {
            return bed.told.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).contains("preempt"))
                    .filter(line -> !line.startsWith("the scheduler starts"))
                    .toList();
        }

        @Test
        void targetVictimsAndEndAreTold() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();

            assertThat(toldOfPreemption())
                    .containsExactly(
                            "the target node for the preemption is determined"
                                    + " [node, a, pod, default/high]",
                            "Start the preemption asynchronously [preemptor, default/high, node, a,"
                                    + " numVictims, 1, numVictimsToDelete, 1]",
                            "Preemptor Pod preempted victim Pod"
                                    + " [preemptor, default/high, node, a, victim, default/low]",
                            "Async Preemption finished completely"
                                    + " [preemptor, default/high, node, a, result, success]");
        }

        @Test
        void fruitlessSearchIsTold() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("1").build());
            scheduler.create(high("high"));
            scheduler.settle();

            assertThat(toldOfPreemption())
                    .contains(
                            "No preemption candidate is found; preemption is not helpful for"
                                    + " scheduling [pod, default/high]");
        }

        @Test
        void failureIsTold() {
            bed.undeletable.add("low");
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").build());
            scheduler.create(high("high"));
            stepOnly(scheduler);
            scheduler.tasks().runOne();

            assertThat(toldOfPreemption())
                    .contains(
                            "Error occurred during async preemption of the last victim",
                            "Async Preemption finished completely"
                                    + " [preemptor, default/high, node, a, result, error]");
        }
    }

    @Nested
    @Tag("E-162")
    @Tag("E-151")
    final class Evicting {
        @Test
        @Tag("E-164")
        @Tag("E-121")
        void victimIsMarkedDeletedAndTold() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").build());
            bed.undeletable.add("low");
            scheduler.create(high("high"));
            stepOnly(scheduler);
            scheduler.tasks().runOne();
            assertThat(scheduler.cluster().pod("default/low").condition("DisruptionTarget"))
                    .isEqualTo(
                            PodCondition.of(
                                    "DisruptionTarget",
                                    "True",
                                    "PreemptionByScheduler",
                                    "default-scheduler: preempting to accommodate a higher priority"
                                            + " pod"));
            bed.undeletable.clear();
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(3));
            assertThat(preempted(scheduler))
                    .containsExactly("low: Preempted by pod default/high on node a");
            assertThat(scheduler.cluster().events())
                    .filteredOn(event -> event.reason().equals("Preempted"))
                    .allSatisfy(event -> {
                        assertThat(event.type()).isEqualTo(Recorder.Type.NORMAL);
                        assertThat(event.action()).isEqualTo("Preempting");
                    });
            assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
        }

        @Test
        void podIsNominatedBeforeAnythingIsDeleted() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").build());
            scheduler.create(high("high"));
            stepOnly(scheduler);
            assertThat(bed.deleted).isEmpty();
            assertThat(Inspection.of(scheduler.engine()).queue().nominator().on("a"))
                    .extracting(Pod::name)
                    .containsExactly("high");
        }

        @Test
        void leastImportantVictimGoesLastAndStaysWhereAnotherCannotBeEvicted() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("4").build());
            scheduler.create(running("middle", 2, "a").build());
            scheduler.create(running("low", 1, "a").build());
            bed.undeletable.add("middle");
            scheduler.create(pod("high").cpu("4").priority(10).build());
            stepOnly(scheduler);
            scheduler.tasks().runOne();
            assertThat(bed.told).contains("Error occurred during async preemption");
            assertThat(bed.deleted).isEmpty();
            // It is tried again at once, and then succeeds.
            bed.undeletable.clear();
            scheduler.settle();
            assertThat(bed.deleted).containsExactly("middle", "low");
        }

        /// The preemptor itself was among those that it takes the place of: while a pod is being
        /// tried, the nominator knows its name alone, and so no priority. Others then took the room
        /// that it had made.
        @Test
        @Tag("E-120")
        void preemptorThatIsTriedAgainKeepsItsNomination() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").build());
            // So much is to be said of others that the preemptor's nomination has to wait.
            for (int i = 0; i < 20; i++) {
                scheduler.create(pod("hopeless" + i).cpu("99").build());
            }
            stepOnly(scheduler);
            bed.undeletable.add("low");
            scheduler.create(high("high"));
            stepOnly(scheduler);
            assertThat(scheduler.tasks().runOne("preempt for default/high")).isTrue();
            stepOnly(scheduler);

            bed.isGraceful = true;
            bed.undeletable.clear();
            scheduler.settle();
            assertThat(bed.deleted).containsExactly("low");
            assertThat(bed.cleared).doesNotContain("high");
            assertThat(scheduler.cluster().pod("default/high").nominatedNodeName()).isEqualTo("a");
        }

        @Test
        void victimsThatGoAnywayAreLeftToGo() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("going", 1, "a").with(p -> p.deletedAt(EARLIER)).build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(bed.deleted).isEmpty();
            assertThat(preempted(scheduler)).isEmpty();
            assertThat(scheduler.cluster().pod("default/high").nominatedNodeName()).isEqualTo("a");
        }

        @Test
        @Tag("E-161")
        void onlyVictimsThatHaveToBeEvictedAreCounted() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("going", 1, "a").with(p -> p.deletedAt(EARLIER)).build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(bed.metrics.total("preemption_victims")).isZero();
            scheduler.add(node("b").cpu("2").build());
            scheduler.create(running("low", 1, "b").build());
            scheduler.create(high("second"));
            scheduler.settle();
            assertThat(bed.metrics.total("preemption_victims")).isEqualTo(1);
        }

        @Test
        void nominationThatCannotBeTakenBackHasThePreemptorTriedAgain() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").with(p -> p.deletedAt(EARLIER)).build());
            scheduler.create(pod("middle").cpu("2").priority(5).build());
            scheduler.settle();
            bed.unpatchable.add("middle");
            scheduler.create(running("low2", 1, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(bed.deleted).containsExactly("low2");
            assertThat(bed.told)
                    .contains(
                            "Cannot clear 'NominatedNodeName' field from lower priority pods on the"
                                    + " same target node",
                            "Async Preemption finished completely"
                                    + " [preemptor, default/high, node, a, result, error]");
        }

        @Test
        @Tag("E-120")
        void nominationsOfLesserPodsAreTakenBack() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").with(p -> p.deletedAt(EARLIER)).build());
            scheduler.create(pod("middle").cpu("2").priority(5).build());
            scheduler.settle();
            assertThat(scheduler.cluster().pod("default/middle").nominatedNodeName())
                    .isEqualTo("a");
            scheduler.create(running("low2", 1, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(scheduler.cluster().pod("default/middle").nominatedNodeName()).isEmpty();
            assertThat(Inspection.of(scheduler.engine()).queue().nominator().on("a"))
                    .extracting(Pod::name)
                    .doesNotContain("middle");
        }
    }

    @Nested
    @Tag("E-163")
    @Tag("DP-3")
    final class Gate {
        @Test
        void preemptorIsKeptOutUntilItsLastVictimGoes() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("low", 1, "a").build());
            scheduler.create(high("high"));
            stepOnly(scheduler);
            // Something that would wake the pod, were it not for the gate.
            scheduler.add(node("a").cpu("3").build());
            stepOnly(scheduler);
            assertThat(Inspection.of(scheduler.engine()).queue().counts().gated()).isEqualTo(1);
            assertThat(Inspection.of(scheduler.engine()).queue().find("default/high"))
                    .isNotNull()
                    .satisfies(
                            info -> assertThat(info.gatingPlugin()).isEqualTo("DefaultPreemption"));

            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(3));
            assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
        }

        /// The API server has deleted the victim, but its watch has not told so yet, and something
        /// else wakes the preemptor: its place still looks taken, and another victim would do.
        @Test
        void preemptorThatIsWokenBeforeItsVictimIsSeenToLeaveEvictsNobodyElse() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.add(node("b").cpu("2").build());
            scheduler.create(running("low1", 1, "a").build());
            scheduler.create(running("low2", 1, "b").build());
            scheduler.create(high("high"));
            stepOnly(scheduler);
            scheduler.cluster().hold();
            scheduler.settle();
            assertThat(bed.deleted).hasSize(1);
            var victim = bed.deleted.getFirst();
            var preferred = victim.equals("low1") ? "b" : "a";
            // Now a victim of another node would be the better choice.
            scheduler.add(node(preferred).cpu("3").build());
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(30));
            assertThat(bed.deleted).containsExactly(victim);

            scheduler.cluster().release();
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(30));
            assertThat(bed.deleted).containsExactly(victim);
            assertThat(scheduler.nodeOf("default/high"))
                    .isEqualTo(preferred.equals("b") ? "a" : "b");
        }

        /// Another eviction begins when the victim is seen to leave, but is not gone. Only its end
        /// wakes the preemptor, which does not want two sorts of pods near it (IP-13).
        @Test
        void preemptorThatWasTurnedAwayIsWokenThoughOthersPreemptMeanwhile() {
            bed.isGraceful = true;
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("8").label("wanted", "a").label("host", "a").build());
            scheduler.add(node("b").cpu("2").label("wanted", "b").build());
            scheduler.create(running("low-b", 1, "b").build());
            var victim = running("low", 1, "a").build();
            scheduler.create(victim);
            scheduler.create(
                    pod("high")
                            .priority(10)
                            .nodeSelector("wanted", "a")
                            .away("host", "app", "low")
                            .away("host", "app", "other")
                            .build());
            stepOnly(scheduler);
            scheduler.add(node("a").cpu("8").label("wanted", "a").label("host", "a2").build());
            stepOnly(scheduler);
            scheduler.cluster().hold();
            scheduler.settle();
            scheduler.cluster().release();
            scheduler.settle();
            assertThat(Inspection.of(scheduler.engine()).queue().counts().gated()).isEqualTo(1);

            scheduler.create(
                    pod("second").cpu("2").priority(5).nodeSelector("wanted", "b").build());
            scheduler.settle();
            assertThat(bed.deleted).containsExactly("low", "low-b");
            scheduler.cluster().remove(victim);
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(12));
            assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
        }

        /// Half of an eviction is done when it breaks off. What was deleted has to be seen to leave
        /// before the preemptor looks again, or it takes another node's pods instead.
        @Test
        void evictionThatBreaksOffIsGoneOnWithWhereItBegan() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("4").build());
            scheduler.add(node("b").cpu("4").build());
            for (var node : List.of("a", "b")) {
                scheduler.create(running("middle-" + node, 2, node).build());
                scheduler.create(running("low-" + node, 1, node).build());
            }
            bed.undeletable.addAll(List.of("low-a", "low-b"));
            scheduler.create(pod("high").cpu("4").priority(10).build());
            stepOnly(scheduler);
            scheduler.cluster().hold();
            scheduler.tasks().runOne();
            assertThat(bed.deleted).hasSize(1);
            var begun = bed.deleted.getFirst().endsWith("-a") ? "a" : "b";

            bed.undeletable.clear();
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(30));
            scheduler.cluster().release();
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(30));
            assertThat(bed.deleted).containsExactly("middle-" + begun, "low-" + begun);
            assertThat(scheduler.nodeOf("default/high")).isEqualTo(begun);
        }
    }

    @Nested
    @Tag("E-164")
    final class InMemory {
        private record Waiting(String name) implements Permit {
            @Override
            public PermitVerdict permit(Cycle cycle, Pod pod, String nodeName) {
                return pod.name().equals("low")
                        ? new PermitVerdict.Wait(Duration.ofMinutes(5))
                        : PermitVerdict.PASS;
            }
        }

        /// The victim was never written to the cluster, so nothing is deleted there.
        private void assertSentBackInMemory(TestScheduler scheduler) {
            assertThat(bed.deleted).isEmpty();
            assertThat(preempted(scheduler))
                    .containsExactly(
                            "low: Preempted by pod default/high on node a (in kube-scheduler"
                                    + " memory).");
            assertThat(scheduler.nodeOf("default/high")).isEqualTo("a");
        }

        @Test
        @Tag("E-132")
        void victimThatWaitsForItsPermitIsSentBack() {
            var scheduler = bed.scheduler(new Waiting("Waiting"));
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(pod("low").cpu("2").priority(1).build());
            scheduler.settle();
            assertThat(Inspection.of(scheduler.engine()).state().isAssumed("default/low")).isTrue();
            scheduler.create(high("high"));
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(3));

            assertSentBackInMemory(scheduler);
            assertThat(scheduler.cluster().events())
                    .extracting(Recorder.Event::note)
                    .contains("waiting on permit for pod: preempted");
            assertThat(bed.told)
                    .contains(
                            "Preemptor preempted a waiting pod"
                                    + " [preemptor, default/high, node, a, waitingPod,"
                                    + " default/low]");
        }

        private record Preparing(String name, Consumer<Pod> during) implements PreBind {
            @Override
            public PreBindVerdict preBind(Cycle cycle, Pod pod, String nodeName) {
                during.accept(pod);
                return PreBindVerdict.PASS;
            }
        }

        @Test
        @Tag("E-133")
        void victimWhoseBindingIsBeingPreparedIsSentBack() {
            var schedulers = new ArrayList<TestScheduler>();
            var scheduler =
                    bed.scheduler(
                            new Preparing(
                                    "Preparing",
                                    pod -> {
                                        if (pod.name().equals("low") && schedulers.size() == 1) {
                                            // The more important pod comes while this takes time.
                                            var started = schedulers.removeFirst();
                                            started.create(high("high"));
                                            started.settle();
                                        }
                                    }));
            schedulers.add(scheduler);
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(pod("low").cpu("2").priority(1).build());
            scheduler.settle();
            scheduler.pass(Duration.ofSeconds(3));

            assertSentBackInMemory(scheduler);
            assertThat(scheduler.nodeOf("default/low")).isEmpty();
            assertThat(scheduler.cluster().events())
                    .extracting(Recorder.Event::note)
                    .contains("preempted by DefaultPreemption");
            assertThat(bed.told)
                    .contains(
                            "Preemptor rejected a pod in preBind"
                                    + " [preemptor, default/high, node, a, podInPreBind,"
                                    + " default/low]");
        }
    }
}
