package io.berth.engine.search;

import static io.berth.engine.Scripted.filter;
import static io.berth.engine.Scripted.preFilter;
import static io.berth.engine.Scripted.score;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.Extender;
import io.berth.api.handle.Extender.Filtered;
import io.berth.api.handle.Extender.HostScore;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PostFilter;
import io.berth.api.plugin.Score;
import io.berth.api.verdict.PostFilterVerdict;
import io.berth.api.verdict.PreFilterVerdict.OnlyNodes;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import io.berth.engine.Scripted;
import io.berth.testkit.InMemoryExtender;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What services outside have to say in a search for a node.
final class ExtendersTest {
    private static final Score EQUAL = score("Equal", node -> 0);

    /// What was asked: `name: nodes`.
    private final List<String> asked = new ArrayList<>();

    private static Bed nodes(Bed bed, String... names) {
        for (var name : names) {
            bed.scheduler.add(node(name).build());
        }
        return bed;
    }

    private InMemoryExtender leaving(String name, String... left) {
        return InMemoryExtender.named(name)
                .filtering((pod, nodes) -> {
                    asked.add(name + ": " + nodes);
                    return Filtered.to(List.of(left));
                });
    }

    private static InMemoryExtender failing(String name, String message) {
        return InMemoryExtender.named(name)
                .filtering((pod, nodes) -> {
                    throw new IllegalStateException(message);
                });
    }

    private static InMemoryExtender refusing(
            String name, Map<String, String> failed, Map<String, String> unresolvable) {
        return InMemoryExtender.named(name)
                .filtering((pod, nodes) -> new Filtered(List.of(), failed, unresolvable));
    }

    private static Bed bed(Extender... extenders) {
        return Bed.with(List.of(extenders), EQUAL);
    }

    @Nested
    @Tag("E-97")
    final class Filtering {
        @Test
        void eachSeesWhatTheOnesBeforeItLeft() {
            var bed = nodes(bed(leaving("x", "b", "c"), leaving("y", "c")), "a", "b", "c");
            bed.run(pod("p").build());
            assertThat(asked).containsExactly("x: [a, b, c]", "y: [b, c]");
            assertThat(bed.nodeOf("p")).isEqualTo("c");
        }

        @Test
        void whereNothingIsLeftNobodyElseIsAsked() {
            var bed = nodes(bed(leaving("x"), leaving("y", "a")), "a");
            bed.run(pod("p").build());
            assertThat(asked).containsOnly("x: [a]");
            assertThat(bed.nodeOf("p")).isEmpty();
        }

        @Test
        void whereThePluginsLeaveNothingNobodyIsAsked() {
            var nowhere = filter("Nowhere", (pod, node) -> Refusal.mayPreempt("no"));
            var bed = nodes(Bed.with(List.of(leaving("x", "a")), nowhere), "a");
            bed.run(pod("p").build());
            assertThat(asked).isEmpty();
            assertThat(bed.queued("p").unschedulablePlugins()).containsExactly("Nowhere");
        }

        @Test
        @Tag("E-146")
        void nodesAreUsedInTheOrderOfTheAnswer() {
            var bed = nodes(bed(leaving("x", "c", "a")), "a", "b", "c");
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("c");
        }

