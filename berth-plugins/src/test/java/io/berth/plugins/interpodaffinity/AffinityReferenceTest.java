package io.berth.plugins.interpodaffinity;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Listers;
import io.berth.api.label.Labels;
import io.berth.api.model.Kind;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.api.spec.Affinity.WeightedPodTerm;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.Agreement;
import io.berth.plugins.PluginRun;
import io.berth.plugins.RandomCluster;
import io.berth.plugins.Recount;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The kept counts against a recount that follows the contract word by word, while the cluster
/// changes under the plugin.
class AffinityReferenceTest {
    private static InterPodAffinity plugin(RandomCluster random) {
        return new InterPodAffinity(InterPodAffinityArguments.DEFAULT, random.cluster);
    }

    @Test
    @Tag("IP-4")
    @Tag("IP-5")
    @Tag("IP-7")
    @Tag("IP-8")
    void filterAgreesWithRecount() {
        Agreement.checkWhileChanging(
                1500,
                6,
                AffinityReferenceTest::plugin,
                (random, plugin) -> compareFilter(random, plugin, random.pod()));
    }

    @Test
    void countsDoNotDriftOverALongLife() {
        Agreement.checkWhileChanging(
                20,
                250,
                AffinityReferenceTest::plugin,
                (random, plugin) -> {
                    var pod = random.pod();
                    compareFilter(random, plugin, pod);
                    compareScore(random, plugin, pod);
                });
    }

    private static void compareFilter(RandomCluster random, InterPodAffinity plugin, Pod pod) {
        var run = PluginRun.of(random.cluster, plugin, pod);
        var reference = Reference.of(pod, random.cluster.nodes().all(), random.cluster.objects);
        if (reference.isSkipped()) {
            assertThat(run.preFilter()).isEqualTo(PreFilterVerdict.SKIP);
        } else {
            run.compareWith(reference, random);
        }
    }

    @Test
    @Tag("IP-9")
    @Tag("IP-10")
    @Tag("IP-11")
    @Tag("IP-12")
    void scoreAgreesWithRecount() {
        Agreement.checkWhileChanging(
                1500,
                6,
                AffinityReferenceTest::plugin,
                (random, plugin) -> compareScore(random, plugin, random.pod()));
    }

    private static void compareScore(RandomCluster random, InterPodAffinity plugin, Pod pod) {
        var run = PluginRun.of(random.cluster, plugin, pod);
        var nodes = random.cluster.nodes().all();
        var feasible = random.feasible();
        if (feasible.isEmpty()) {
            return;
        }
        var sums = sums(pod, nodes, random.cluster.objects);
        if (sums.isEmpty()) {
            assertThat(run.rawScores(feasible)).isNull();
            return;
        }
        var raw = new LinkedHashMap<String, Long>();
        for (var node : feasible) {
            long sum = 0;
            for (var entry : sums.entrySet()) {
                var value = node.node().labels().value(entry.getKey().key());
                if (entry.getKey().value().equals(value)) {
                    sum += entry.getValue();
                }
            }
            raw.put(node.name(), sum);
        }
        assertThat(run.rawScores(feasible)).isEqualTo(raw);
        long min = raw.values().stream().mapToLong(Long::longValue).min().orElseThrow();
        long max = raw.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        raw.replaceAll((name, s) ->
                max == min ? 0 : (long) (100.0 * ((double) (s - min) / (double) (max - min))));
        assertThat(run.scores(feasible)).isEqualTo(raw);
    }

    private record Pair(String key, String value) {}

    private static Map<Pair, Long> sums(Pod pod, List<NodeView> nodes, Listers listers) {
        var sums = new HashMap<Pair, Long>();
        var own = pod.spec().affinity();
        for (var node : nodes) {
            for (var other : node.pods()) {
                for (var term : own.preferredPods()) {
                    addOwn(sums, term, 1, pod, other, node.node(), listers);
                }
                for (var term : own.preferredAntiPods()) {
                    addOwn(sums, term, -1, pod, other, node.node(), listers);
                }
                var theirs = other.spec().affinity();
                for (var term : theirs.requiredPods()) {
                    addTheirs(sums, term, 1, other, pod, node.node(), listers);
                }
                for (var term : theirs.preferredPods()) {
                    addTheirs(sums, term.term(), term.weight(), other, pod, node.node(), listers);
                }
                for (var term : theirs.preferredAntiPods()) {
                    addTheirs(sums, term.term(), -term.weight(), other, pod, node.node(), listers);
                }
            }
        }
        return sums;
    }

    private static void addOwn(
            Map<Pair, Long> sums,
            WeightedPodTerm weighted,
            int sign,
            Pod pod,
            Pod other,
            Node node,
            Listers listers) {
        var value = node.labels().value(weighted.term().topologyKey());
        if (value != null && meansExisting(weighted.term(), pod, other, listers)) {
            sums.merge(
                    new Pair(weighted.term().topologyKey(), value),
                    (long) sign * weighted.weight(),
                    Long::sum);
        }
    }

