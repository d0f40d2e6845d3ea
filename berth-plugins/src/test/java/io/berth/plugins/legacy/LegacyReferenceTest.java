package io.berth.plugins.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.Agreement;
import io.berth.plugins.PlainSelectors;
import io.berth.plugins.PluginRun;
import io.berth.plugins.RandomCluster;
import io.berth.plugins.Recount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The plugins of old releases against plain readings of the contract, while the cluster changes
/// under them.
class LegacyReferenceTest {
    private static final int CLUSTERS = 1500;
    private static final int CHANGES = 6;

    @Test
    @Tag("LG-3")
    @Tag("LG-4")
    @Tag("H-14")
    void selectorSpreadAgreesWithRecount() {
        Agreement.checkWhileChanging(
                CLUSTERS,
                CHANGES,
                random -> new SelectorSpread(random.cluster),
                LegacyReferenceTest::compareSpread);
    }

    private static void compareSpread(RandomCluster random, SelectorSpread plugin) {
        var pod = random.pod();
        var feasible = random.feasible();
        var run = PluginRun.of(random.cluster, plugin, pod);
        if (!pod.spec().topologySpread().isEmpty()) {
            assertThat(run.rawScores(feasible)).isNull();
            return;
        }
        var selector = PlainSelectors.of(pod, random.cluster.objects);
        var raw = new LinkedHashMap<String, Long>();
        for (var node : feasible) {
            raw.put(
                    node.name(),
                    selector.isEmpty()
                            ? 0
                            : count(node, pod, other -> selector.matches(other.labels())));
        }
        assertThat(run.rawScores(feasible)).isEqualTo(raw);
        assertThat(run.scores(feasible)).isEqualTo(spread(feasible, raw));
    }

    /// Pods that spreading counts: of the namespace, and not about to go.
    private static long count(NodeView node, Pod pod, Function<Pod, Boolean> matches) {
        return node.pods().stream()
                .filter(other -> other.namespace().equals(pod.namespace()))
                .filter(other -> other.deletedAt() == null)
                .filter(matches::apply)
                .count();
    }

    private static Map<String, Long> spread(List<NodeView> nodes, Map<String, Long> raw) {
        double maxNode = raw.values().stream().mapToLong(Long::longValue).max().orElse(0);
        var zones = sums(nodes, node -> zone(node.labels()), node -> of(raw, node));
        double maxZone = zones.values().stream().mapToLong(Long::longValue).max().orElse(0);
        var result = new LinkedHashMap<String, Long>();
        for (var node : nodes) {
            double score = maxNode == 0 ? 100 : 100 * ((maxNode - of(raw, node)) / maxNode);
            var zone = zone(node.node().labels());
            if (zone != null) {
                double inZone = Objects.requireNonNull(zones.get(zone));
                double zoneScore = maxZone == 0 ? 100 : 100 * ((maxZone - inZone) / maxZone);
                score = score * (1 - 2.0 / 3.0) + 2.0 / 3.0 * zoneScore;
            }
            result.put(node.name(), (long) score);
        }
        return result;
    }

    private static long of(Map<String, Long> scores, NodeView node) {
        return Objects.requireNonNull(scores.get(node.name()));
    }

    private static Map<String, Long> sums(
            List<NodeView> nodes,
            Function<Node, @Nullable String> group,
            ToLongFunction<NodeView> score) {
        var sums = new HashMap<String, Long>();
        for (var node : nodes) {
            var key = group.apply(node.node());
            if (key != null) {
                sums.merge(key, score.applyAsLong(node), Long::sum);
            }
        }
        return sums;
    }

    private static @Nullable String zone(Labels labels) {
        var map = labels.toMap();
        var region =
                map.getOrDefault(
                        "failure-domain.beta.kubernetes.io/region",
                        map.getOrDefault("topology.kubernetes.io/region", ""));
        var zone =
                map.getOrDefault(
                        "failure-domain.beta.kubernetes.io/zone",
                        map.getOrDefault("topology.kubernetes.io/zone", ""));
        return region.isEmpty() && zone.isEmpty() ? null : region + ":\0:" + zone;
    }