        @Test
        @Tag("E-147")
        void extenderThatIsNotInterestedIsNotAsked() {
            var bed = nodes(bed(leaving("x").interestedIn(pod -> pod.name().equals("other"))), "a");
            bed.run(pod("p").build());
            assertThat(asked).isEmpty();
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("E-109")
        void reasonsAreCountedInTheMessage() {
            var bed =
                    nodes(
                            bed(
                                    refusing(
                                            "x",
                                            Map.of("a", "busy", "b", "busy", "c", "soft"),
                                            Map.of("c", "broken"))),
                            "a",
                            "b",
                            "c");
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("0/3 nodes are available: 1 broken, 2 busy.");
        }

        @Test
        @Tag("E-98")
        void nodeThatIsDroppedWithoutAReasonAddsNoText() {
            var bed = nodes(bed(refusing("x", Map.of("a", "busy"), Map.of())), "a", "b");
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("0/2 nodes are available: 1 busy.");
            assertThat(bed.queued("p").unschedulablePlugins()).containsExactly("Extender");
        }

        @Test
        void reasonsStandBesideThoseOfPlugins() {
            var notB =
                    filter(
                            "NotB",
                            (pod, node) ->
                                    node.name().equals("b")
                                            ? Refusal.mayPreempt("is b")
                                            : Verdict.PASS);
            var bed =
                    nodes(
                            Bed.with(List.of(refusing("x", Map.of("a", "busy"), Map.of())), notB),
                            "a",
                            "b");
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("0/2 nodes are available: 1 busy, 1 is b.");
            assertThat(bed.queued("p").unschedulablePlugins())
                    .containsExactlyInAnyOrder("NotB", "Extender");
        }

        @Test
        void reasonForANodeThatDoesNotExistIsDropped() {
            var bed = nodes(bed(refusing("x", Map.of("ghost", "boo"), Map.of())), "a");
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("0/1 nodes are available:");
        }

        @Test
        void onlyResolvableNodesAreOfferedForPreemption() {
            var offered = new ArrayList<String>();
            PostFilter noting =
                    Scripted.postFilter(
                            "Noting",
                            refusals -> {
                                refusals.resolvableNodes().forEach(n -> offered.add(n.name()));
                                return PostFilterVerdict.Nothing.keeping("");
                            });
            var bed =
                    nodes(
                            Bed.with(
                                    List.of(refusing("x", Map.of("a", "busy"), Map.of("b", "bad"))),
                                    noting),
                            "a",
                            "b",
                            "c");
            bed.run(pod("p").build());
            assertThat(offered).containsOnly("a");
        }

        /// The pod's own new condition is such an event too, so it is tried twice at first.
        @Test
        @Tag("E-54")
        @Tag("E-98")
        void anyEventWakesAPodThatAnExtenderRefused() {
            var calls = new ArrayList<String>();
            var extender =
                    InMemoryExtender.named("x")
                            .filtering((pod, nodes) -> {
                                calls.add(pod.name());
                                return Filtered.to(calls.size() <= 2 ? List.of() : nodes);
                            });
            var bed = nodes(bed(extender), "a");
            bed.run(pod("p").build());
            assertThat(calls).hasSize(2);
            assertThat(bed.subQueueOf("p")).isEqualTo("PARKED");
            bed.scheduler.add(
                    node("a").build().toBuilder()
                            .annotations(io.berth.api.label.Labels.of("k", "v"))
                            .build());
            bed.pass(5);
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }

        @Test
        void nodeNarrowedDownToIsAskedAbout() {
            Plugin onlyB = preFilter("OnlyB", pod -> new OnlyNodes(Set.of("b")));
            var bed =
                    nodes(
                            Bed.with(
                                    List.of(refusing("x", Map.of("b", "busy"), Map.of())),
                                    onlyB,
                                    EQUAL),
                            "a",
                            "b");
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p"))
                    .isEqualTo(
                            "0/2 nodes are available: 1 busy, 1 node(s) didn't satisfy plugin(s)"
                                    + " [OnlyB].");
        }

        @Test
        @Tag("E-88")
        void nominatedNodeThatAnExtenderRefusesIsNotTheOnlyOne() {
            var bed =
                    nodes(
                            bed(
                                    leaving("x")
                                            .filtering((pod, nodes) -> {
                                                asked.add("x: " + nodes);
                                                return new Filtered(
                                                        nodes.stream()
                                                                .filter(name -> !name.equals("b"))
                                                                .toList(),
                                                        Map.of("b", "busy"),
                                                        Map.of());
                                            })),
                            "a",
                            "b");
            bed.run(pod("p").build().toBuilder().nominatedNodeName("b").build());
            assertThat(asked).containsExactly("x: [b]", "x: [a, b]");
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("E-88")
        void nominatedNodeThatAllAcceptIsTaken() {
            var bed = nodes(bed(leaving("x", "b")), "a", "b");
            bed.run(pod("p").build().toBuilder().nominatedNodeName("b").build());
            assertThat(asked).containsExactly("x: [b]");
            assertThat(bed.nodeOf("p")).isEqualTo("b");
        }
    }

    @Nested
    @Tag("E-148")
    final class Failing {
        @Test
        @Tag("E-167a")
        void failureFailsTheAttempt() {
            var bed = nodes(bed(failing("x", "out of order")), "a");
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("out of order");
            assertThat(bed.reasonOf("p")).isEqualTo("SchedulerError");
            assertThat(bed.queued("p").unschedulablePlugins()).isEmpty();
            assertThat(bed.subQueueOf("p")).isEqualTo("ERROR_BACKOFF");
        }

        @Test
        void ignorableOneIsPassedOver() {
            var bed = nodes(bed(failing("x", "out of order").ignorable()), "a");
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.log.sentences())
                    .contains("Skipping extender as it returned error and has ignorable flag set");
        }

        @Test
        @Tag("E-146")
        void answerWithAnotherNodeIsAFailure() {
            var bed = nodes(bed(leaving("http://x", "ghost")), "a");
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p"))
                    .isEqualTo(
                            "extender \"http://x\" claims a filtered node \"ghost\" which is not"
                                    + " found in the input node list");
        }

        @Test
        @Tag("E-143")
        void ignorableOnesComeLast() {
            var bed =
                    nodes(
                            bed(
                                    leaving("i1", "a").ignorable(),
                                    leaving("x1", "a"),
                                    leaving("i2", "a").ignorable(),
                                    leaving("x2", "a")),
                            "a");
            bed.run(pod("p").build());
            assertThat(asked).containsExactly("x1: [a]", "x2: [a]", "i1: [a]", "i2: [a]");
            assertThat(bed.handle().extenders())
                    .extracting(Extender::name)
                    .containsExactly("x1", "x2", "i1", "i2");
        }

        @Test
        void failureOnTheNominatedNodeIsLoggedAndTheSearchGoesOn() {
            var calls = new ArrayList<String>();
            var extender =
                    InMemoryExtender.named("x")
                            .filtering((pod, nodes) -> {
                                calls.add(nodes.toString());
                                if (calls.size() == 1) {
                                    throw new IllegalStateException("hiccup");
                                }
                                return Filtered.to(nodes);
                            });
            var bed = nodes(bed(extender), "a", "b");
            bed.run(pod("p").build().toBuilder().nominatedNodeName("b").build());
            assertThat(calls).containsExactly("[b]", "[a, b]");
            assertThat(bed.log.sentences()).contains("Evaluation failed on nominated node");
        }
    }

