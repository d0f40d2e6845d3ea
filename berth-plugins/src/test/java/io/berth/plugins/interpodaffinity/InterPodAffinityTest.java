package io.berth.plugins.interpodaffinity;

import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.node;
import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.spec;
import static io.berth.plugins.Samples.zoned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.label.Requirement.Operator;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.Normalize.Scores;
import io.berth.api.spec.Affinity;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.api.spec.Affinity.WeightedPodTerm;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class InterPodAffinityTest {
    private static final String ZONE = Node.ZONE_LABEL;
    private static final String HOST = Node.HOSTNAME_LABEL;
    private static final Verdict PASS = Verdict.PASS;

    private static final PodTerm UNCLEAR =
            new PodTerm(
                    LabelSelector.of(List.of(new Requirement("app", Operator.IN, List.of()))),
                    Set.of(),
                    null,
                    ZONE);

    private static PodTerm term(String key, String label, String value) {
        return new PodTerm(LabelSelector.matching(label, value), Set.of(), null, key);
    }

    private static Pod with(String name, Labels labels, Affinity affinity) {
        return pod(name, spec().affinity(affinity)).toBuilder().labels(labels).build();
    }

    private static Affinity near(PodTerm... terms) {
        return new Affinity(
                null, List.of(), false, true, List.of(terms), List.of(), List.of(), List.of());
    }

    private static Affinity away(PodTerm... terms) {
        return new Affinity(
                null, List.of(), false, true, List.of(), List.of(), List.of(terms), List.of());
    }

    private static Affinity preferring(int weight, boolean anti, PodTerm term) {
        var terms = List.of(new WeightedPodTerm(weight, term));
        return new Affinity(
                null,
                List.of(),
                false,
                true,
                List.of(),
                anti ? List.of() : terms,
                List.of(),
                anti ? terms : List.of());
    }

    private static TestCluster zones() {
        return new TestCluster()
                .add(zoned("a", "a").build(), zoned("b", "b").build(), node("bare").build());
    }

    private static InterPodAffinity plugin(TestCluster cluster) {
        return new InterPodAffinity(InterPodAffinityArguments.DEFAULT, cluster);
    }

    private static PluginRun run(TestCluster cluster, Pod pod) {
        return PluginRun.of(cluster, plugin(cluster), pod);
    }

    @Nested
    @Tag("IP-7")
    class Required {
        private final Pod wantsDb = with("p", Labels.EMPTY, near(term(ZONE, "app", "db")));

        @Test
        void affinityKeepsPodsNearOthers() {
            var cluster = zones().add(pod("db", "app", "db").nodeName("a").build());
            assertThat(run(cluster, wantsDb).filter())
                    .isEqualTo(
                            Map.of(
                                    "a",
                                    PASS,
                                    "b",
                                    AffinityFilter.AFFINITY,
                                    "bare",
                                    AffinityFilter.AFFINITY));
        }

        @Test
        void affinityToItsOwnKindLetsTheFirstPodIn() {
            var cluster = zones();
            var first = with("p", Labels.of("app", "db"), near(term(ZONE, "app", "db")));
            assertThat(run(cluster, first).filter())
                    .isEqualTo(Map.of("a", PASS, "b", PASS, "bare", AffinityFilter.AFFINITY));
            cluster.add(pod("db", "app", "db").nodeName("a").build());
            assertThat(run(cluster, first).filter("b")).isEqualTo(AffinityFilter.AFFINITY);
            assertThat(run(cluster, first).filter("a")).isEqualTo(PASS);
        }

        @Test
        @Tag("IP-5")
        void affinityNeedsOnePodThatMatchesAllTerms() {
            var cluster =
                    zones().add(
                                    pod("p1", "app", "db").nodeName("a").build(),
                                    pod("p2", "tier", "gold").nodeName("a").build());
            var terms = near(term(ZONE, "app", "db"), term(ZONE, "tier", "gold"));
            assertThat(run(cluster, with("p", Labels.EMPTY, terms)).filter("a"))
                    .isEqualTo(AffinityFilter.AFFINITY);
            var both = Labels.of("app", "db", "tier", "gold");
            assertThat(run(cluster, with("p", both, terms)).filter("a")).isEqualTo(PASS);
        }

        @Test
        void antiAffinityKeepsPodsApart() {
            var cluster = zones().add(pod("x", "app", "x").nodeName("a").build());
            var pod = with("p", Labels.EMPTY, away(term(HOST, "app", "x")));
            assertThat(run(cluster, pod).filter())
                    .isEqualTo(Map.of("a", AffinityFilter.ANTI_AFFINITY, "b", PASS, "bare", PASS));
        }

        @Test
        @Tag("IP-4")
        void antiAffinityOfExistingPodsWorksBothWays() {
            var cluster = zones().add(zoned("a2", "a").build());
            var guard = with("guard", Labels.EMPTY, away(term(ZONE, "app", "x"))).onNode("a");
            cluster.add(guard);
            var pod = pod("p", "app", "x").build();
            var refused = AffinityFilter.EXISTING_ANTI_AFFINITY;
            assertThat(run(cluster, pod).filter())
                    .isEqualTo(Map.of("a", refused, "a2", refused, "b", PASS, "bare", PASS));
            var plugin = plugin(cluster);
            cluster.state.removePod(guard);
            assertThat(PluginRun.of(cluster, plugin, pod).preFilter())
                    .isEqualTo(PreFilterVerdict.SKIP);
        }

        @Test
        @Tag("IP-2")
        void termsThatCannotBeUnderstoodRefuseThePod() {
            assertThat(run(zones(), with("p", Labels.EMPTY, away(UNCLEAR))).preFilter())
                    .isEqualTo(
                            Refusal.hopeless(
                                    "parsing pod: requiredAntiAffinityTerms: values: Invalid value:"
                                            + " []: for 'in', 'notin' operators, values set can't"
                                            + " be empty"));
        }

        @Test
        @Tag("IP-6")
        void podWithoutTermsSkips() {
            assertThat(run(zones(), pod("p").build()).preFilter()).isEqualTo(PreFilterVerdict.SKIP);
        }
    }

    @Nested
    @Tag("IP-3")
    @Tag("H-15")
    class NamespaceSelectors {
        private static Pod wants(LabelSelector namespaces) {
            return with(
                    "p",
                    Labels.EMPTY,
                    near(
                            new PodTerm(
                                    LabelSelector.matching("app", "db"),
                                    Set.of(),
                                    namespaces,
                                    ZONE)));
        }

        private final TestCluster cluster =
                zones().add(
                                Pod.builder("other", "db")
                                        .labels(Labels.of("app", "db"))
                                        .nodeName("a")
                                        .build());

        @Test
        void meanNamespacesThatExistAndMatch() {
            var pod = wants(LabelSelector.matching("team", "x"));
            var plugin = plugin(cluster);
            assertThat(PluginRun.of(cluster, plugin, pod).filter("a"))
                    .isEqualTo(AffinityFilter.AFFINITY);
            cluster.add(new Namespace("other", Labels.of("team", "x")));
            assertThat(PluginRun.of(cluster, plugin, pod).filter("a")).isEqualTo(PASS);
            cluster.add(new Namespace("other", Labels.of("team", "y")));
            assertThat(PluginRun.of(cluster, plugin, pod).filter("a"))
                    .isEqualTo(AffinityFilter.AFFINITY);
        }

        @Test
        void withNegationsDoNotMeanEveryNamespace() {
            var pod =
                    wants(
                            LabelSelector.of(
                                    List.of(
                                            new Requirement(
                                                    "team", Operator.NOT_IN, List.of("x")))));
            cluster.add(new Namespace("other", Labels.of("team", "x")));
            assertThat(run(cluster, pod).filter("a")).isEqualTo(AffinityFilter.AFFINITY);
            cluster.add(new Namespace("other", Labels.of("team", "y")));
            assertThat(run(cluster, pod).filter("a")).isEqualTo(PASS);
        }

        @Test
        void thatAreEmptyMeanEveryNamespace() {
            assertThat(run(cluster, wants(LabelSelector.EVERYTHING)).filter("a")).isEqualTo(PASS);
        }
    }

    @Nested
    @Tag("IP-10")
    @Tag("IP-11")
    class Preferred {
        private final TestCluster cluster =
                new TestCluster()
                        .add(
                                zoned("a", "a").build(),
                                zoned("b", "b").build(),
                                zoned("c", "c").build());

        @Test
        void affinityDrawsPodsTogether() {
            cluster.add(pod("x", "app", "x").nodeName("a").build());
            var pod = with("p", Labels.EMPTY, preferring(10, false, term(ZONE, "app", "x")));
            var run = run(cluster, pod);
            assertThat(run.rawScores()).isEqualTo(Map.of("a", 10L, "b", 0L, "c", 0L));
            assertThat(run.scores()).isEqualTo(Map.of("a", 100L, "b", 0L, "c", 0L));
        }

        @Test
        void antiAffinityDrivesPodsApart() {
            cluster.add(
                    pod("x", "app", "x").nodeName("b").build(),
                    pod("y", "app", "x").nodeName("c").build());
            var pod = with("p", Labels.EMPTY, preferring(20, true, term(ZONE, "app", "x")));
            var run = run(cluster, pod);
            assertThat(run.rawScores()).isEqualTo(Map.of("a", 0L, "b", -20L, "c", -20L));
            assertThat(run.scores()).isEqualTo(Map.of("a", 100L, "b", 0L, "c", 0L));
        }

        @Test
        void requiredAffinityOfExistingPodsCountsALittle() {
            cluster.add(with("friend", Labels.EMPTY, near(term(ZONE, "app", "x"))).onNode("a"));
            var pod = pod("p", "app", "x").build();
            assertThat(run(cluster, pod).scores()).isEqualTo(Map.of("a", 100L, "b", 0L, "c", 0L));
            var indifferent =
                    new InterPodAffinity(new InterPodAffinityArguments(0, false), cluster);
            assertThat(PluginRun.of(cluster, indifferent, pod).scores()).isNull();
        }

        @Test
        @Tag("IP-9")
        void existingPreferencesMayBeIgnored() {
            cluster.add(
                    with("friend", Labels.EMPTY, preferring(5, false, term(ZONE, "app", "x")))
                            .onNode("a"));
            var pod = pod("p", "app", "x").build();
            assertThat(run(cluster, pod).rawScores()).isEqualTo(Map.of("a", 5L, "b", 0L, "c", 0L));
            var ignoring = new InterPodAffinity(new InterPodAffinityArguments(1, true), cluster);
            assertThat(PluginRun.of(cluster, ignoring, pod).scores()).isNull();
        }

        @Test
        @Tag("IP-12")
        void scoresAreStretchedFromSmallestToLargest() {
            assertThat(normalized(50, 20, -30)).containsExactly(100, 62, 0);
            assertThat(normalized(100, 29, 57, 0)).containsExactly(100, 28, 56, 0);
            assertThat(normalized(7, 7)).containsExactly(0, 0);
        }

        private static long[] normalized(long... values) {
            AffinityScore.normalize(new Scores(new int[values.length], values, values.length));
            return values;
        }
    }

    @Nested
    class Hints {
        private final InterPodAffinity plugin = plugin(new TestCluster());
        private final Pod wanting = with("p", Labels.of("app", "x"), near(term(ZONE, "app", "db")));
        private final Pod shunning =
                with("p", Labels.of("app", "x"), away(term(ZONE, "app", "db")));
        private final Pod db = pod("q", "app", "db").nodeName("a").build();
        private final Pod web = pod("q", "app", "web").nodeName("a").build();

        private Hint pods(int action, Pod waiting, @Nullable Pod before, @Nullable Pod after) {
            return hint(
                    plugin,
                    ClusterEvent.of(ClusterEvent.ASSIGNED_POD, action),
                    waiting,
                    before,
                    after);
        }

        @Test
        @Tag("IP-13")
        void podThatIsWantedOrWasShunnedWakes() {
            assertThat(pods(Action.ADD, wanting, null, db)).isEqualTo(Hint.QUEUE);
            assertThat(pods(Action.UPDATE_POD_LABEL, wanting, web, db)).isEqualTo(Hint.QUEUE);
            assertThat(pods(Action.UPDATE_POD_LABEL, shunning, db, web)).isEqualTo(Hint.QUEUE);
            assertThat(pods(Action.DELETE, shunning, db, null)).isEqualTo(Hint.QUEUE);
            var guard = with("q", Labels.EMPTY, away(term(ZONE, "app", "x"))).onNode("a");
            assertThat(pods(Action.DELETE, wanting, guard, null)).isEqualTo(Hint.QUEUE);
            assertThat(pods(Action.UPDATE_POD_LABEL, wanting, wanting, wanting))
                    .isEqualTo(Hint.QUEUE);
        }

        @Test
        @Tag("IP-13")
        void otherPodsDoNotWake() {
            assertThat(pods(Action.ADD, wanting, null, web)).isEqualTo(Hint.SKIP);
            assertThat(pods(Action.ADD, wanting, null, pod("q", "app", "db").build()))
                    .isEqualTo(Hint.SKIP);
            assertThat(pods(Action.ADD, shunning, null, db)).isEqualTo(Hint.SKIP);
            assertThat(pods(Action.DELETE, wanting, db, null)).isEqualTo(Hint.SKIP);
            assertThat(pods(Action.UPDATE_POD_LABEL, wanting, db, web)).isEqualTo(Hint.SKIP);
        }

        @Test
        @Tag("IP-13")
        @Tag("IP-14")
        void whateverHappensWakesAPodWhoseTermsCannotBeUnderstood() {
            var waiting = with("p", Labels.EMPTY, away(UNCLEAR));
            assertThat(pods(Action.ADD, waiting, null, web)).isEqualTo(Hint.QUEUE);
            assertThat(pods(Action.ADD, waiting, null, pod("q").build())).isEqualTo(Hint.SKIP);
            var guard = with("q", Labels.EMPTY, away(UNCLEAR)).onNode("a");
            assertThat(pods(Action.DELETE, wanting, guard, null)).isEqualTo(Hint.QUEUE);
            var bare = node("n").build();
            assertThat(nodes(Action.UPDATE_NODE_LABEL, waiting, bare, bare)).isEqualTo(Hint.QUEUE);
        }

        private Hint nodes(int action, Pod waiting, @Nullable Node before, Node after) {
            return hint(plugin, ClusterEvent.of(ClusterEvent.NODE, action), waiting, before, after);
        }

        @Test
        @Tag("IP-14")
        void nodeThatEntersOrLeavesADomainWakes() {
            var a = zoned("n", "a").build();
            var b = zoned("n", "b").build();
            var bare = node("n").build();
            assertThat(nodes(Action.ADD, wanting, null, a)).isEqualTo(Hint.QUEUE);
            assertThat(nodes(Action.UPDATE_NODE_LABEL, wanting, bare, a)).isEqualTo(Hint.QUEUE);
            assertThat(nodes(Action.UPDATE_NODE_LABEL, wanting, a, b)).isEqualTo(Hint.QUEUE);
            assertThat(nodes(Action.ADD, shunning, null, bare)).isEqualTo(Hint.QUEUE);
            assertThat(nodes(Action.UPDATE_NODE_LABEL, shunning, a, bare)).isEqualTo(Hint.QUEUE);
            assertThat(nodes(Action.UPDATE_NODE_LABEL, shunning, a, b)).isEqualTo(Hint.QUEUE);
        }

        @Test
        @Tag("IP-14")
        void otherNodesDoNotWake() {
            var a = zoned("n", "a").build();
            var bare = node("n").build();
            assertThat(nodes(Action.ADD, wanting, null, bare)).isEqualTo(Hint.SKIP);
            assertThat(nodes(Action.UPDATE_NODE_LABEL, wanting, a, bare)).isEqualTo(Hint.SKIP);
            assertThat(nodes(Action.UPDATE_NODE_LABEL, wanting, a, a)).isEqualTo(Hint.SKIP);
            assertThat(nodes(Action.UPDATE_NODE_LABEL, shunning, bare, a)).isEqualTo(Hint.SKIP);
            assertThat(nodes(Action.ADD, pod("p").build(), null, a)).isEqualTo(Hint.SKIP);
        }
    }

    @Test
    @Tag("IP-1")
    void argumentsHaveDefaultsAndLimits() {
        assertThat(InterPodAffinityArguments.parse(Arguments.NONE))
                .isEqualTo(new InterPodAffinityArguments(1, false));
        assertThatThrownBy(() ->
                        InterPodAffinityArguments.parse(
                                new Arguments(Map.of("hardPodAffinityWeight", 101))))
                .hasMessage(
                        "hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]");
        assertThatThrownBy(() ->
                        InterPodAffinityArguments.parse(
                                new Arguments(Map.of("hardPodAffinityWeight", "1"))))
                .hasMessage("hardPodAffinityWeight: Invalid value: \"1\": must be an integer");
    }
}
