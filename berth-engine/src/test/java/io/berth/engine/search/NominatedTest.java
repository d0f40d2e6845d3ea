package io.berth.engine.search;

import static io.berth.engine.Scripted.filter;
import static io.berth.engine.Scripted.preAndFilter;
import static io.berth.engine.Scripted.score;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.PreFilter;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Nodes that a pod is nominated to, and nodes that other pods are nominated to.
final class NominatedTest {
    private final List<String> asked = new ArrayList<>();

    private static Bed nodes(int count, Bed bed) {
        for (int i = 0; i < count; i++) {
            bed.scheduler.add(node("n" + i).pods(10_000).build());
        }
        return bed;
    }

    private Filter noting(String... refused) {
        var names = List.of(refused);
        return filter(
                "Noting",
                (pod, node) -> {
                    asked.add(node.name());
                    return names.contains(node.name()) ? Refusal.mayPreempt("taken") : Verdict.PASS;
                });
    }

    private static Pod nominated(String name, String node) {
        return pod(name).with(p -> p.nominatedNodeName(node)).build();
    }

    @Nested
    @Tag("E-88")
    final class OwnNomination {
        @Test
        void nominatedNodeThatFitsIsTakenWithoutLookingFurther() {
            var bed =
                    nodes(
                            3,
                            Bed.of(
                                    noting(),
                                    score(
                                            "Never",
                                            node -> {
                                                throw new AssertionError("must not be asked");
                                            })));
            bed.run(nominated("p", "n2"));
            assertThat(asked).containsExactly("n2");
            assertThat(bed.nodeOf("p")).isEqualTo("n2");
        }

        @Test
        @Tag("E-93")
        @Tag("E-182")
        void rotationStaysWhereItIs() {
            var bed = nodes(3, Bed.of(noting()));
            bed.run(nominated("p", "n2"));
            bed.run(pod("q").build());
            assertThat(bed.nodeOf("q")).isEqualTo("n0");
        }

        @Test
        @Tag("E-168")
        void nominatedNodeThatIsGoneIsLoggedAndAllNodesAreSearched() {
            var bed = nodes(3, Bed.of(noting()));
            bed.run(nominated("p", "gone"));
            assertThat(bed.nodeOf("p")).isEqualTo("n0");
            assertThat(bed.log.sentences()).contains("Evaluation failed on nominated node");
        }

        @Test
        void filterThatBreaksOnTheNominatedNodeIsLoggedAndAllNodesAreSearched() {
            var broken = new ArrayList<String>();
            var bed =
                    nodes(
                            3,
                            Bed.of(
                                    filter(
                                            "Once",
                                            (pod, node) -> {
                                                if (broken.isEmpty()) {
                                                    broken.add(node.name());
                                                    throw new IllegalStateException("boom");
                                                }
                                                return Verdict.PASS;
                                            })));
            bed.run(nominated("p", "n2"));
            assertThat(broken).containsExactly("n2");
            assertThat(bed.nodeOf("p")).isEqualTo("n0");
        }

        @Test
        @Tag("E-89")
        void nominatedNodeThatRefusesCountsOnceInTheMessage() {
            var bed = nodes(3, Bed.of(noting("n0", "n1", "n2")));
            bed.run(nominated("p", "n2"));
            assertThat(bed.messageOf("p")).isEqualTo("0/3 nodes are available: 3 taken.");
        }

        @Test
        @Tag("E-89")
        @Tag("E-93")
        void nominatedNodeThatRefusesMovesTheStartEvenIfTheWalkEndsBeforeIt() {
            var bed = nodes(4, Bed.of(noting("n3")));
            bed.run(nominated("p", "n3"));
            assertThat(bed.nodeOf("p")).isEqualTo("n0");
            bed.run(pod("q").build());
            // One feasible node and one refused beforehand: two nodes were processed.
            assertThat(bed.nodeOf("q")).isEqualTo("n2");
        }

        @Test
        @Tag("E-89")
        @Tag("E-93")
        void nominatedNodeThatRefusesIsNotCountedTwiceWhereTheWalkMeetsIt() {
            var bed = nodes(4, Bed.of(noting("n0")));
            bed.run(nominated("p", "n0"));
            assertThat(bed.nodeOf("p")).isEqualTo("n1");
            bed.run(pod("q").build());
            assertThat(bed.nodeOf("q")).isEqualTo("n2");
        }
    }

