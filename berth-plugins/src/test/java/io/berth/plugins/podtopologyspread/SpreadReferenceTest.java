package io.berth.plugins.podtopologyspread;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView;
import io.berth.api.label.Requirement;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.TopologySpreadConstraint;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The kept counts against a recount that follows the contract word by word, while the cluster
/// changes under the plugin.
class SpreadReferenceTest {
    private static PodTopologySpread plugin(RandomCluster random) {
        return new PodTopologySpread(SpreadArguments.DEFAULT, random.cluster);
    }

    @Test
    @Tag("TS-8")
    @Tag("TS-9")
    @Tag("TS-10")
    @Tag("TS-12")
    void filterAgreesWithRecount() {
        Agreement.checkWhileChanging(
                1500,
                6,
                SpreadReferenceTest::plugin,
                (random, plugin) -> compareFilter(random, plugin, random.pod()));
    }

    @Test
    void countsDoNotDriftOverALongLife() {
        Agreement.checkWhileChanging(
                20,
                250,
                SpreadReferenceTest::plugin,
                (random, plugin) -> {
                    var pod = random.pod();
                    compareFilter(random, plugin, pod);
                    compareScore(random, plugin, pod);
                });
    }

    private static void compareFilter(RandomCluster random, PodTopologySpread plugin, Pod pod) {
        var run = PluginRun.of(random.cluster, plugin, pod);
        var reference = Reference.of(pod, random.cluster.nodes().all());
        if (reference == null) {
            assertThat(run.preFilter()).isEqualTo(PreFilterVerdict.SKIP);
        } else {
            run.compareWith(reference, random);
        }
    }

    @Test
    @Tag("TS-13")
    @Tag("TS-14")
    @Tag("TS-15")
    @Tag("TS-16")
    @Tag("TS-17")
    void scoreAgreesWithRecount() {
        Agreement.checkWhileChanging(
                1500,
                6,
                SpreadReferenceTest::plugin,
                (random, plugin) -> compareScore(random, plugin, random.pod()));
    }

    private static void compareScore(RandomCluster random, PodTopologySpread plugin, Pod pod) {
        var run = PluginRun.of(random.cluster, plugin, pod);
        var nodes = random.cluster.nodes().all();
        var feasible = random.feasible();
        if (feasible.isEmpty()) {
            return;
        }
        var constraints = softConstraints(pod, random);
        if (constraints.isEmpty()) {
            assertThat(run.rawScores(feasible)).isNull();
            return;
        }
        boolean requireAll = !pod.spec().topologySpread().isEmpty();
        var raw = rawScores(pod, constraints, requireAll, nodes, feasible);
        assertThat(run.rawScores(feasible)).isEqualTo(raw);
        assertThat(run.scores(feasible))
                .isEqualTo(normalized(raw, constraints, requireAll, feasible));
    }

    private static List<TopologySpreadConstraint> softConstraints(Pod pod, RandomCluster random) {
        if (!pod.spec().topologySpread().isEmpty()) {
            return parsed(pod, false);
        }
        var selector = PlainSelectors.of(pod, random.cluster.objects);
        if (selector.isEmpty()) {
            return List.of();
        }
        return List.of(
                TopologySpreadConstraint.of(3, Node.HOSTNAME_LABEL, false, selector),
                TopologySpreadConstraint.of(5, Node.ZONE_LABEL, false, selector));
    }