    @Test
    @Tag("LG-5")
    void nodeLabelAgreesWithPlainReading() {
        Agreement.checkWhileChanging(
                CLUSTERS,
                CHANGES,
                random ->
                        new NodeLabelArguments(
                                keys(random), keys(random), keys(random), keys(random)),
                LegacyReferenceTest::compareLabels);
    }

    /// Some keys, perhaps one twice.
    private static List<String> keys(RandomCluster random) {
        var keys = new ArrayList<String>();
        for (int i = random.random.nextInt(3); i > 0; i--) {
            keys.add(random.oneOf("disk", "cores", Node.ZONE_LABEL, "none"));
        }
        return keys;
    }

    private static void compareLabels(RandomCluster random, NodeLabelArguments arguments) {
        var run = PluginRun.of(random.cluster, new NodeLabel(arguments), random.pod());
        var verdicts = new LinkedHashMap<String, Verdict>();
        var scores = new LinkedHashMap<String, Long>();
        for (var view : random.cluster.nodes().all()) {
            var labels = view.node().labels();
            boolean fits =
                    arguments.presentLabels().stream().allMatch(labels::has)
                            && arguments.absentLabels().stream().noneMatch(labels::has);
            verdicts.put(view.name(), fits ? Verdict.PASS : NodeLabel.LABELS_DIFFER);
            long met =
                    arguments.presentLabelsPreference().stream().filter(labels::has).count()
                            + arguments.absentLabelsPreference().stream()
                                    .filter(key -> !labels.has(key))
                                    .count();
            int wishes =
                    arguments.presentLabelsPreference().size()
                            + arguments.absentLabelsPreference().size();
            scores.put(view.name(), wishes == 0 ? 0 : 100 * met / wishes);
        }
        assertThat(run.filter()).isEqualTo(verdicts);
        assertThat(run.scores()).isEqualTo(scores);
    }

    @Test
    @Tag("LG-6")
    void nodePreferAvoidPodsAgreesWithPlainReading() {
        Agreement.checkWhileChanging(
                CLUSTERS,
                CHANGES,
                random -> new NodePreferAvoidPods(),
                (random, plugin) -> {
                    var pod = random.pod();
                    var scores = new LinkedHashMap<String, Long>();
                    for (var view : random.cluster.nodes().all()) {
                        scores.put(view.name(), isAvoided(pod, view.node()) ? 0L : 100L);
                    }
                    assertThat(PluginRun.of(random.cluster, plugin, pod).scores())
                            .isEqualTo(scores);
                });
    }

    /// The cluster writes each annotation in one way, or cuts it off.
    private static boolean isAvoided(Pod pod, Node node) {
        var annotation = node.annotations().value("scheduler.alpha.kubernetes.io/preferAvoidPods");
        var owner = pod.controller();
        return annotation != null
                && annotation.endsWith("]}")
                && owner != null
                && (owner.kind().equals("ReplicationController")
                        || owner.kind().equals("ReplicaSet"))
                && annotation.contains(
                        RandomCluster.AVOIDED_CONTROLLER.formatted(owner.kind(), owner.uid()));
    }

    private record Service(ServiceAffinityArguments arguments, ServiceAffinity plugin) {
        static Service on(RandomCluster random) {
            var arguments = new ServiceAffinityArguments(keys(random), keys(random));
            return new Service(arguments, new ServiceAffinity(arguments, random.cluster));
        }
    }