    private static void addTheirs(
            Map<Pair, Long> sums,
            PodTerm term,
            int weight,
            Pod owner,
            Pod incoming,
            Node node,
            Listers listers) {
        var value = node.labels().value(term.topologyKey());
        if (value != null && meansIncoming(term, owner, incoming, listers)) {
            sums.merge(new Pair(term.topologyKey(), value), (long) weight, Long::sum);
        }
    }

    /// IP-3 as intended: a namespace selector stands for the namespaces that match it now.
    private static boolean meansExisting(PodTerm term, Pod owner, Pod other, Listers listers) {
        if (!term.selector().matches(other.labels())) {
            return false;
        }
        var selector = term.namespaceSelector();
        if (term.namespaces().isEmpty() && selector == null) {
            return other.namespace().equals(owner.namespace());
        }
        return term.namespaces().contains(other.namespace())
                || selector != null && selector.isEmpty()
                || selector != null
                        && listers.of(Kind.NAMESPACE, Namespace.class).all().stream()
                                .anyMatch(namespace ->
                                        namespace.name().equals(other.namespace())
                                                && selector.matches(namespace.labels()));
    }

    private static boolean meansIncoming(PodTerm term, Pod owner, Pod pod, Listers listers) {
        var namespace = listers.of(Kind.NAMESPACE, Namespace.class).get(pod.namespace());
        return term.matches(
                owner.namespace(),
                pod.namespace(),
                namespace == null ? Labels.EMPTY : namespace.labels(),
                pod.labels());
    }

    /// Rules IP-4 to IP-8 with maps of pairs.
    private static final class Reference implements Recount {
        private final Pod pod;
        private final Listers listers;
        private final Map<Pair, Integer> existingAnti = new HashMap<>();
        private final Map<Pair, Integer> affinity = new HashMap<>();
        private final Map<Pair, Integer> anti = new HashMap<>();

        private Reference(Pod pod, Listers listers) {
            this.pod = pod;
            this.listers = listers;
        }

        static Reference of(Pod pod, List<NodeView> nodes, Listers listers) {
            var reference = new Reference(pod, listers);
            for (var node : nodes) {
                for (var other : node.pods()) {
                    reference.change(other, node.node(), 1);
                }
            }
            return reference;
        }

        boolean isSkipped() {
            return existingAnti.isEmpty()
                    && pod.spec().affinity().requiredPods().isEmpty()
                    && pod.spec().affinity().requiredAntiPods().isEmpty();
        }

        @Override
        public void change(Pod other, Node node, int change) {
            for (var term : other.spec().affinity().requiredAntiPods()) {
                if (meansIncoming(term, other, pod, listers)) {
                    add(existingAnti, term, node, change);
                }
            }
            if (matchesAll(other)) {
                for (var term : pod.spec().affinity().requiredPods()) {
                    add(affinity, term, node, change);
                }
            }
            for (var term : pod.spec().affinity().requiredAntiPods()) {
                if (meansExisting(term, pod, other, listers)) {
                    add(anti, term, node, change);
                }
            }
        }

        private boolean matchesAll(Pod other) {
            var terms = pod.spec().affinity().requiredPods();
            return !terms.isEmpty()
                    && terms.stream().allMatch(term -> meansExisting(term, pod, other, listers));
        }

        private static void add(Map<Pair, Integer> counts, PodTerm term, Node node, int change) {
            var value = node.labels().value(term.topologyKey());
            if (value != null) {
                counts.merge(
                        new Pair(term.topologyKey(), value),
                        change,
                        (a, b) -> a + b == 0 ? nothing() : Integer.valueOf(a + b));
            }
        }

        private static @Nullable Integer nothing() {
            return null;
        }

        @Override
        public Verdict verdict(Node node) {
            boolean everywhere = true;
            for (var term : pod.spec().affinity().requiredPods()) {
                var value = node.labels().value(term.topologyKey());
                if (value == null) {
                    return AffinityFilter.AFFINITY;
                }
                everywhere &= affinity.getOrDefault(new Pair(term.topologyKey(), value), 0) > 0;
            }
            if (!everywhere && !(affinity.isEmpty() && matchesAll(pod))) {
                return AffinityFilter.AFFINITY;
            }
            for (var term : pod.spec().affinity().requiredAntiPods()) {
                var value = node.labels().value(term.topologyKey());
                if (value != null
                        && anti.getOrDefault(new Pair(term.topologyKey(), value), 0) > 0) {
                    return AffinityFilter.ANTI_AFFINITY;
                }
            }
            for (var label : node.labels().toMap().entrySet()) {
                if (existingAnti.getOrDefault(new Pair(label.getKey(), label.getValue()), 0) > 0) {
                    return AffinityFilter.EXISTING_ANTI_AFFINITY;
                }
            }
            return Verdict.PASS;
        }
    }
}
