package io.berth.plugins.defaultpreemption;

import static io.berth.plugins.defaultpreemption.PreemptionBed.EARLIER;
import static io.berth.plugins.defaultpreemption.PreemptionBed.high;
import static io.berth.plugins.defaultpreemption.PreemptionBed.running;
import static io.berth.plugins.defaultpreemption.PreemptionBed.stepOnly;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.handle.Cycle;
import io.berth.api.label.LabelSelector;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.PreFilter;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Inspection;
import io.berth.plugins.defaultpreemption.PreemptionBed.Filtering;
import io.berth.testkit.Pods;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whom a preemption by the default profile chooses, step by step.
final class VictimChoiceTest {
    private final PreemptionBed bed = new PreemptionBed();

    @Nested
    @Tag("E-152")
    final class Eligibility {
        private Pods terminating(String name, String node) {
            return running(name, 1, node).with(p -> p.deletedAt(EARLIER));
        }

        private Pod nominated(String node) {
            return high("high").toBuilder().nominatedNodeName(node).build();
        }

        private static PodCondition disruption(String status, String reason) {
            return PodCondition.of(PodCondition.DISRUPTION_TARGET, status, reason, "");
        }

        @Test
        @Tag("E-120")
        void podWaitsForAVictimOnItsNominatedNodeToGo() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(
                    terminating("low", "a")
                            .with(p -> p.condition(disruption("True", "PreemptionByScheduler")))
                            .build());
            scheduler.create(nominated("a"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high"))
                    .endsWith(
                            "preemption: not eligible due to a terminating pod on the nominated"
                                    + " node.");
            assertThat(scheduler.cluster().pod("default/high").nominatedNodeName()).isEqualTo("a");
        }

        /// A nomination is known in memory before the pod's status says so. A preemptor whose
        /// status was slow to be written took one victim after the other.
        @Test
        @Tag("E-120")
        void podWaitsForItsVictimThoughItsStatusDoesNotNameTheNodeYet() {
            bed.isGraceful = true;
            bed.unpatchable.add("high");
            var scheduler = bed.scheduler();
            for (var name : List.of("a", "b", "c")) {
                scheduler.add(node(name).cpu("2").build());
                scheduler.create(running("low-" + name, 1, name).build());
            }
            scheduler.create(high("high"));
            scheduler.settle();
            for (int i = 0; i < 3; i++) {
                var passing = pod("passing" + i).priority(1).onNode("abc".substring(i, i + 1));
                scheduler.create(passing.build());
                scheduler.settle();
                scheduler.cluster().remove(passing.build());
                scheduler.pass(Duration.ofSeconds(12));
            }
            assertThat(bed.deleted).hasSize(1);
            assertThat(scheduler.cluster().pod("default/high").nominatedNodeName()).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({"False, PreemptionByScheduler", "True, EvictionByEvictionAPI"})
        void podThatGoesForOtherReasonsIsNotWaitedFor(String status, String reason) {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(
                    terminating("low", "a")
                            .with(p -> p.condition(disruption(status, reason)))
                            .build());
            scheduler.create(nominated("a"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high")).doesNotContain("not eligible");
        }

        @Test
        void nominatedNodeThatNoEvictionHelpsDoesNotHoldThePodBack() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").taint("t", "", "NoSchedule").build());
            scheduler.add(node("b").cpu("2").build());
            scheduler.create(
                    terminating("going", "a")
                            .with(p -> p.condition(disruption("True", "PreemptionByScheduler")))
                            .build());
            scheduler.create(running("low", 1, "b").build());
            scheduler.create(nominated("a"));
            scheduler.settle();
            assertThat(bed.deleted).containsExactly("low");
        }
    }

    @Nested
    @Tag("E-153")
    @Tag("E-159")
    final class PotentialNodes {
        @Test
        @Tag("E-150")
        @Tag("DP-3")
        void nodesThatNoEvictionHelpsAreNotTried() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").taint("t", "", "NoSchedule").build());
            scheduler.create(running("low", 1, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high"))
                    .endsWith(
                            "preemption: 0/1 nodes are available: 1 Preemption is not helpful for"
                                    + " scheduling.");
            assertThat(bed.deleted).isEmpty();
        }

        @Test
        @Tag("E-156")
        void reasonThatRemainsWithoutTheVictimsIsTold() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("3").build());
            scheduler.create(running("equal", 10, "a").build());
            scheduler.create(running("low", 1, "a").cpu("1").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high"))
                    .endsWith("preemption: 0/1 nodes are available: 1 Insufficient cpu.");
            assertThat(bed.deleted).isEmpty();
        }

        @Test
        @Tag("E-156")
        void equalPriorityIsNoVictim() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("equal", 10, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high"))
                    .endsWith("1 No preemption victims found for incoming pod.");
        }

        @Test
        @Tag("E-120")
        void earlierNominationIsTakenBackWhereNothingHelps() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("2").build());
            scheduler.create(running("equal", 10, "a").build());
            scheduler.create(high("high").toBuilder().nominatedNodeName("a").build());
            scheduler.settle();
            assertThat(scheduler.cluster().pod("default/high").nominatedNodeName()).isEmpty();
            assertThat(Inspection.of(scheduler.engine()).queue().nominator().isEmpty()).isTrue();
        }
    }

