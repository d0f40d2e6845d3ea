package io.berth.engine.search;

import static io.berth.engine.Scripted.filter;
import static io.berth.engine.Scripted.postFilter;
import static io.berth.engine.Scripted.preAndFilter;
import static io.berth.engine.Scripted.preFilter;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView;
import io.berth.api.plugin.PreFilter;
import io.berth.api.verdict.PostFilterVerdict.Nothing;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.PreFilterVerdict.OnlyNodes;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-86")
final class PreFilterTest {
    private final List<String> asked = new ArrayList<>();

    private PreFilter says(String name, PreFilterVerdict verdict) {
        return preFilter(
                name,
                pod -> {
                    asked.add(name);
                    return verdict;
                });
    }

    private static Refusal pending(String reason) {
        return new Refusal(List.of(reason), Refusal.Remedy.PENDING);
    }

    private static Bed threeNodes(Bed bed) {
        for (var name : List.of("a", "b", "c")) {
            bed.scheduler.add(node(name).build());
        }
        return bed;
    }

    @Test
    void pluginsAreAskedInOrder() {
        var bed =
                threeNodes(
                        Bed.of(
                                says("One", PreFilterVerdict.PASS),
                                says("Two", PreFilterVerdict.SKIP),
                                says("Three", PreFilterVerdict.PASS)));
        bed.run(pod("p").build());
        assertThat(asked).containsExactly("One", "Two", "Three");
        assertThat(bed.nodeOf("p")).isNotEmpty();
    }

    @Test
    @Tag("G-3")
    void filterOfAPluginThatSkipsIsNotAsked() {
        var plugin =
                preAndFilter(
                        "Skipping",
                        pod -> PreFilterVerdict.SKIP,
                        (pod, node) -> {
                            throw new AssertionError("must not be asked");
                        });
        var bed = threeNodes(Bed.of(plugin));
        bed.run(pod("p").build());
        assertThat(bed.nodeOf("p")).isNotEmpty();
    }

    @Nested
    @Tag("E-87")
    final class Refusing {
        @Test
        @Tag("G-5")
        void hopelessRefusalEndsTheRound() {
            var bed =
                    threeNodes(
                            Bed.of(
                                    says("One", Refusal.hopeless("never")),
                                    says("Two", PreFilterVerdict.PASS)));
            bed.run(pod("p").build());
            assertThat(asked).containsExactly("One");
            assertThat(bed.messageOf("p")).isEqualTo("0/3 nodes are available: never.");
        }

        @Test
        @Tag("G-5")
        void otherRefusalsLetTheRestBeAskedAndTheLastOneIsTold() {
            var bed =
                    threeNodes(
                            Bed.of(
                                    says("One", Refusal.mayPreempt("first")),
                                    says("Two", Refusal.mayPreempt("second")),
                                    says("Three", PreFilterVerdict.PASS)));
            bed.run(pod("p").build());
            assertThat(asked).containsExactly("One", "Two", "Three");
            assertThat(bed.messageOf("p")).isEqualTo("0/3 nodes are available: second.");
            assertThat(bed.isQueued("p")).isTrue();
            assertThat(bed.queued("p").unschedulablePlugins()).containsExactly("Two");
        }

        @Test
        void noNodeIsAskedButPostFilterIs() {
            var postFiltered = new ArrayList<String>();
            var bed =
                    threeNodes(
                            Bed.of(
                                    says("One", Refusal.mayPreempt("no")),
                                    filter(
                                            "Never",
                                            (pod, node) -> {
                                                throw new AssertionError("must not be asked");
                                            }),
                                    postFilter(
                                            "Help",
                                            refusals -> {
                                                refusals.resolvableNodes().stream()
                                                        .map(NodeView::name)
                                                        .forEach(postFiltered::add);
                                                return Nothing.keeping("sorry");
                                            })));
            bed.run(pod("p").build());
            assertThat(postFiltered).containsExactly("a", "b", "c");
            assertThat(bed.messageOf("p")).isEqualTo("0/3 nodes are available: no. sorry");
        }