    @Test
    @Tag("LG-7")
    @Tag("LG-9")
    void serviceAffinityAgreesWithRecount() {
        Agreement.checkWhileChanging(
                CLUSTERS,
                CHANGES,
                Service::on,
                (random, service) -> {
                    var pod = random.pod();
                    var run = PluginRun.of(random.cluster, service.plugin, pod);
                    if (service.arguments.affinityLabels().isEmpty()) {
                        assertThat(run.preFilter()).isEqualTo(PreFilterVerdict.SKIP);
                    } else {
                        run.compareWith(new Company(service.arguments, pod, random), random);
                    }
                });
    }

    /// Rules LG-7 and LG-9: where the pods like this one are, in the order of the nodes.
    private static final class Company implements Recount {
        private record Member(Pod pod, Node node) {}

        private final ServiceAffinityArguments arguments;
        private final Pod pod;
        private final boolean hasServices;
        private final List<Member> members = new ArrayList<>();

        Company(ServiceAffinityArguments arguments, Pod pod, RandomCluster random) {
            this.arguments = arguments;
            this.pod = pod;
            this.hasServices = !PlainSelectors.services(pod, random.cluster.objects).isEmpty();
            for (var view : random.cluster.nodes().all()) {
                view.pods().forEach(other -> change(other, view.node(), 1));
            }
        }

        @Override
        public void change(Pod other, Node node, int change) {
            if (change < 0) {
                members.removeIf(member -> member.pod.key().equals(other.key()));
            } else if (other.namespace().equals(pod.namespace())
                    && PlainSelectors.hasAll(other.labels(), pod.labels())) {
                members.add(new Member(other, node));
            }
        }

        @Override
        public Verdict verdict(Node node) {
            for (var key : arguments.affinityLabels()) {
                var wanted = wanted(key);
                if (wanted != null && !wanted.equals(node.labels().value(key))) {
                    return ServiceAffinity.NOT_MATCHED;
                }
            }
            return Verdict.PASS;
        }

        private @Nullable String wanted(String key) {
            var selector = pod.spec().nodeSelector();
            if (selector != null && selector.has(key)) {
                return selector.value(key);
            }
            return hasServices && !members.isEmpty()
                    ? members.getFirst().node.labels().value(key)
                    : null;
        }
    }

    @Test
    @Tag("LG-8")
    void serviceSpreadingAgreesWithRecount() {
        Agreement.checkWhileChanging(
                CLUSTERS, CHANGES, Service::on, LegacyReferenceTest::compareServiceScore);
    }

    private static void compareServiceScore(RandomCluster random, Service service) {
        var pod = random.pod();
        var feasible = random.feasible();
        var services = PlainSelectors.services(pod, random.cluster.objects);
        var selector = services.isEmpty() ? null : services.getFirst().selector();
        var raw = new LinkedHashMap<String, Long>();
        for (var node : feasible) {
            raw.put(
                    node.name(),
                    selector == null || selector.isEmpty()
                            ? 0
                            : count(
                                    node,
                                    pod,
                                    other -> PlainSelectors.hasAll(other.labels(), selector)));
        }
        var run = PluginRun.of(random.cluster, service.plugin, pod);
        assertThat(run.rawScores(feasible)).isEqualTo(raw);
        assertThat(run.scores(feasible)).isEqualTo(overLabels(service.arguments, feasible, raw));
    }

    private static Map<String, Long> overLabels(
            ServiceAffinityArguments arguments, List<NodeView> nodes, Map<String, Long> raw) {
        var keys = arguments.antiAffinityLabelsPreference();
        double total = raw.values().stream().mapToLong(Long::longValue).sum();
        var result = new LinkedHashMap<String, Long>();
        for (var node : nodes) {
            double sum = 0;
            for (var key : keys) {
                var value = node.node().labels().value(key);
                if (value != null) {
                    double here =
                            Objects.requireNonNull(
                                    sums(nodes, n -> n.labels().value(key), n -> of(raw, n))
                                            .get(value));
                    double score = total == 0 ? 100 : 100 * ((total - here) / total);
                    sum += score / keys.size();
                }
            }
            result.put(node.name(), (long) sum);
        }
        return result;
    }
}