    @Nested
    @Tag("E-155")
    final class Candidates {
        @ParameterizedTest
        @CsvSource({"5, 5", "100, 100", "500, 100", "1000, 100", "1500, 150", "5000, 500"})
        @Tag("E-154")
        @Tag("DP-2")
        void aTenthButAtLeastAHundredAreLookedAt(int nodes, int candidates) {
            assertThat(DefaultPreemptionArguments.DEFAULT.candidates(nodes)).isEqualTo(candidates);
        }

        @Test
        @Tag("DP-1")
        void argumentsThatMakeNoSenseAreRefused() {
            assertThatThrownBy(() -> arguments(101, 1)).hasMessageContaining("[0, 100]");
            assertThatThrownBy(() -> arguments(1, -1)).hasMessageContaining("[0, inf)");
            assertThatThrownBy(() -> arguments(0, 0))
                    .hasMessageContaining(
                            "cannot be zero at the same time as minCandidateNodesAbsolute")
                    .hasMessageContaining(
                            "cannot be zero at the same time as minCandidateNodesPercentage");
            assertThat(arguments(0, 1)).isEqualTo(new DefaultPreemptionArguments(0, 1));
            assertThat(DefaultPreemptionArguments.of(Arguments.NONE))
                    .isEqualTo(new DefaultPreemptionArguments(10, 100));
        }

        private static DefaultPreemptionArguments arguments(int percentage, int absolute) {
            return DefaultPreemptionArguments.of(
                    new Arguments(
                            Map.of(
                                    "minCandidateNodesPercentage",
                                    percentage,
                                    "minCandidateNodesAbsolute",
                                    absolute)));
        }

        @Test
        @Tag("E-154")
        void searchEndsWhenThereAreEnough() {
            var tried = new HashSet<String>();
            var counting =
                    new Filtering(
                            "Counting",
                            (pod, node) -> {
                                if (node.pods().isEmpty()) {
                                    tried.add(node.name());
                                }
                                return Verdict.PASS;
                            });
            var scheduler = bed.scheduler(counting);
            for (int i = 0; i < 130; i++) {
                scheduler.add(node("n" + i).cpu("2").build());
                scheduler.create(running("low" + i, 1, "n" + i).build());
            }
            scheduler.create(high("high"));
            stepOnly(scheduler);
            assertThat(tried).hasSize(100);
        }

        @Test
        void nodeOnWhichAPluginBreaksIsPassedOverWhereAnotherHelps() {
            var broken =
                    new Filtering(
                            "Broken",
                            (pod, node) -> {
                                if (node.pods().isEmpty() && !node.name().equals("c")) {
                                    throw new IllegalStateException("boom on " + node.name());
                                }
                                return Verdict.PASS;
                            });
            var scheduler = bed.scheduler(broken);
            for (var name : List.of("a", "b", "c")) {
                scheduler.add(node(name).cpu("2").build());
                scheduler.create(running("low-" + name, 1, name).build());
            }
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(bed.deleted).containsExactly("low-c");
        }