        @Test
        @Tag("E-167a")
        void pendingIsNoAnswerHereAndFailsTheAttempt() {
            var bed = threeNodes(Bed.of(says("One", pending("soon"))));
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("running PreFilter plugin \"One\": soon");
            assertThat(bed.reasonOf("p")).isEqualTo("SchedulerError");
            assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
        }

        @Test
        void pluginThatThrowsFailsTheAttempt() {
            var bed =
                    threeNodes(
                            Bed.of(
                                    preFilter(
                                            "One",
                                            pod -> {
                                                throw new IllegalStateException("boom");
                                            })));
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("running PreFilter plugin \"One\": boom");
            assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
        }
    }

    @Nested
    @Tag("E-90")
    @Tag("G-4")
    final class NodeSets {
        private final List<String> filtered = new ArrayList<>();

        private Bed bed(PreFilter... plugins) {
            var all = new ArrayList<io.berth.api.plugin.Plugin>(List.of(plugins));
            all.add(
                    filter(
                            "Noting",
                            (pod, node) -> {
                                filtered.add(node.name());
                                return Verdict.PASS;
                            }));
            return threeNodes(Bed.of(all.toArray(io.berth.api.plugin.Plugin[]::new)));
        }

        @Test
        void onlyTheNamedNodesAreLookedAt() {
            var bed = bed(says("One", new OnlyNodes(Set.of("b"))));
            bed.run(pod("p").build());
            assertThat(filtered).containsExactly("b");
            assertThat(bed.nodeOf("p")).isEqualTo("b");
        }

        @Test
        void setsAreIntersected() {
            var bed =
                    bed(
                            says("One", new OnlyNodes(Set.of("a", "b"))),
                            says("Two", new OnlyNodes(Set.of("b", "c"))));
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("b");
        }

        @Test
        void nothingInCommonIsToldWithAllNamesSorted() {
            var bed =
                    bed(
                            says("Zeta", new OnlyNodes(Set.of("a"))),
                            says("Alpha", new OnlyNodes(Set.of("c"))),
                            says("Never", PreFilterVerdict.PASS));
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p"))
                    .isEqualTo(
                            "0/3 nodes are available: node(s) didn't satisfy plugin(s) [Alpha Zeta]"
                                    + " simultaneously.");
            assertThat(asked).containsExactly("Zeta", "Alpha");
            assertThat(bed.queued("p").unschedulablePlugins())
                    .containsExactlyInAnyOrder("Alpha", "Zeta");
        }

        @Test
        void emptySetOfOnePluginNamesIt() {
            var bed = bed(says("One", new OnlyNodes(Set.of())));
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p"))
                    .isEqualTo("0/3 nodes are available: node(s) didn't satisfy plugin One.");
        }

        @Test
        void nodesThatDoNotExistAreLeftOutAndTheOthersAreExplained() {
            var bed = bed(says("One", new OnlyNodes(Set.of("gone"))));
            bed.run(pod("p").build());
            assertThat(filtered).isEmpty();
            assertThat(bed.messageOf("p"))
                    .isEqualTo(
                            "0/3 nodes are available: 3 node(s) didn't satisfy plugin(s) [One].");
            assertThat(bed.queued("p").unschedulablePlugins()).containsExactly("One");
        }

        @Test
        void refusedNodesOfTheSetStandBesideTheOthers() {
            var bed =
                    threeNodes(
                            Bed.of(
                                    says("One", new OnlyNodes(Set.of("a", "b"))),
                                    filter("Two", (pod, node) -> Refusal.mayPreempt("full"))));
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p"))
                    .isEqualTo(
                            "0/3 nodes are available: 1 node(s) didn't satisfy plugin(s) [One], 2"
                                    + " full.");
            assertThat(bed.queued("p").unschedulablePlugins())
                    .containsExactlyInAnyOrder("One", "Two");
        }

        @Test
        @Tag("E-181")
        void nodesOfASetAreVisitedInListOrder() {
            var bed =
                    bed(
                            says(
                                    "One",
                                    new OnlyNodes(
                                            new java.util.LinkedHashSet<>(List.of("c", "a")))));
            bed.run(pod("p").build());
            assertThat(filtered.getFirst()).isEqualTo("a");
        }
    }
}
