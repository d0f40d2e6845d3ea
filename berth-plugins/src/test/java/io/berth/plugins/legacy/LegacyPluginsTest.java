package io.berth.plugins.legacy;

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
import io.berth.api.model.Node;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.model.Service;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.Plugin;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import io.berth.plugins.TestCycle;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LegacyPluginsTest {
    private static final Service SERVICE = new Service("default", "s", Labels.of("app", "x"));

    private static void fill(TestCluster cluster, String node, int count) {
        for (int i = 0; i < count; i++) {
            cluster.add(pod(node + i, "app", "x").nodeName(node).build());
        }
    }

    @Nested
    class SelectorSpreading {
        private final TestCluster cluster =
                new TestCluster()
                        .add(
                                zoned("a", "z1").build(),
                                zoned("b", "z1").build(),
                                zoned("c", "z2").build(),
                                SERVICE);

        @Test
        @Tag("LG-3")
        @Tag("LG-4")
        void prefersNodesAndZonesWithFewPods() {
            fill(cluster, "a", 3);
            fill(cluster, "b", 1);
            fill(cluster, "c", 2);
            var run =
                    PluginRun.of(
                            cluster, new SelectorSpread(cluster), pod("p", "app", "x").build());
            assertThat(run.rawScores()).isEqualTo(Map.of("a", 3L, "b", 1L, "c", 2L));
            assertThat(run.scores()).isEqualTo(Map.of("a", 0L, "b", 22L, "c", 44L));
        }

        @Test
        @Tag("LG-3")
        void leavesPodsWithTheirOwnConstraintsAlone() {
            var own =
                    pod(
                            "p",
                            spec().topologySpread(
                                            TopologySpreadConstraint.of(
                                                    1,
                                                    Node.ZONE_LABEL,
                                                    false,
                                                    LabelSelector.EVERYTHING)));
            assertThat(PluginRun.of(cluster, new SelectorSpread(cluster), own).scores()).isNull();
        }

        @Test
        @Tag("LG-4")
        void givesHundredWhereThereIsNothingToSpread() {
            assertThat(
                            PluginRun.of(cluster, new SelectorSpread(cluster), pod("p").build())
                                    .scores())
                    .isEqualTo(Map.of("a", 100L, "b", 100L, "c", 100L));
        }
    }

    @Nested
    @Tag("LG-5")
    class NodeLabels {
        private final TestCluster cluster =
                new TestCluster()
                        .add(
                                node("both", "good", "1", "bad", "").build(),
                                node("good", "good", "2").build(),
                                node("none").build());
        private final NodeLabel plugin =
                new NodeLabel(
                        new NodeLabelArguments(
                                List.of("good"),
                                List.of("bad"),
                                List.of("good", "better"),
                                List.of("bad")));

        @Test
        void mustBePresentOrAbsent() {
            assertThat(PluginRun.of(cluster, plugin, pod("p").build()).filter())
                    .isEqualTo(
                            Map.of(
                                    "both",
                                    NodeLabel.LABELS_DIFFER,
                                    "good",
                                    Verdict.PASS,
                                    "none",
                                    NodeLabel.LABELS_DIFFER));
        }

        @Test
        void mayBePreferred() {
            assertThat(PluginRun.of(cluster, plugin, pod("p").build()).scores())
                    .isEqualTo(Map.of("both", 33L, "good", 66L, "none", 33L));
            var indifferent = new NodeLabel(NodeLabelArguments.DEFAULT);
            assertThat(PluginRun.of(cluster, indifferent, pod("p").build()).scores())
                    .isEqualTo(Map.of("both", 0L, "good", 0L, "none", 0L));
        }

        @Test
        void areReadFromTheFile() {
            assertThat(NodeLabelArguments.parse(Arguments.NONE))
                    .isEqualTo(new NodeLabelArguments(List.of(), List.of(), List.of(), List.of()));
            var bad =
                    new Arguments(
                            Map.of("presentLabels", List.of("x"), "absentLabels", List.of("x")));
            assertThatThrownBy(() -> NodeLabelArguments.parse(bad))
                    .hasMessage(
                            "presentLabels[0]: Invalid value: \"x\": conflict with"
                                    + " absentLabels[0]");
        }

        @Test
        void wakeOnNewLabelsButNotOnTaints() {
            var waiting = pod("p").build();
            var node = node("n").build();
            assertThat(
                            hint(
                                    plugin,
                                    ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_LABEL),
                                    waiting,
                                    node,
                                    node))
                    .isEqualTo(Hint.QUEUE);
            assertThat(
                            hint(
                                    plugin,
                                    ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_TAINT),
                                    waiting,
                                    node,
                                    node))
                    .isEqualTo(Hint.SKIP);
        }
    }

    @Nested
    @Tag("LG-6")
    class AvoidedPods {
        private static Node avoiding(String name, String annotation) {
            return node(name)
                    .annotations(Labels.of(NodePreferAvoidPods.ANNOTATION, annotation))
                    .build();
        }

        private static final String AVOID =
                """
                {"preferAvoidPods": [{"podSignature": {"podController":
                  {"apiVersion": "v1", "kind": "ReplicaSet", "name": "rs", "uid": "u1", "controller": true}},
                  "reason": "some \\u0022reason\\u0022", "n": -1.5e3, "x": null, "l": []}]}
                """;

        private final TestCluster cluster =
                new TestCluster()
                        .add(
                                avoiding("avoids", AVOID),
                                avoiding("broken", AVOID + "}"),
                                node("plain").build());

        private Map<String, Long> scores(String kind, String uid) {
            var pod = pod("p").controller(new Owner("apps/v1", kind, "rs", uid)).build();
            var scores = PluginRun.of(cluster, new NodePreferAvoidPods(), pod).scores();
            return scores == null ? Map.of() : scores;
        }

        @Test
        void scoreNothingOnNodesThatAvoidThem() {
            assertThat(scores("ReplicaSet", "u1"))
                    .isEqualTo(Map.of("avoids", 0L, "broken", 100L, "plain", 100L));
        }

        @Test
        void areOnlyThoseOfTheController() {
            var everywhere = Map.of("avoids", 100L, "broken", 100L, "plain", 100L);
            assertThat(scores("ReplicaSet", "u2")).isEqualTo(everywhere);
            assertThat(scores("StatefulSet", "u1")).isEqualTo(everywhere);
        }
    }

    @Nested
    class ServicesWithAffinity {
        private final TestCluster cluster =
                new TestCluster()
                        .add(
                                node("a", "rack", "1", "row", "x").build(),
                                node("b", "rack", "1", "row", "y").build(),
                                node("c", "rack", "2", "row", "x").build(),
                                SERVICE);
        private final Pod pod = pod("p", "app", "x").build();

        private Plugin plugin(List<String> affinity, List<String> spread) {
            return new ServiceAffinity(new ServiceAffinityArguments(affinity, spread), cluster);
        }

        @Test
        @Tag("LG-7")
        void followsTheFirstPodOfTheService() {
            var plugin = (ServiceAffinity) plugin(List.of("rack"), List.of());
            assertThat(filter(plugin, pod))
                    .isEqualTo(Map.of("a", Verdict.PASS, "b", Verdict.PASS, "c", Verdict.PASS));
            fill(cluster, "a", 1);
            assertThat(filter(plugin, pod))
                    .isEqualTo(
                            Map.of(
                                    "a",
                                    Verdict.PASS,
                                    "b",
                                    Verdict.PASS,
                                    "c",
                                    ServiceAffinity.NOT_MATCHED));
        }

        @Test
        @Tag("LG-7")
        void obeysThePodsOwnSelector() {
            fill(cluster, "a", 1);
            var choosy =
                    pod.toBuilder()
                            .spec(spec().nodeSelector(Labels.of("rack", "2")).build())
                            .build();
            var plugin = (ServiceAffinity) plugin(List.of("rack"), List.of());
            assertThat(filter(plugin, choosy))
                    .isEqualTo(
                            Map.of(
                                    "a",
                                    ServiceAffinity.NOT_MATCHED,
                                    "b",
                                    ServiceAffinity.NOT_MATCHED,
                                    "c",
                                    Verdict.PASS));
        }

        @Test
        @Tag("LG-9")
        void followsADryRun() {
            fill(cluster, "a", 1);
            cluster.state.refresh();
            var plugin = (ServiceAffinity) plugin(List.of("rack"), List.of());
            var cycle = new TestCycle();
            plugin.preFilter(cycle, pod);
            var copy = cycle.copy();
            var other = pod("a0", "app", "x").nodeName("a").build();
            plugin.whatIf().podRemoved(copy, pod, other, cluster.view("a"));
            assertThat(plugin.filter(copy, pod, cluster.view("c"))).isEqualTo(Verdict.PASS);
            assertThat(plugin.filter(cycle, pod, cluster.view("c")))
                    .isEqualTo(ServiceAffinity.NOT_MATCHED);
            plugin.whatIf().podAdded(copy, pod, other, cluster.view("a"));
            assertThat(plugin.filter(copy, pod, cluster.view("c")))
                    .isEqualTo(ServiceAffinity.NOT_MATCHED);
        }

        @Test
        @Tag("LG-8")
        void spreadsOverLabels() {
            fill(cluster, "a", 3);
            fill(cluster, "b", 1);
            var run = PluginRun.of(cluster, plugin(List.of(), List.of("rack", "row")), pod);
            assertThat(run.rawScores()).isEqualTo(Map.of("a", 3L, "b", 1L, "c", 0L));
            assertThat(run.scores()).isEqualTo(Map.of("a", 12L, "b", 37L, "c", 62L));
        }

        @Test
        @Tag("LG-8")
        void serviceOfEveryPodIsNotSpread() {
            fill(cluster, "a", 3);
            cluster.add(new Service("default", "s", Labels.EMPTY));
            var run = PluginRun.of(cluster, plugin(List.of(), List.of("rack")), pod);
            assertThat(run.rawScores()).isEqualTo(Map.of("a", 0L, "b", 0L, "c", 0L));
        }

        @Test
        @Tag("LG-7")
        void wakesOnWhatMayLetThePodsPart() {
            var plugin = (ServiceAffinity) plugin(List.of("rack"), List.of());
            assertThat(wakes(plugin, ClusterEvent.ASSIGNED_POD, Action.DELETE)).isTrue();
            assertThat(wakes(plugin, ClusterEvent.ASSIGNED_POD, Action.UPDATE_POD_LABEL)).isTrue();
            assertThat(wakes(plugin, ClusterEvent.ASSIGNED_POD, Action.ADD)).isFalse();
            assertThat(wakes(plugin, ClusterEvent.NODE, Action.UPDATE_NODE_LABEL)).isTrue();
            assertThat(wakes(plugin, ClusterEvent.NODE, Action.UPDATE_NODE_TAINT)).isFalse();
            assertThat(wakes(plugin, "services.v1.", Action.DELETE)).isTrue();
            assertThat(wakes(plugin, "services.v1.", Action.ADD)).isFalse();
            assertThat(((ServiceAffinity) plugin(List.of(), List.of("rack"))).events()).isEmpty();
        }

        private boolean wakes(ServiceAffinity plugin, String resource, int action) {
            return hint(plugin, ClusterEvent.of(resource, action), pod, null, null) == Hint.QUEUE;
        }

        @Test
        void argumentsAreEmptyByDefault() {
            assertThat(ServiceAffinityArguments.parse(Arguments.NONE))
                    .isEqualTo(new ServiceAffinityArguments(List.of(), List.of()));
        }

        private Map<String, Verdict> filter(ServiceAffinity plugin, Pod of) {
            cluster.state.refresh();
            var cycle = new TestCycle();
            plugin.preFilter(cycle, of);
            return Map.of(
                    "a", plugin.filter(cycle, of, cluster.view("a")),
                    "b", plugin.filter(cycle, of, cluster.view("b")),
                    "c", plugin.filter(cycle, of, cluster.view("c")));
        }
    }
}
