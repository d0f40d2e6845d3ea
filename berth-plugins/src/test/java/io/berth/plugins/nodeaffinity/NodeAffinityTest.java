package io.berth.plugins.nodeaffinity;

import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.node;
import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.label.Requirement.Operator;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Arguments;
import io.berth.api.spec.Affinity;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.NodeSelector.Preferred;
import io.berth.api.spec.NodeSelector.Term;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.Agreement;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NodeAffinityTest {
    private final NodeAffinity plugin = new NodeAffinity(NodeAffinityArguments.DEFAULT);

    private static Term term(Requirement... expressions) {
        return new Term(List.of(expressions), List.of());
    }

    private static Term named(String... names) {
        return new Term(
                List.of(),
                List.of(names).stream()
                        .map(name -> new Requirement("metadata.name", Operator.IN, List.of(name)))
                        .toList());
    }

    private static Pod requiring(Term... terms) {
        return pod(
                "p", spec().affinity(affinity(new NodeSelector(List.of(terms)), List.of(), false)));
    }

    private static Pod preferring(Preferred... preferred) {
        return pod("p", spec().affinity(affinity(null, List.of(preferred), true)));
    }

    private static Affinity affinity(
            @org.jspecify.annotations.Nullable NodeSelector required,
            List<Preferred> preferred,
            boolean hasPreferred) {
        return new Affinity(
                required,
                preferred,
                hasPreferred,
                false,
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    private PreFilterVerdict preFilter(Pod pod) {
        return PluginRun.of(new TestCluster(), plugin, pod).preFilter();
    }

    @Test
    @Tag("NA-6")
    void scoresAddUpWeightsOfMatchingTerms() {
        var cluster =
                new TestCluster()
                        .add(
                                node("a", "zone", "a").build(),
                                node("ad", "zone", "a", "disk", "x").build(),
                                node("bd", "zone", "b", "disk", "x").build(),
                                node("b", "zone", "b").build());
        var pod =
                preferring(
                        new Preferred(80, term(Requirement.is("zone", "a"))),
                        new Preferred(
                                10, term(new Requirement("disk", Operator.EXISTS, List.of()))));
        var run = PluginRun.of(cluster, plugin, pod);
        assertThat(run.rawScores()).isEqualTo(Map.of("a", 80L, "ad", 90L, "bd", 10L, "b", 0L));
        assertThat(run.scores()).isEqualTo(Map.of("a", 88L, "ad", 100L, "bd", 11L, "b", 0L));
    }

    @Test
    @Tag("NA-3")
    void termsThatNameNodesNarrowTheSearch() {
        assertThat(preFilter(requiring(named("n1"), named("n2"))))
                .isEqualTo(new PreFilterVerdict.OnlyNodes(Set.of("n1", "n2")));
        assertThat(preFilter(requiring(named("n1", "n2")))).isEqualTo(NodeAffinity.CONFLICT);
        assertThat(preFilter(requiring(named("n1"), term(Requirement.is("zone", "a")))))
                .isEqualTo(PreFilterVerdict.PASS);
    }

    @Test
    @Tag("NA-2")
    void emptySelectorDiffersFromNone() {
        assertThat(preFilter(pod("p").build())).isEqualTo(PreFilterVerdict.SKIP);
        assertThat(preFilter(pod("p", spec().nodeSelector(Labels.EMPTY))))
                .isEqualTo(PreFilterVerdict.PASS);
    }

    @Test
    @Tag("H-8")
    void greaterThanComparesIntegers() {
        var cluster =
                new TestCluster()
                        .add(
                                node("n16", "cores", "16").build(),
                                node("n8", "cores", "8").build(),
                                node("abc", "cores", "abc").build(),
                                node("none").build());
        var pod = requiring(term(new Requirement("cores", Operator.GT, List.of("8"))));
        var refused = NodeAffinity.NOT_MATCHED;
        assertThat(PluginRun.of(cluster, plugin, pod).filter())
                .isEqualTo(
                        Map.of(
                                "n16",
                                Verdict.PASS,
                                "n8",
                                refused,
                                "abc",
                                refused,
                                "none",
                                refused));
    }

    @Test
    @Tag("NA-4")
    @Tag("H-9")
    void emptyListOfTermsMatchesNoNode() {
        var cluster = new TestCluster().add(node("a").build());
        var run = PluginRun.of(cluster, plugin, requiring());
        assertThat(run.preFilter()).isEqualTo(PreFilterVerdict.PASS);
        assertThat(run.filter()).isEqualTo(Map.of("a", NodeAffinity.NOT_MATCHED));
    }

    @Test
    @Tag("NA-5")
    void emptyPreferenceScoresNothingButIsScored() {
        var cluster = new TestCluster().add(node("a").build());
        var pod = preferring(new Preferred(50, term()));
        assertThat(PluginRun.of(cluster, plugin, pod).scores()).isEqualTo(Map.of("a", 0L));
        assertThat(PluginRun.of(cluster, plugin, pod("q").build()).scores()).isNull();
    }

    /// The API server lets such preferences through; they fail where there is a choice of nodes.
    @Test
    @Tag("NA-5")
    @Tag("H-8")
    void preferencesThatCannotBeUnderstoodAreAnError() {
        var pod =
                preferring(
                        new Preferred(0, term(new Requirement("k", Operator.UNKNOWN, List.of()))),
                        new Preferred(1, term(Requirement.is("k", "two words"))),
                        new Preferred(1, term(new Requirement("k", Operator.GT, List.of("many")))),
                        new Preferred(1, term(new Requirement("k", Operator.LT, List.of("-5")))));
        var run = PluginRun.of(new TestCluster(), plugin, pod);
        var rule =
                "a valid label must be an empty string or consist of alphanumeric characters, '-',"
                        + " '_' or '.', and must start and end with an alphanumeric character"
                        + " (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation"
                        + " is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
        assertThatThrownBy(run::rawScores)
                .hasMessage(
                        "[[1].matchExpressions[0].values[0][k]: Invalid value: \"two words\": "
                                + rule
                                + ", [2].matchExpressions[0].values[0]: Invalid value: \"many\":"
                                + " for 'Gt', 'Lt' operators, the value must be an integer,"
                                + " [3].matchExpressions[0].values[0][k]: Invalid value: \"-5\": "
                                + rule
                                + "]");
    }

    @Test
    @Tag("NA-4")
    @Tag("H-8")
    void termWithAValueThatNoLabelCanHaveMatchesNoNode() {
        var cluster = new TestCluster().add(node("a").build());
        var odd = new Requirement("k", Operator.NOT_IN, List.of("two words"));
        assertThat(PluginRun.of(cluster, plugin, requiring(term(odd))).filter())
                .isEqualTo(Map.of("a", NodeAffinity.NOT_MATCHED));
    }

    @Nested
    @Tag("NA-1")
    class AddedAffinity {
        private final NodeAffinity enforcing =
                new NodeAffinity(
                        NodeAffinityArguments.parse(
                                new Arguments(
                                        Map.of(
                                                "addedAffinity",
                                                Map.of(
                                                        "requiredDuringSchedulingIgnoredDuringExecution",
                                                        Map.of(
                                                                "nodeSelectorTerms",
                                                                List.of(
                                                                        expression(
                                                                                "pool", "In",
                                                                                "web"))),
                                                        "preferredDuringSchedulingIgnoredDuringExecution",
                                                        List.of(
                                                                Map.of(
                                                                        "weight",
                                                                        7,
                                                                        "preference",
                                                                        expression(
                                                                                "disk", "In",
                                                                                "ssd"))))))));

        private static Map<String, Object> expression(
                String key, String operator, String... values) {
            return Map.of(
                    "matchExpressions",
                    List.of(Map.of("key", key, "operator", operator, "values", List.of(values))));
        }

        @Test
        void holdsForEveryPod() {
            var cluster =
                    new TestCluster()
                            .add(
                                    node("web", "pool", "web", "disk", "ssd").build(),
                                    node("db", "pool", "db").build());
            var run = PluginRun.of(cluster, enforcing, pod("p").build());
            assertThat(run.filter())
                    .isEqualTo(Map.of("web", Verdict.PASS, "db", NodeAffinity.NOT_ENFORCED));
            assertThat(run.rawScores()).isEqualTo(Map.of("web", 7L, "db", 0L));
        }

        @Test
        void wakesOnlyForNodesThatMatchIt() {
            var event = ClusterEvent.of(ClusterEvent.NODE, Action.ADD);
            var waiting = pod("p").build();
            assertThat(hint(enforcing, event, waiting, null, node("a", "pool", "web").build()))
                    .isEqualTo(Hint.QUEUE);
            assertThat(hint(enforcing, event, waiting, null, node("a").build()))
                    .isEqualTo(Hint.SKIP);
        }

        @Test
        void badSelectorIsRefusedWithItsPlace() {
            var arguments =
                    new Arguments(
                            Map.of(
                                    "addedAffinity",
                                    Map.of(
                                            "requiredDuringSchedulingIgnoredDuringExecution",
                                            Map.of(
                                                    "nodeSelectorTerms",
                                                    List.of(expression("pool", "In"))))));
            assertThatThrownBy(() -> NodeAffinityArguments.parse(arguments))
                    .hasMessage(
                            "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                                    + ".nodeSelectorTerms[0].matchExpressions[0].values: Invalid"
                                    + " value: []: for 'in', 'notin' operators, values set can't be"
                                    + " empty");
        }

        @Test
        void badPreferenceIsRefusedUnlessItCountsForNothing() {
            var odd = expression("no key/", "In", "two words");
            assertThatThrownBy(() -> preferring(3, odd))
                    .hasMessageContaining(
                            "addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]"
                                    + ".matchExpressions[0].key: Invalid value: \"no key/\":"
                                    + " prefix part ")
                    .hasMessageContaining("; name part must be non-empty; name part ")
                    .hasMessageContaining(
                            ".matchExpressions[0].values[0][no key/]: Invalid value:"
                                    + " \"two words\": a valid label must be");
            assertThat(preferring(0, odd).addedPreferred()).hasSize(1);
        }

        private static NodeAffinityArguments preferring(int weight, Object preference) {
            return NodeAffinityArguments.parse(
                    new Arguments(
                            Map.of(
                                    "addedAffinity",
                                    Map.of(
                                            "preferredDuringSchedulingIgnoredDuringExecution",
                                            List.of(
                                                    Map.of(
                                                            "weight",
                                                            weight,
                                                            "preference",
                                                            preference))))));
        }

        @Test
        void nothingIsAddedByDefault() {
            assertThat(NodeAffinityArguments.parse(Arguments.NONE))
                    .isEqualTo(new NodeAffinityArguments(null, List.of()));
        }
    }

    @Nested
    @Tag("NA-7")
    class Hints {
        private final ClusterEvent changed =
                ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_LABEL);
        private final Pod waiting = requiring(term(Requirement.is("zone", "a")));
        private final Node inA = node("n", "zone", "a").build();
        private final Node inB = node("n", "zone", "b").build();

        @Test
        void nodeThatComesToMatchWakes() {
            assertThat(hint(plugin, changed, waiting, inB, inA)).isEqualTo(Hint.QUEUE);
        }

        @Test
        void nodeThatMatchedBeforeOrDoesNotMatchDoesNotWake() {
            assertThat(hint(plugin, changed, waiting, inA, inA)).isEqualTo(Hint.SKIP);
            assertThat(hint(plugin, changed, waiting, inA, inB)).isEqualTo(Hint.SKIP);
        }

        @Test
        void requirementThatCannotBeUnderstoodWakes() {
            var odd = term(new Requirement("cores", Operator.GT, List.of("many")));
            assertThat(hint(plugin, changed, requiring(odd), inA, inA)).isEqualTo(Hint.QUEUE);
            var either = requiring(odd, term(Requirement.is("zone", "a")));
            assertThat(hint(plugin, changed, either, inA, inA)).isEqualTo(Hint.SKIP);
            assertThat(hint(plugin, changed, either, inA, inB)).isEqualTo(Hint.QUEUE);
        }
    }

    @Test
    void columnsAgreeWithPlainReading() {
        Agreement.check(
                3000,
                random -> {
                    var arguments =
                            random.chance(30)
                                    ? new NodeAffinityArguments(random.nodeSelector(), List.of())
                                    : NodeAffinityArguments.DEFAULT;
                    var judged = new NodeAffinity(arguments);
                    var pod = random.pod();
                    var verdicts = new LinkedHashMap<String, Verdict>();
                    var scores = new LinkedHashMap<String, Long>();
                    var run = PluginRun.of(random.cluster, judged, pod);
                    for (var view : random.cluster.nodes().all()) {
                        verdicts.put(view.name(), plainVerdict(arguments, pod, view.node()));
                        scores.put(view.name(), plainScore(pod, view.node()));
                    }
                    assertThat(run.filter()).isEqualTo(verdicts);
                    if (pod.spec().affinity().hasPreferredNodes()) {
                        assertThat(run.rawScores()).isEqualTo(scores);
                    }
                });
    }

    private static Verdict plainVerdict(NodeAffinityArguments arguments, Pod pod, Node node) {
        var enforced = arguments.addedRequired();
        if (enforced != null && !enforced.matches(node)) {
            return NodeAffinity.NOT_ENFORCED;
        }
        var wanted = pod.spec().nodeSelector();
        var required = pod.spec().affinity().requiredNodes();
        boolean labelsMatch =
                wanted == null
                        || wanted.toMap().entrySet().stream()
                                .allMatch(
                                        e -> e.getValue().equals(node.labels().value(e.getKey())));
        return labelsMatch && (required == null || required.matches(node))
                ? Verdict.PASS
                : NodeAffinity.NOT_MATCHED;
    }

    private static long plainScore(Pod pod, Node node) {
        return pod.spec().affinity().preferredNodes().stream()
                .filter(preferred -> preferred.term().matches(node))
                .mapToLong(Preferred::weight)
                .sum();
    }
}
