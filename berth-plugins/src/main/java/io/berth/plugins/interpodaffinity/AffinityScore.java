package io.berth.plugins.interpodaffinity;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotTrait;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Normalize.Scores;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotScore;
import io.berth.api.spec.Affinity.WeightedPodTerm;
import io.berth.plugins.topology.DomainCounts;
import io.berth.plugins.topology.Domains;
import io.berth.plugins.topology.KeptCounts;
import io.berth.plugins.topology.PodQuery;
import io.berth.plugins.topology.SpareArrays;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The preferences that concern one pod, its own and those of existing pods for or against it,
/// added up per domain of each topology key.
final class AffinityScore implements Cycle.Note, SlotScore {
    static final Cycle.Key<AffinityScore> KEY = new Cycle.Key<>(AffinityScore.class);

    private final SpareArrays spare;
    private final List<DomainSums> keys = new ArrayList<>(2);

    private AffinityScore(SpareArrays spare) {
        this.spare = spare;
    }

    /// @param spare where the sums are kept: they are lost with the next score that uses it
    static AffinityScore of(
            Pod pod,
            List<ExistingTerm> existing,
            int hardWeight,
            KeptCounts kept,
            NodeColumns columns,
            SpareArrays spare) {
        var score = new AffinityScore(spare);
        var affinity = pod.spec().affinity();
        score.addOwn(pod, affinity.preferredPods(), 1, kept, columns);
        score.addOwn(pod, affinity.preferredAntiPods(), -1, kept, columns);
        for (int i = 0; i < existing.size(); i++) {
            score.addExisting(existing.get(i), hardWeight, kept, columns);
        }
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
        var column = columns.label(key);
        for (var known : keys) {
            if (known.isOf(column)) {
                known.add(counts, weight);
                return;
            }
        }
        var sums = new DomainSums(column, keys.size(), spare);
        sums.add(counts, weight);
        keys.add(sums);
    }

    /// Whether no pod anywhere counts for or against.
    boolean isEmpty() {
        return keys.isEmpty();
    }

    @Override
    public List<SlotTrait> traits() {
        var traits = new ArrayList<SlotTrait>(keys.size());
        for (var key : keys) {
            traits.add(key.trait());
        }
        return traits;
    }

    /// Hot.
    @Override
    public long score(int slot) {
        long sum = 0;
        for (int i = 0; i < keys.size(); i++) {
            sum += keys.get(i).of(slot);
        }
        return sum;
    }

    /// Hot.
    @Override
    public void scoreAll(int[] slots, int count, long[] scores) {
        Arrays.fill(scores, 0, count, 0);
        for (int i = 0; i < keys.size(); i++) {
            keys.get(i).addTo(slots, count, scores);
        }
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
