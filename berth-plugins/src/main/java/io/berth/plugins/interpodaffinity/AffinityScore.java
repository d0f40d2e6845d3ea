package io.berth.plugins.interpodaffinity;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotScore;
import io.berth.api.model.Affinity.WeightedPodTerm;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Cycle;
import io.berth.api.plugin.Normalize.Scores;
import io.berth.api.plugin.Score;
import io.berth.plugins.topology.DomainCounts;
import io.berth.plugins.topology.Domains;
import io.berth.plugins.topology.KeptCounts;
import io.berth.plugins.topology.PodQuery;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The preferences that concern one pod, its own and those of existing pods for or against it,
/// added up per domain of each topology key.
final class AffinityScore implements Cycle.Note, SlotScore {
    static final Cycle.Key<AffinityScore> KEY = new Cycle.Key<>(AffinityScore.class);

    private final Map<String, long[]> sums = new LinkedHashMap<>();
    private int[][] domainBySlot = {};
    private long[][] sumByDomain = {};

    private AffinityScore() {}

    static AffinityScore of(
            Pod pod,
            List<ExistingTerm> existing,
            int hardWeight,
            KeptCounts kept,
            NodeColumns columns) {
        var score = new AffinityScore();
        var affinity = pod.spec().affinity();
        score.addOwn(pod, affinity.preferredPods(), 1, kept, columns);
        score.addOwn(pod, affinity.preferredAntiPods(), -1, kept, columns);
        for (int i = 0; i < existing.size(); i++) {
            score.addExisting(existing.get(i), hardWeight, kept, columns);
        }
        score.freeze(columns);
        return score;
    }

    private void addOwn(
            Pod pod, List<WeightedPodTerm> terms, int sign, KeptCounts kept, NodeColumns columns) {
        for (var weighted : terms) {
            var key = weighted.term().topologyKey();
            var query = new PodQuery.AllTerms(List.of(weighted.term()), pod.namespace());
            add(key, kept.counts(query, Domains.by(key)), (long) sign * weighted.weight(), columns);
        }
    }

    private void addExisting(
            ExistingTerm term, int hardWeight, KeptCounts kept, NodeColumns columns) {
        if (term.bySlot().total() == 0) {
            return;
        }
        int weight =
                switch (term.key().kind()) {
                    case REQUIRED -> hardWeight;
                    case PREFERRED -> term.key().weight();
                    case PREFERRED_ANTI -> -term.key().weight();
                    case REQUIRED_ANTI -> 0;
                };
        if (weight != 0) {
            var key = term.key().term().topologyKey();
            add(key, kept.counts(term, Domains.by(key)), weight, columns);
        }
    }

    private void add(String key, DomainCounts counts, long weight, NodeColumns columns) {
        if (counts.total() == 0) {
            return;
        }
        var sum = sums.get(key);
        int size = Math.max(counts.limit(), columns.label(key).idLimit());
        if (sum == null) {
            sum = new long[size];
            sums.put(key, sum);
        } else if (sum.length < size) {
            sum = Arrays.copyOf(sum, size);
            sums.put(key, sum);
        }
        counts.addTo(sum, weight);
    }

    private void freeze(NodeColumns columns) {
        domainBySlot =
                sums.keySet().stream()
                        .map(key -> columns.label(key).valueIds())
                        .toArray(int[][]::new);
        sumByDomain = sums.values().toArray(long[][]::new);
    }

    /// Whether no pod anywhere counts for or against.
    boolean isEmpty() {
        return sums.isEmpty();
    }

    /// Hot.
    @Override
    public long score(int slot) {
        long sum = 0;
        for (int i = 0; i < sumByDomain.length; i++) {
            int domain = domainBySlot[i][slot];
            if (domain != 0) {
                sum += sumByDomain[i][domain];
            }
        }
        return sum;
    }

    /// The smallest becomes 0 and the largest 100. Upstream divides before it multiplies, in
    /// floating point, which decides the last digit (IP-12).
    static void normalize(Scores scores) {
        long[] values = scores.values();
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int i = 0; i < scores.count(); i++) {
            min = Math.min(min, values[i]);
            max = Math.max(max, values[i]);
        }
        double range = (double) (max - min);
        for (int i = 0; i < scores.count(); i++) {
            values[i] = range > 0 ? (long) (Score.MAX * ((double) (values[i] - min) / range)) : 0;
        }
    }

    /// Scores are not asked for in dry runs, so there is nothing to change in a copy.
    @Override
    public Cycle.Note copy() {
        return this;
    }
}