        @Test
        void whereItBreaksEverywhereThatIsTold() {
            var broken =
                    new Filtering(
                            "Broken",
                            (pod, node) -> {
                                if (node.pods().isEmpty()) {
                                    throw new IllegalStateException("boom");
                                }
                                return Verdict.PASS;
                            });
            var scheduler = bed.scheduler(broken);
            for (var name : List.of("a", "b")) {
                scheduler.add(node(name).cpu("2").build());
                scheduler.create(running("low-" + name, 1, name).build());
            }
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high"))
                    .isEqualTo(
                            "0/2 nodes are available: 2 Insufficient cpu. preemption: running"
                                    + " \"Broken\" filter plugin: boom");
        }

        @Test
        void nodeThatWouldDoAsItIsIsAContradiction() {
            record Refusing(String name) implements PreFilter {
                @Override
                public PreFilterVerdict preFilter(Cycle cycle, Pod pod) {
                    return pod.name().equals("high")
                            ? Refusal.mayPreempt("not today")
                            : PreFilterVerdict.PASS;
                }
            }
            var scheduler = bed.scheduler(new Refusing("Refusing"));
            scheduler.add(node("a").cpu("8").build());
            scheduler.create(running("low", 1, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(scheduler.messageOf("default/high"))
                    .endsWith("expected at least one victim pod on node \"a\"");
            assertThat(bed.deleted).isEmpty();
        }
    }

    @Nested
    @Tag("E-157")
    final class Reprieve {
        @Test
        @Tag("E-158")
        void protectedPodsAreTriedFirst() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("4").build());
            scheduler.create(running("guarded", 1, "a").build());
            scheduler.create(running("free", 2, "a").build());
            scheduler.add(
                    new PodDisruptionBudget(
                            "default",
                            "budget",
                            LabelSelector.matching("app", "guarded"),
                            0,
                            Set.of()));
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(bed.deleted).containsExactly("free");
        }

        @Test
        void amongEqualsTheOneThatRunsForLongerStays() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("4").build());
            scheduler.create(
                    running("young", 1, "a")
                            .with(p -> p.startedAt(EARLIER.plusSeconds(60)))
                            .build());
            scheduler.create(running("old", 1, "a").build());
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(bed.deleted).containsExactly("young");
        }

        /// Upstream reads the clock for each pod that it compares, so its sort turns pods that no
        /// kubelet has started yet round, as long as they are not more than twelve.
        @ParameterizedTest
        @CsvSource({"2, low0", "12, low0", "13, low12"})
        void amongPodsThatHaveNotStartedTheLastOneStays(int count, String victim) {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("" + 2 * count).build());
            for (int i = 0; i < count; i++) {
                scheduler.create(unstarted("low" + i).build());
            }
            scheduler.create(high("high"));
            scheduler.settle();
            assertThat(bed.deleted).containsExactly(victim);
        }

        @Test
        void podThatHasNotStartedIsLessThanOneThatHas() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("6").build());
            scheduler.create(unstarted("new0").build());
            scheduler.create(running("old", 1, "a").build());
            scheduler.create(unstarted("new1").build());
            scheduler.create(pod("high").cpu("4").priority(10).build());
            scheduler.settle();
            assertThat(bed.deleted).containsExactly("new1", "new0");
        }

        /// Where budgets protect some of them and others not, upstream sorts the victims once more,
        /// which turns those without a start round again.
        @Test
        @Tag("E-158")
        void victimsOfBothKindsAreSortedAgain() {
            var scheduler = bed.scheduler();
            scheduler.add(node("a").cpu("4").build());
            scheduler.create(unstarted("guarded").build());
            scheduler.create(unstarted("free").build());
            scheduler.add(
                    new PodDisruptionBudget(
                            "default",
                            "budget",
                            LabelSelector.matching("app", "guarded"),
                            0,
                            Set.of()));
            scheduler.create(pod("high").cpu("4").priority(10).build());
            scheduler.settle();
            assertThat(bed.deleted).containsExactly("free", "guarded");
        }

        private static Pods unstarted(String name) {
            return pod(name).cpu("2").priority(1).label("app", name).onNode("a");
        }
    }
}