    @Nested
    @Tag("E-92")
    final class NominationsOfOthers {
        /// One pod per node.
        private final Filter single =
                filter(
                        "Single",
                        (pod, node) ->
                                node.pods().isEmpty() ? Verdict.PASS : Refusal.mayPreempt("taken"));

        /// A pod that fits nowhere and is nominated to n0 by its status.
        private Pod holder(int priority) {
            return pod("holder")
                    .priority(priority)
                    .gate("wait")
                    .with(p -> p.nominatedNodeName("n0"))
                    .build();
        }

        private void nominate(Bed bed, Pod holder) {
            bed.scheduler.create(holder);
            bed.scheduler.settle();
            bed.handle().nominations().nominate(holder, "n0");
            assertThat(bed.handle().nominations().on("n0")).hasSize(1);
        }

        private final PreFilter gate =
                io.berth.engine.Scripted.preFilter(
                        "Holder",
                        pod ->
                                pod.name().equals("holder")
                                        ? Refusal.mayPreempt("holds")
                                        : PreFilterVerdict.PASS);

        @Test
        void podOfTheSamePriorityCountsAsIfItWereThere() {
            var bed = nodes(2, Bed.of(gate, single));
            nominate(bed, holder(5));
            bed.run(pod("p").priority(5).build());
            assertThat(bed.nodeOf("p")).isEqualTo("n1");
        }

        @Test
        void lessImportantPodDoesNotCount() {
            var bed = nodes(2, Bed.of(gate, single));
            nominate(bed, holder(4));
            bed.run(pod("p").priority(5).build());
            assertThat(bed.nodeOf("p")).isEqualTo("n0");
        }

        @Test
        void ownNominationDoesNotCount() {
            var bed = nodes(1, Bed.of(single));
            bed.run(nominated("p", "n0"));
            assertThat(bed.nodeOf("p")).isEqualTo("n0");
        }

        @Test
        void withoutThePodTheNodeMustFitAsWell() {
            // Needs company: fits beside the nominated pod, which may never come.
            var company =
                    filter(
                            "Company",
                            (pod, node) ->
                                    node.pods().isEmpty()
                                            ? Refusal.mayPreempt("lonely")
                                            : Verdict.PASS);
            var bed = nodes(1, Bed.of(gate, company));
            nominate(bed, holder(5));
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available: 1 lonely.");
        }

        @Test
        void pluginsNotesAreToldOnCopiesOnly() {
            var told = new ArrayList<String>();
            var plugin =
                    preAndFilter("Telling", pod -> PreFilterVerdict.PASS, (p, n) -> Verdict.PASS)
                            .withWhatIf(
                                    new PreFilter.WhatIf() {
                                        @Override
                                        public void podAdded(
                                                Cycle cycle, Pod pod, Pod other, NodeView node) {
                                            told.add(other.name() + " on " + node.name());
                                            assertThat(node.pods()).hasSize(1);
                                        }

                                        @Override
                                        public void podRemoved(
                                                Cycle cycle, Pod pod, Pod other, NodeView node) {
                                            throw new AssertionError("nothing was removed");
                                        }
                                    });
            var bed = nodes(1, Bed.of(gate, plugin));
            nominate(bed, holder(5));
            bed.run(pod("p").build());
            assertThat(told).containsExactly("holder on n0");
            assertThat(bed.books().state().nodes().all().getFirst().pods())
                    .extracting(Pod::name)
                    .containsExactly("p");
        }

        @Test
        void pluginThatBreaksOnTheThoughtFailsTheAttempt() {
            var plugin =
                    preAndFilter("Telling", pod -> PreFilterVerdict.PASS, (p, n) -> Verdict.PASS)
                            .withWhatIf(
                                    new PreFilter.WhatIf() {
                                        @Override
                                        public void podAdded(
                                                Cycle cycle, Pod pod, Pod other, NodeView node) {
                                            throw new IllegalStateException("boom");
                                        }

                                        @Override
                                        public void podRemoved(
                                                Cycle cycle, Pod pod, Pod other, NodeView node) {}
                                    });
            var bed = nodes(1, Bed.of(gate, plugin));
            nominate(bed, holder(5));
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p"))
                    .isEqualTo("running AddPod on PreFilter plugin \"Telling\": boom");
        }
    }
}