    private static Map<String, Long> rawScores(
            Pod pod,
            List<TopologySpreadConstraint> constraints,
            boolean requireAll,
            List<NodeView> nodes,
            List<NodeView> feasible) {
        var counts = new ArrayList<Map<String, Long>>();
        var weights = new double[constraints.size()];
        long ignored = feasible.stream().filter(n -> isIgnored(n, constraints, requireAll)).count();
        for (int i = 0; i < weights.length; i++) {
            var constraint = constraints.get(i);
            var registered = new HashMap<String, Long>();
            counts.add(registered);
            if (constraint.topologyKey().equals(Node.HOSTNAME_LABEL)) {
                weights[i] = Math.log((double) (feasible.size() - ignored + 2));
                continue;
            }
            for (var node : feasible) {
                if (!isIgnored(node, constraints, requireAll)) {
                    registered.put(label(node.node(), constraint.topologyKey()), 0L);
                }
            }
            weights[i] = Math.log(registered.size() + 2);
            for (var node : nodes) {
                var value = label(node.node(), constraint.topologyKey());
                if (!isIgnored(node, constraints, requireAll)
                        && includes(constraint, pod, node.node())
                        && registered.containsKey(value)) {
                    registered.merge(value, count(constraint, pod, node), Long::sum);
                }
            }
        }
        var scores = new LinkedHashMap<String, Long>();
        for (var node : feasible) {
            double sum = 0;
            for (int i = 0; i < weights.length && !isIgnored(node, constraints, requireAll); i++) {
                var constraint = constraints.get(i);
                if (node.node().labels().has(constraint.topologyKey())) {
                    long cnt =
                            constraint.topologyKey().equals(Node.HOSTNAME_LABEL)
                                    ? count(constraint, pod, node)
                                    : Objects.requireNonNull(
                                            counts.get(i)
                                                    .get(
                                                            label(
                                                                    node.node(),
                                                                    constraint.topologyKey())));
                    sum += cnt * weights[i] + (constraint.maxSkew() - 1);
                }
            }
            scores.put(node.name(), (long) Math.floor(sum + 0.5));
        }
        return scores;
    }

    private static Map<String, Long> normalized(
            Map<String, Long> raw,
            List<TopologySpreadConstraint> constraints,
            boolean requireAll,
            List<NodeView> feasible) {
        long min = Long.MAX_VALUE;
        long max = 0;
        for (var node : feasible) {
            if (!isIgnored(node, constraints, requireAll)) {
                min = Math.min(min, raw.getOrDefault(node.name(), 0L));
                max = Math.max(max, raw.getOrDefault(node.name(), 0L));
            }
        }
        var result = new LinkedHashMap<String, Long>();
        for (var node : feasible) {
            long s = raw.getOrDefault(node.name(), 0L);
            result.put(
                    node.name(),
                    isIgnored(node, constraints, requireAll)
                            ? 0
                            : max == 0 ? 100 : 100 * (max + min - s) / max);
        }
        return result;
    }

    private static boolean isIgnored(
            NodeView node, List<TopologySpreadConstraint> constraints, boolean requireAll) {
        return requireAll && !hasAllKeys(node.node(), constraints);
    }

    private static String label(Node node, String key) {
        return Objects.requireNonNullElse(node.labels().value(key), "");
    }

    private static boolean hasAllKeys(Node node, List<TopologySpreadConstraint> constraints) {
        return constraints.stream().allMatch(c -> node.labels().has(c.topologyKey()));
    }

    private static boolean includes(TopologySpreadConstraint constraint, Pod pod, Node node) {
        if (constraint.honorsNodeAffinity()) {
            var selector = pod.spec().nodeSelector();
            var required = pod.spec().affinity().requiredNodes();
            if (selector != null && !PlainSelectors.hasAll(node.labels(), selector)
                    || required != null && !required.matches(node)) {
                return false;
            }
        }
        return !constraint.honorsNodeTaints()
                || node.taints().stream()
                        .filter(taint -> !taint.effect().equals("PreferNoSchedule"))
                        .allMatch(taint ->
                                pod.spec().tolerations().stream()
                                        .anyMatch(t -> t.tolerates(taint)));
    }

    private static long count(TopologySpreadConstraint constraint, Pod pod, NodeView node) {
        return constraint.selector().isEmpty()
                ? 0
                : node.pods().stream()
                        .filter(other -> other.deletedAt() == null)
                        .filter(other -> other.namespace().equals(pod.namespace()))
                        .filter(other -> constraint.selector().matches(other.labels()))
                        .count();
    }

