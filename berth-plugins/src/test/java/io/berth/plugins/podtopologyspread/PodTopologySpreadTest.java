package io.berth.plugins.podtopologyspread;

import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.node;
import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.spec;
import static io.berth.plugins.Samples.zoned;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.model.PodController;
import io.berth.api.model.Service;
import io.berth.api.spec.Taint;
import io.berth.api.spec.Toleration;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodTopologySpreadTest {
    private static final LabelSelector APP_X = LabelSelector.matching("app", "x");
    private static final Verdict TOO_SKEWED = SpreadFilter.TOO_SKEWED;

    private static Pod spreading(TopologySpreadConstraint... constraints) {
        var spec = spec();
        for (var constraint : constraints) {
            spec.topologySpread(constraint);
        }
        return pod("p", spec).toBuilder().labels(Labels.of("app", "x")).build();
    }

    private static TopologySpreadConstraint hard(int maxSkew, int minDomains) {
        return new TopologySpreadConstraint(
                maxSkew, Node.ZONE_LABEL, true, APP_X, minDomains, true, false, List.of());
    }

    private static TopologySpreadConstraint soft(int maxSkew, String key) {
        return TopologySpreadConstraint.of(maxSkew, key, false, APP_X);
    }

    /// One node per zone with so many matching pods.
    private static TestCluster zones(String names, int... counts) {
        var cluster = new TestCluster();
        for (int i = 0; i < counts.length; i++) {
            var zone = names.substring(i, i + 1);
            cluster.add(zoned(zone, zone).build());
            fill(cluster, zone, counts[i]);
        }
        return cluster;
    }

    private static void fill(TestCluster cluster, String node, int count) {
        for (int i = 0; i < count; i++) {
            cluster.add(pod(node + i, "app", "x").nodeName(node).build());
        }
    }

    private static PluginRun run(TestCluster cluster, Pod pod) {
        return PluginRun.of(cluster, new PodTopologySpread(SpreadArguments.DEFAULT, cluster), pod);
    }

    @Nested
    @Tag("TS-10")
    class HardConstraints {
        @Test
        void refuseDomainsThatWouldHaveTooMany() {
            assertThat(run(zones("abc", 2, 1, 0), spreading(hard(1, 1))).filter())
                    .isEqualTo(Map.of("a", TOO_SKEWED, "b", TOO_SKEWED, "c", Verdict.PASS));
            assertThat(run(zones("ab", 2, 2), spreading(hard(1, 1))).filter())
                    .isEqualTo(Map.of("a", Verdict.PASS, "b", Verdict.PASS));
        }

        @Test
        void waitForEnoughDomains() {
            assertThat(run(zones("ab", 2, 2), spreading(hard(1, 3))).filter())
                    .isEqualTo(Map.of("a", TOO_SKEWED, "b", TOO_SKEWED));
        }

        @Test
        void doNotCountAPodThatDoesNotMatchItself() {
            var pod = spreading(hard(1, 1)).toBuilder().labels(Labels.EMPTY).build();
            assertThat(run(zones("ab", 1, 0), pod).filter())
                    .isEqualTo(Map.of("a", Verdict.PASS, "b", Verdict.PASS));
        }

        @Test
        void refuseNodesWithoutTheLabel() {
            var cluster = zones("a", 0).add(node("bare").build());
            assertThat(run(cluster, spreading(hard(1, 1))).filter("bare"))
                    .isEqualTo(SpreadFilter.LABEL_MISSING);
        }

        @Test
        @Tag("TS-6")
        void withEmptySelectorCountNothingButThePodItself() {
            var constraint =
                    TopologySpreadConstraint.of(1, Node.ZONE_LABEL, true, LabelSelector.EVERYTHING);
            assertThat(run(zones("ab", 5, 0), spreading(constraint)).filter())
                    .isEqualTo(Map.of("a", Verdict.PASS, "b", Verdict.PASS));
        }

        @Test
        @Tag("TS-6")
        void doNotCountPodsAboutToGo() {
            var cluster = zones("ab", 1, 0);
            var going = pod("a0", "app", "x").nodeName("a").build();
            cluster.state.updatePod(going, going.toBuilder().deletedAt(Instant.EPOCH).build());
            assertThat(run(cluster, spreading(hard(1, 1))).filter("a")).isEqualTo(Verdict.PASS);
        }

        @Test
        @Tag("TS-11")
        void leaveOutNodesThatThePodExcludes() {
            var cluster = new TestCluster();
            for (var zone : List.of("a", "b", "c")) {
                cluster.add(
                        zoned(zone, zone)
                                .labels(
                                        Labels.of(
                                                Node.ZONE_LABEL,
                                                zone,
                                                "pool",
                                                zone.equals("c") ? "other" : "mine"))
                                .build());
            }
            fill(cluster, "a", 1);
            fill(cluster, "b", 1);
            var spec = spec().nodeSelector(Labels.of("pool", "mine")).topologySpread(hard(1, 1));
            var pod = pod("p", spec).toBuilder().labels(Labels.of("app", "x")).build();
            assertThat(run(cluster, pod).filter())
                    .isEqualTo(Map.of("a", Verdict.PASS, "b", Verdict.PASS, "c", Verdict.PASS));
        }

        @Test
        @Tag("TS-5")
        void leaveOutTaintedNodesOnlyWhereAsked() {
            var taint = new Taint("k", "", Taint.NO_SCHEDULE);
            var cluster =
                    new TestCluster()
                            .add(zoned("a", "a").build(), zoned("b", "b").taint(taint).build());
            fill(cluster, "a", 1);
            assertThat(run(cluster, spreading(hard(1, 1))).filter("a")).isEqualTo(TOO_SKEWED);
            assertThat(run(cluster, spreading(honoringTaints())).filter("a"))
                    .isEqualTo(Verdict.PASS);
            var tolerant =
                    spreading(honoringTaints()).spec().toBuilder()
                            .toleration(new Toleration("k", "Exists", "", ""));
            var pod = pod("p", tolerant).toBuilder().labels(Labels.of("app", "x")).build();
            assertThat(run(cluster, pod).filter("a")).isEqualTo(TOO_SKEWED);
        }

        @ParameterizedTest
        @Tag("H-10")
        @ValueSource(booleans = {false, true})
        void comparedTaintIsToleratedWhereThatFeatureIsOn(boolean isOn) {
            var taint = new Taint("gen", "7", Taint.NO_SCHEDULE);
            var cluster =
                    new TestCluster()
                            .add(zoned("a", "a").build(), zoned("b", "b").taint(taint).build());
            if (isOn) {
                cluster.features.add("TaintTolerationComparisonOperators");
            }
            fill(cluster, "a", 1);
            var tolerant =
                    spreading(honoringTaints()).spec().toBuilder()
                            .toleration(new Toleration("gen", "Gt", "5", ""));
            var pod = pod("p", tolerant).toBuilder().labels(Labels.of("app", "x")).build();
            assertThat(run(cluster, pod).filter("a")).isEqualTo(isOn ? TOO_SKEWED : Verdict.PASS);
        }

        private static TopologySpreadConstraint honoringTaints() {
            return new TopologySpreadConstraint(
                    1, Node.ZONE_LABEL, true, APP_X, 1, true, true, List.of());
        }

        @Test
        @Tag("TS-5")
        void mayIgnoreTheNodeSelector() {
            var cluster = new TestCluster().add(zoned("a", "a").build(), zoned("b", "b").build());
            fill(cluster, "a", 1);
            var ignoring =
                    new TopologySpreadConstraint(
                            1, Node.ZONE_LABEL, true, APP_X, 1, false, false, List.of());
            var selecting = Labels.of(Node.HOSTNAME_LABEL, "a");
            assertThat(run(cluster, selecting(selecting, hard(1, 1))).filter("a"))
                    .isEqualTo(Verdict.PASS);
            assertThat(run(cluster, selecting(selecting, ignoring)).filter("a"))
                    .isEqualTo(TOO_SKEWED);
        }

        private static Pod selecting(Labels nodes, TopologySpreadConstraint constraint) {
            return pod("p", spec().nodeSelector(nodes).topologySpread(constraint)).toBuilder()
                    .labels(Labels.of("app", "x"))
                    .build();
        }

        @Test
        @Tag("TS-4")
        @Tag("H-16")
        void countOnlyPodsOfTheSameRevision() {
            var cluster = zones("ab", 0, 0);
            cluster.add(
                    pod("old", "app", "x", "revision", "1").nodeName("a").build(),
                    pod("new", "app", "x", "revision", "2").nodeName("b").build());
            var constraint =
                    new TopologySpreadConstraint(
                            1,
                            Node.ZONE_LABEL,
                            true,
                            APP_X,
                            1,
                            true,
                            false,
                            List.of("revision", "missing"));
            var pod =
                    spreading(constraint).toBuilder()
                            .labels(Labels.of("app", "x", "revision", "2"))
                            .build();
            assertThat(run(cluster, pod).filter())
                    .isEqualTo(Map.of("a", Verdict.PASS, "b", TOO_SKEWED));
        }

        @Test
        @Tag("TS-4")
        void withoutSelectorCountNothingWhateverTheKeys() {
            var constraint =
                    new TopologySpreadConstraint(
                            1,
                            Node.ZONE_LABEL,
                            true,
                            LabelSelector.NOTHING,
                            1,
                            true,
                            false,
                            List.of("app"));
            assertThat(run(zones("ab", 3, 0), spreading(constraint)).filter("a"))
                    .isEqualTo(Verdict.PASS);
        }

        @Test
        @Tag("TS-7")
        void areSkippedWhereThereAreNone() {
            assertThat(run(zones("a", 1), spreading(soft(1, Node.ZONE_LABEL))).preFilter())
                    .isEqualTo(PreFilterVerdict.SKIP);
        }
    }

    @Nested
    @Tag("TS-16")
    @Tag("TS-17")
    class SoftConstraints {
        @Test
        void preferZonesWithFewPods() {
            var pod = spreading(soft(1, Node.ZONE_LABEL));
            var run = run(zones("abc", 2, 1, 0), pod);
            assertThat(run.rawScores()).isEqualTo(Map.of("a", 3L, "b", 2L, "c", 0L));
            assertThat(run.scores()).isEqualTo(Map.of("a", 0L, "b", 33L, "c", 100L));
            assertThat(run(zones("abc", 2, 1, 0), spreading(soft(5, Node.ZONE_LABEL))).scores())
                    .isEqualTo(Map.of("a", 57L, "b", 71L, "c", 100L));
        }

        @Test
        void preferNodesWithFewPods() {
            var run = run(zones("abc", 4, 2, 3), spreading(soft(1, Node.HOSTNAME_LABEL)));
            assertThat(run.rawScores()).isEqualTo(Map.of("a", 6L, "b", 3L, "c", 5L));
            assertThat(run.scores()).isEqualTo(Map.of("a", 50L, "b", 100L, "c", 66L));
        }

        @Test
        void addUp() {
            var cluster =
                    new TestCluster()
                            .add(
                                    zoned("1", "a").build(),
                                    zoned("2", "a").build(),
                                    zoned("3", "b").build());
            fill(cluster, "1", 2);
            fill(cluster, "2", 1);
            fill(cluster, "3", 1);
            var run =
                    run(cluster, spreading(soft(1, Node.ZONE_LABEL), soft(2, Node.HOSTNAME_LABEL)));
            assertThat(run.rawScores()).isEqualTo(Map.of("1", 8L, "2", 7L, "3", 4L));
            assertThat(run.scores()).isEqualTo(Map.of("1", 50L, "2", 62L, "3", 100L));
        }

        @Test
        @Tag("TS-14")
        void ignoreNodesWithoutTheLabel() {
            var cluster = zones("ab", 3, 1).add(node("bare").build());
            var run = run(cluster, spreading(soft(1, Node.ZONE_LABEL)));
            assertThat(run.rawScores()).isEqualTo(Map.of("a", 4L, "b", 1L, "bare", 0L));
            assertThat(run.scores()).isEqualTo(Map.of("a", 25L, "b", 100L, "bare", 0L));
        }

        @Test
        void giveHundredWhereNothingMatches() {
            assertThat(run(zones("ab", 0, 0), spreading(soft(1, Node.ZONE_LABEL))).scores())
                    .isEqualTo(Map.of("a", 100L, "b", 100L));
        }
    }

    @Nested
    @Tag("TS-2")
    class SystemDefaults {
        private final Pod pod = pod("p", "app", "x").build();
        private final Service service = new Service("default", "s", Labels.of("app", "x"));

        @Test
        void spreadOverNodesAndZones() {
            var cluster =
                    new TestCluster()
                            .add(
                                    zoned("1", "a").build(),
                                    zoned("2", "a").build(),
                                    zoned("3", "b").build(),
                                    zoned("4", "b").build(),
                                    service);
            fill(cluster, "1", 2);
            fill(cluster, "3", 1);
            var run = run(cluster, pod);
            assertThat(run.rawScores()).isEqualTo(Map.of("1", 12L, "2", 9L, "3", 9L, "4", 7L));
            assertThat(run.scores()).isEqualTo(Map.of("1", 58L, "2", 83L, "3", 83L, "4", 100L));
        }

        @Test
        @Tag("TS-14")
        void bearNodesWithoutZone() {
            var cluster =
                    new TestCluster()
                            .add(
                                    zoned("1", "z1").build(),
                                    zoned("2", "z1").build(),
                                    node("3", Node.HOSTNAME_LABEL, "3").build(),
                                    service);
            fill(cluster, "1", 1);
            var run = run(cluster, pod);
            assertThat(run.rawScores()).isEqualTo(Map.of("1", 9L, "2", 7L, "3", 2L));
            assertThat(run.scores()).isEqualTo(Map.of("1", 22L, "2", 44L, "3", 100L));
        }

        @Test
        @Tag("TS-3")
        void needAServiceOrController() {
            var cluster = zones("ab", 1, 0);
            assertThat(run(cluster, pod).scores()).isNull();
        }

        @Test
        @Tag("H-14")
        void takeTheSelectorOfTheReplicaSet() {
            var cluster =
                    zones("ab", 1, 0)
                            .add(new PodController(Kind.REPLICA_SET, "default", "rs", APP_X));
            var owned =
                    pod.toBuilder()
                            .controller(new Owner("apps/v1", "ReplicaSet", "rs", "uid"))
                            .build();
            assertThat(run(cluster, owned).rawScores()).isEqualTo(Map.of("a", 9L, "b", 6L));
            var foreign =
                    pod.toBuilder()
                            .controller(new Owner("other/v1", "ReplicaSet", "rs", "uid"))
                            .build();
            assertThat(run(cluster, foreign).rawScores()).isNull();
        }

        /// Found beside kube-scheduler: there, a replication controller's labels replace those of
        /// the services, while another controller's are asked for in addition.
        @Test
        @Tag("H-14")
        void takeTheReplicationControllersWordBeforeTheServices() {
            var others = LabelSelector.matching("app", "y");
            var cluster =
                    zones("ab", 1, 0)
                            .add(service)
                            .add(
                                    new PodController(
                                            Kind.REPLICATION_CONTROLLER, "default", "rc", others))
                            .add(new PodController(Kind.REPLICA_SET, "default", "rs", others));
            cluster.add(pod("y", "app", "y").nodeName("b").build());
            var byController =
                    pod.toBuilder()
                            .controller(new Owner("v1", "ReplicationController", "rc", "uid"))
                            .build();
            assertThat(run(cluster, byController).rawScores()).isEqualTo(Map.of("a", 6L, "b", 9L));
            var byReplicaSet =
                    pod.toBuilder()
                            .controller(new Owner("apps/v1", "ReplicaSet", "rs", "uid"))
                            .build();
            assertThat(run(cluster, byReplicaSet).rawScores()).isEqualTo(Map.of("a", 6L, "b", 6L));
        }

        @Test
        @Tag("H-14")
        void followServicesThatComeAndGo() {
            var cluster = zones("ab", 1, 0);
            var plugin = new PodTopologySpread(SpreadArguments.DEFAULT, cluster);
            assertThat(PluginRun.of(cluster, plugin, pod).scores()).isNull();
            cluster.add(service);
            assertThat(PluginRun.of(cluster, plugin, pod).scores()).isNotNull();
            cluster.objects.remove(Kind.SERVICE, "default", "s");
            assertThat(PluginRun.of(cluster, plugin, pod).scores()).isNull();
        }
    }

    @Nested
    class Hints {
        private final TestCluster cluster = new TestCluster();
        private final PodTopologySpread plugin =
                new PodTopologySpread(SpreadArguments.DEFAULT, cluster);
        private final Pod waiting = spreading(hard(1, 1));
        private final Pod matching = pod("q", "app", "x").nodeName("a").build();
        private final Pod other = pod("q", "app", "y").nodeName("a").build();

        @Test
        @Tag("TS-18")
        void matchingPodThatComesOrGoesWakes() {
            var added = ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.ADD);
            var deleted = ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.DELETE);
            var relabeled = ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.UPDATE_POD_LABEL);
            assertThat(hint(plugin, added, waiting, null, matching)).isEqualTo(Hint.QUEUE);
            assertThat(hint(plugin, deleted, waiting, matching, null)).isEqualTo(Hint.QUEUE);
            assertThat(hint(plugin, relabeled, waiting, other, matching)).isEqualTo(Hint.QUEUE);
        }

        @Test
        @Tag("TS-18")
        void otherPodsDoNotWake() {
            var added = ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.ADD);
            var relabeled = ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.UPDATE_POD_LABEL);
            assertThat(hint(plugin, added, waiting, null, other)).isEqualTo(Hint.SKIP);
            assertThat(hint(plugin, added, waiting, null, pod("q", "app", "x").build()))
                    .isEqualTo(Hint.SKIP);
            assertThat(
                            hint(
                                    plugin,
                                    added,
                                    waiting,
                                    null,
                                    matching.toBuilder().namespace("else").build()))
                    .isEqualTo(Hint.SKIP);
            assertThat(hint(plugin, relabeled, waiting, matching, matching)).isEqualTo(Hint.SKIP);
        }

        @Test
        @Tag("TS-18")
        void ownTolerationWakesOnlyWhereTaintsCount() {
            var event =
                    ClusterEvent.of(ClusterEvent.UNSCHEDULABLE_POD, Action.UPDATE_POD_TOLERATION);
            var honoring =
                    spreading(
                            new TopologySpreadConstraint(
                                    1, Node.ZONE_LABEL, true, APP_X, 1, true, true, List.of()));
            for (var pod : List.of(honoring, waiting)) {
                var now =
                        pod.toBuilder()
                                .spec(
                                        pod.spec().toBuilder()
                                                .toleration(new Toleration("", "Exists", "", ""))
                                                .build())
                                .build();
                assertThat(hint(plugin, event, now, pod, now))
                        .isEqualTo(pod.equals(honoring) ? Hint.QUEUE : Hint.SKIP);
            }
        }

        @Test
        @Tag("TS-19")
        void nodeOfADomainWakes() {
            var a = zoned("n", "a").build();
            var b = zoned("n", "b").build();
            var bare = node("n").build();
            assertThat(nodes(Action.ADD, null, a)).isEqualTo(Hint.QUEUE);
            assertThat(nodes(Action.DELETE, a, null)).isEqualTo(Hint.QUEUE);
            assertThat(nodes(Action.UPDATE_NODE_LABEL, a, b)).isEqualTo(Hint.QUEUE);
            assertThat(nodes(Action.UPDATE_NODE_LABEL, a, bare)).isEqualTo(Hint.QUEUE);
            var tainted = a.toBuilder().taint(new Taint("k", "", "NoSchedule")).build();
            assertThat(nodes(Action.UPDATE_NODE_TAINT, a, tainted)).isEqualTo(Hint.QUEUE);
        }

        @Test
        @Tag("TS-19")
        void nodeOutsideTheDomainsDoesNotWake() {
            var a = zoned("n", "a").build();
            var bare = node("n").build();
            assertThat(nodes(Action.ADD, null, bare)).isEqualTo(Hint.SKIP);
            assertThat(nodes(Action.DELETE, bare, null)).isEqualTo(Hint.SKIP);
            assertThat(nodes(Action.UPDATE_NODE_LABEL, a, a)).isEqualTo(Hint.SKIP);
        }

        private Hint nodes(
                int action,
                @org.jspecify.annotations.Nullable Node before,
                @org.jspecify.annotations.Nullable Node after) {
            return hint(plugin, ClusterEvent.of(ClusterEvent.NODE, action), waiting, before, after);
        }
    }
}