    @Nested
    @Tag("E-101")
    final class Scoring {
        private static InMemoryExtender scoring(String name, long weight, String node, long score) {
            return InMemoryExtender.named(name)
                    .scoring(weight, (pod, nodes) -> List.of(new HostScore(node, score)));
        }

        @Test
        void scoreCountsTenfoldTimesItsWeight() {
            // b leads by 59: 1 * 6 * 10 is just more, 1 * 5 * 10 is not.
            var plugin = score("ByName", node -> node.name().equals("b") ? 59 : 0);
            var more = nodes(Bed.with(List.of(scoring("x", 6, "a", 1)), plugin), "a", "b");
            more.run(pod("p").build());
            assertThat(more.nodeOf("p")).isEqualTo("a");
            var less = nodes(Bed.with(List.of(scoring("x", 5, "a", 1)), plugin), "a", "b");
            less.run(pod("p").build());
            assertThat(less.nodeOf("p")).isEqualTo("b");
        }

        @Test
        void scoresOfSeveralAddUp() {
            var plugin = score("ByName", node -> node.name().equals("b") ? 59 : 0);
            var bed =
                    nodes(
                            Bed.with(
                                    List.of(scoring("x", 1, "a", 3), scoring("y", 1, "a", 3)),
                                    plugin),
                            "a",
                            "b");
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("E-148")
        void failureCostsNothingButItsScore() {
            var failing =
                    InMemoryExtender.named("x")
                            .scoring(
                                    1,
                                    (pod, nodes) -> {
                                        throw new IllegalStateException("no idea");
                                    });
            var bed = nodes(bed(failing, scoring("y", 1, "b", 1)), "a", "b");
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("b");
            assertThat(bed.log.sentences())
                    .contains(
                            "Failed to run extender's priority function. No score given by this"
                                    + " extender.");
        }

        @Test
        void scoreForAnUnknownNodeIsDropped() {
            var bed = nodes(bed(scoring("x", 1, "ghost", 10)), "a", "b");
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("E-179")
        void scoresAreToldAtLevelTen() {
            var bed = nodes(bed(scoring("x", 1, "b", 1)), "a", "b");
            bed.run(pod("p").build());
            assertThat(bed.log.sentences()).contains("Extender scored node for pod");
        }

        @Test
        @Tag("E-84")
        void singleNodeIsNotScored() {
            var extender =
                    InMemoryExtender.named("x")
                            .scoring(
                                    1,
                                    (pod, nodes) -> {
                                        asked.add("scored");
                                        return List.of();
                                    });
            var bed = nodes(bed(extender), "a");
            bed.run(pod("p").build());
            assertThat(asked).isEmpty();
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }

        /// Without extenders the first of equal nodes always wins.
        @Test
        @Tag("E-102")
        @Tag("E-180")
        void chanceDecidesAmongEqualNodesThatAnExtenderScored() {
            assertThat(chosen(scoring("x", 1, "none", 0))).containsExactly("a");
            assertThat(
                            chosen(
                                    InMemoryExtender.named("x")
                                            .scoring(
                                                    1,
                                                    (pod, nodes) ->
                                                            nodes.stream()
                                                                    .map(node ->
                                                                            new HostScore(node, 5))
                                                                    .toList())))
                    .containsExactlyInAnyOrder("a", "b", "c");
        }

        /// One without the verb still scores every node, with nothing.
        @Test
        @Tag("E-102")
        void chanceDecidesEvenWhereTheExtenderOnlyFilters() {
            assertThat(
                            chosen(
                                    InMemoryExtender.named("x")
                                            .filtering((pod, nodes) -> Filtered.to(nodes))))
                    .containsExactlyInAnyOrder("a", "b", "c");
        }

        private Set<String> chosen(Extender extender) {
            var bed = nodes(bed(extender), "a", "b", "c");
            var chosen = new HashSet<String>();
            for (int i = 0; i < 40; i++) {
                bed.run(pod("p" + i).build());
                chosen.add(bed.nodeOf("p" + i));
            }
            return chosen;
        }
    }

    @Nested
    @Tag("E-95")
    @Tag("E-96")
    final class Sampling {
        private Bed many(Bed bed) {
            for (int i = 0; i < 1000; i++) {
                bed.scheduler.add(node("n" + i).build());
            }
            return bed;
        }

        private InMemoryExtender counting() {
            return InMemoryExtender.named("x")
                    .filtering((pod, nodes) -> {
                        asked.add(Integer.toString(nodes.size()));
                        return Filtered.to(nodes);
                    });
        }

        /// All filters here judge from columns, so without the extender all nodes were looked at.
        @Test
        void extenderIsSentAsManyNodesAsUpstreamSends() {
            var bed = many(Bed.with(List.of(counting())));
            bed.run(pod("p").build());
            assertThat(asked).containsExactly("420");
        }

        @Test
        void extenderThatOnlyBindsAsksForNoMoreThanOne() {
            var bound = new ArrayList<String>();
            var bed =
                    many(
                            Bed.with(
                                    List.of(
                                            InMemoryExtender.named("x")
                                                    .binding((pod, node) -> bound.add(node)))));
            bed.run(pod("p").build());
            bed.run(pod("q").build());
            assertThat(bound).containsExactly("n0", "n1");
        }
    }

    @Nested
    @Tag("E-105")
    @Tag("E-148")
    final class Binding {
        private InMemoryExtender binding(String name) {
            return InMemoryExtender.named(name)
                    .binding((pod, node) -> asked.add(name + " binds " + pod.name() + " " + node));
        }

        private static InMemoryExtender failing(String name) {
            return InMemoryExtender.named(name)
                    .binding((Pod pod, String node) -> {
                        throw new IllegalStateException(name + " cannot");
                    });
        }

        @Test
        void firstInterestedBinderBindsInThePluginsStead() {
            var bed =
                    nodes(
                            bed(
                                    binding("x").interestedIn(pod -> false),
                                    binding("y"),
                                    binding("z")),
                            "a");
            bed.run(pod("p").build());
            assertThat(asked).containsExactly("y binds p a");
            assertThat(bed.nodeOf("p")).isEmpty();
            assertThat(bed.notes()).contains("Successfully assigned default/p to a");
        }

        @Test
        void failureFailsTheBinding() {
            var bed = nodes(bed(failing("x")), "a");
            bed.run(pod("p").build());
            assertThat(bed.messageOf("p")).isEqualTo("x cannot");
            assertThat(bed.reasonOf("p")).isEqualTo("SchedulerError");
            assertThat(bed.nodeOf("p")).isEmpty();
            assertThat(bed.books().state().isAssumed("default/p")).isFalse();
        }

        @Test
        void afterAnIgnorableFailureThePluginsBind() {
            var bed = nodes(bed(failing("x").ignorable()), "a");
            bed.run(pod("p").build());
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.log.sentences())
                    .contains(
                            "Skipping extender in bind as it returned error and has ignorable flag"
                                    + " set");
        }
    }
}