    private static List<TopologySpreadConstraint> parsed(Pod pod, boolean hard) {
        var result = new ArrayList<TopologySpreadConstraint>();
        for (var constraint : pod.spec().topologySpread()) {
            if (constraint.hard() == hard) {
                var selector = constraint.selector();
                for (var key : constraint.matchLabelKeys()) {
                    var value = pod.labels().value(key);
                    if (value != null) {
                        selector = selector.and(Requirement.is(key, value));
                    }
                }
                result.add(
                        new TopologySpreadConstraint(
                                constraint.maxSkew(),
                                constraint.topologyKey(),
                                hard,
                                selector,
                                constraint.minDomains(),
                                constraint.honorsNodeAffinity(),
                                constraint.honorsNodeTaints(),
                                List.of()));
            }
        }
        return result;
    }

    /// Rules TS-8 to TS-12 with strings and maps, critical paths included.
    private static final class Reference implements Recount {
        private final Pod pod;
        private final List<TopologySpreadConstraint> constraints;
        private final List<Map<String, Long>> match = new ArrayList<>();
        private final List<String[]> pathValues = new ArrayList<>();
        private final List<long[]> pathCounts = new ArrayList<>();

        private Reference(Pod pod, List<TopologySpreadConstraint> constraints) {
            this.pod = pod;
            this.constraints = constraints;
        }

        static @Nullable Reference of(Pod pod, List<NodeView> nodes) {
            var constraints = parsed(pod, true);
            if (constraints.isEmpty()) {
                return null;
            }
            var reference = new Reference(pod, constraints);
            for (int i = 0; i < constraints.size(); i++) {
                reference.count(i, nodes);
            }
            return reference;
        }

        private void count(int i, List<NodeView> nodes) {
            var counts = new LinkedHashMap<String, Long>();
            match.add(counts);
            pathValues.add(new String[] {"", ""});
            pathCounts.add(new long[] {Integer.MAX_VALUE, Integer.MAX_VALUE});
            var constraint = constraints.get(i);
            for (var node : nodes) {
                if (hasAllKeys(node.node(), constraints)
                        && includes(constraint, pod, node.node())) {
                    counts.merge(
                            label(node.node(), constraint.topologyKey()),
                            SpreadReferenceTest.count(constraint, pod, node),
                            Long::sum);
                }
            }
            counts.forEach((value, count) -> update(i, value, count));
        }

        private void update(int i, String value, long count) {
            var values = pathValues.get(i);
            var counts = pathCounts.get(i);
            if (value.equals(values[0]) || value.equals(values[1])) {
                counts[value.equals(values[0]) ? 0 : 1] = count;
                if (counts[0] > counts[1]) {
                    var v = values[0];
                    values[0] = values[1];
                    values[1] = v;
                    long c = counts[0];
                    counts[0] = counts[1];
                    counts[1] = c;
                }
            } else if (count < counts[0]) {
                values[1] = values[0];
                counts[1] = counts[0];
                values[0] = value;
                counts[0] = count;
            } else if (count < counts[1]) {
                values[1] = value;
                counts[1] = count;
            }
        }

        @Override
        public void change(Pod other, Node node, int change) {
            if (!other.namespace().equals(pod.namespace()) || !hasAllKeys(node, constraints)) {
                return;
            }
            for (int i = 0; i < constraints.size(); i++) {
                var constraint = constraints.get(i);
                if (constraint.selector().matches(other.labels())
                        && includes(constraint, pod, node)) {
                    var value = label(node, constraint.topologyKey());
                    update(i, value, match.get(i).merge(value, (long) change, Long::sum));
                }
            }
        }

        @Override
        public Verdict verdict(Node node) {
            for (int i = 0; i < constraints.size(); i++) {
                var constraint = constraints.get(i);
                var value = node.labels().value(constraint.topologyKey());
                if (value == null) {
                    return SpreadFilter.LABEL_MISSING;
                }
                long min = match.get(i).size() < constraint.minDomains() ? 0 : pathCounts.get(i)[0];
                long self = constraint.selector().matches(pod.labels()) ? 1 : 0;
                if (match.get(i).getOrDefault(value, 0L) + self - min > constraint.maxSkew()) {
                    return SpreadFilter.TOO_SKEWED;
                }
            }
            return Verdict.PASS;
        }
    }
}
