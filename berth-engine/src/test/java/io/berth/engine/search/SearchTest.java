package io.berth.engine.search;

import static io.berth.engine.Scripted.columnFilter;
import static io.berth.engine.Scripted.filter;
import static io.berth.engine.Scripted.preFilter;
import static io.berth.engine.Scripted.score;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.Score;
import io.berth.api.verdict.PreFilterVerdict.OnlyNodes;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Which nodes a search looks at, in which order, and where the next one begins.
final class SearchTest {
    /// Names of the nodes asked by the last search.
    private final List<String> asked = new ArrayList<>();

    private final Filter noting =
            filter(
                    "Noting",
                    (pod, node) -> {
                        asked.add(node.name());
                        return Verdict.PASS;
                    });

    /// Prefers nobody, so that the quota is that of a scored search.
    private static final Score EQUAL = score("Equal", node -> 0);

    private static Bed nodes(int count, Bed bed) {
        for (int i = 0; i < count; i++) {
            bed.scheduler.add(node("n" + i).pods(10_000).build());
        }
        return bed;
    }

    private static List<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "n" + i).toList();
    }

    private List<String> search(Bed bed, String pod) {
        asked.clear();
        bed.run(pod(pod).build());
        return List.copyOf(asked);
    }

    @Nested
    @Tag("E-93")
    @Tag("E-94")
    @Tag("E-186")
    @Tag("E-182")
    final class Rotating {
        /// The chosen node is the first of the feasible list, since all score the same.
        @Test
        void searchesTakeTurnsOverTheCluster() {
            var bed = nodes(250, Bed.of(noting, EQUAL));
            search(bed, "p1");
            assertThat(bed.nodeOf("p1")).isEqualTo("n0");
            search(bed, "p2");
            assertThat(bed.nodeOf("p2")).isEqualTo("n120");
            search(bed, "p3");
            assertThat(bed.nodeOf("p3")).isEqualTo("n240");
            search(bed, "p4");
            assertThat(bed.nodeOf("p4")).isEqualTo("n110");
        }

        @Test
        void refusedNodesMoveTheStartOn() {
            // Nodes 0 to 9 are refused, so 100 feasible ones end at node 109.
            var bed =
                    nodes(
                            200,
                            Bed.of(
                                    filter(
                                            "Ten",
                                            (pod, node) ->
                                                    node.name().length() == 2
                                                            ? Refusal.mayPreempt("low")
                                                            : Verdict.PASS),
                                    EQUAL));
            bed.run(pod("p1").build());
            assertThat(bed.nodeOf("p1")).isEqualTo("n10");
            bed.run(pod("p2").build());
            assertThat(bed.nodeOf("p2")).isEqualTo("n110");
        }

        @Test
        void fullSearchEndsWhereItBegan() {
            var bed = nodes(50, Bed.of(noting, EQUAL));
            assertThat(search(bed, "p1")).isEqualTo(names(0, 50));
            assertThat(search(bed, "p2")).isEqualTo(names(0, 50));
        }

        @Test
        void preFilterRefusalLeavesTheStartWhereItIs() {
            var bed =
                    nodes(
                            250,
                            Bed.of(
                                    preFilter(
                                            "Picky",
                                            pod ->
                                                    pod.name().startsWith("bad")
                                                            ? Refusal.mayPreempt("no")
                                                            : io.berth.api.verdict.PreFilterVerdict
                                                                    .PASS),
                                    noting,
                                    EQUAL));
            search(bed, "p1");
            search(bed, "bad");
            search(bed, "p2");
            assertThat(bed.nodeOf("p2")).isEqualTo("n120");
        }

        @Test
        void subsetCountsInItsOwnLengthButMovesTheStartOfAll() {
            var bed =
                    nodes(
                            250,
                            Bed.of(
                                    preFilter(
                                            "Narrow",
                                            pod ->
                                                    pod.name().startsWith("one")
                                                            ? new OnlyNodes(Set.of("n7"))
                                                            : io.berth.api.verdict.PreFilterVerdict
                                                                    .PASS),
                                    noting,
                                    EQUAL));
            assertThat(search(bed, "one")).containsExactly("n7");
            search(bed, "p1");
            assertThat(bed.nodeOf("p1")).isEqualTo("n1");
        }

        @Test
        void brokenSearchMovesTheStartByWhatItJudged() {
            var bed =
                    nodes(
                            250,
                            Bed.of(
                                    filter(
                                            "Fragile",
                                            (pod, node) -> {
                                                if (pod.name().startsWith("bad")
                                                        && node.name().equals("n5")) {
                                                    throw new IllegalStateException("boom");
                                                }
                                                return Verdict.PASS;
                                            }),
                                    EQUAL));
            bed.run(pod("bad").build());
            assertThat(bed.messageOf("bad")).isEqualTo("running \"Fragile\" filter plugin: boom");
            bed.run(pod("p1").build());
            assertThat(bed.nodeOf("p1")).isEqualTo("n5");
        }

        /// Column filters choose one after the other among all nodes, but the node decides.
        @Test
        void brokenColumnsMoveTheStartByWhatTheyJudged() {
            var bed =
                    nodes(50, Bed.of(breakingAt("First", "n9"), breakingAt("Second", "n5"), EQUAL));
            bed.run(pod("bad").build());
            assertThat(bed.messageOf("bad")).isEqualTo("running \"Second\" filter plugin: boom");
            bed.run(pod("p1").build());
            assertThat(bed.nodeOf("p1")).isEqualTo("n5");
        }

        private static Filter breakingAt(String name, String nodeName) {
            return columnFilter(
                    name,
                    (pod, node) -> {
                        if (pod.name().equals("bad") && node.name().equals(nodeName)) {
                            throw new IllegalStateException("boom");
                        }
                        return Verdict.PASS;
                    });
        }

        @Test
        void columnsKeepTheOrderOfTheRotation() {
            var bed =
                    nodes(
                            50,
                            Bed.of(
                                    breakingAt("Fragile", "n30"),
                                    columnFilter(
                                            "NotRound",
                                            (pod, node) ->
                                                    node.name().endsWith("0")
                                                            ? Refusal.mayPreempt("round")
                                                            : Verdict.PASS),
                                    EQUAL));
            bed.run(pod("bad").build());
            bed.run(pod("p1").build());
            assertThat(bed.nodeOf("p1")).isEqualTo("n31");
        }

        @Test
        void failureBehindTheQuotaIsNeverMet() {
            var bed =
                    nodes(
                            250,
                            Bed.of(
                                    filter(
                                            "Fragile",
                                            (pod, node) -> {
                                                if (node.name().equals("n200")) {
                                                    throw new IllegalStateException("boom");
                                                }
                                                return Verdict.PASS;
                                            }),
                                    EQUAL));
            bed.run(pod("p1").build());
            assertThat(bed.nodeOf("p1")).isEqualTo("n0");
            bed.run(pod("p2").build());
            assertThat(bed.messageOf("p2")).isEqualTo("running \"Fragile\" filter plugin: boom");
        }
    }

    @Nested
    @Tag("E-95")
    final class Percentages {
        @Test
        void profilesPercentageDecides() {
            var bed =
                    nodes(
                            500,
                            Bed.of(
                                    profile -> profile.withPercentageOfNodesToScore(40),
                                    noting,
                                    EQUAL));
            search(bed, "p1");
            search(bed, "p2");
            assertThat(bed.nodeOf("p2")).isEqualTo("n200");
        }

        @Test
        void globalPercentageServesProfilesWithoutOne() {
            var bed =
                    nodes(
                            500,
                            Bed.withEngine(
                                    s ->
                                            s.withPercentageOfNodesToScore(
                                                    java.util.OptionalInt.of(30)),
                                    noting,
                                    EQUAL));
            search(bed, "p1");
            search(bed, "p2");
            assertThat(bed.nodeOf("p2")).isEqualTo("n150");
        }
    }

    @Nested
    @Tag("E-96")
    final class WithoutScores {
        @Test
        void oneFeasibleNodeIsEnough() {
            var bed = nodes(3, Bed.of(noting));
            bed.run(pod("p1").build());
            bed.run(pod("p2").build());
            bed.run(pod("p3").build());
            bed.run(pod("p4").build());
            assertThat(List.of("p1", "p2", "p3", "p4").stream().map(bed::nodeOf))
                    .containsExactly("n0", "n1", "n2", "n0");
        }

        @Test
        void withoutFiltersTheFirstNodesOfTheRotationAreTaken() {
            var bed = nodes(250, Bed.of(EQUAL));
            bed.run(pod("p1").build());
            assertThat(bed.nodeOf("p1")).isEqualTo("n0");
        }
    }

    @Nested
    @Tag("E-91")
    final class Filtering {
        private Filter named(String name, Verdict verdict) {
            return filter(
                    name,
                    (pod, node) -> {
                        asked.add(name);
                        return verdict;
                    });
        }

        @Test
        void filtersAreAskedInOrderAndTheFirstRefusalDecides() {
            var bed =
                    nodes(
                            1,
                            Bed.of(
                                    named("One", Verdict.PASS),
                                    named("Two", Refusal.mayPreempt("two")),
                                    named("Three", Refusal.mayPreempt("three"))));
            bed.run(pod("p").build());
            assertThat(asked).startsWith("One", "Two").doesNotContain("Three");
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available: 1 two.");
            assertThat(bed.queued("p").unschedulablePlugins()).containsExactly("Two");
        }

        @Test
        void brokenFilterFailsTheAttempt() {
            Plugin broken =
                    filter(
                            "One",
                            (pod, node) -> {
                                throw new IllegalArgumentException("no idea");
                            });
            var bed = nodes(2, Bed.of(broken));
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("running \"One\" filter plugin: no idea");
            assertThat(bed.reasonOf("p")).isEqualTo("SchedulerError");
        }

        @Test
        @Tag("E-84")
        void singleFeasibleNodeIsTakenWithoutScoring() {
            var bed =
                    nodes(
                            5,
                            Bed.of(
                                    filter(
                                            "Only3",
                                            (pod, node) ->
                                                    node.name().equals("n3")
                                                            ? Verdict.PASS
                                                            : Refusal.mayPreempt("no")),
                                    score(
                                            "Never",
                                            node -> {
                                                throw new AssertionError("must not be asked");
                                            })));
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("n3");
        }

        @Test
        @Tag("E-83")
        @Tag("E-167a")
        @Tag("E-192")
        void emptyClusterIsToldAndRetriedByErrorBackoff() {
            var bed = Bed.of(noting);
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("no nodes available to schedule pods");
            assertThat(bed.reasonOf("p")).isEqualTo("Unschedulable");
            assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
            assertThat(bed.queued("p").unschedulablePlugins()).isEmpty();
        }
    }
}
