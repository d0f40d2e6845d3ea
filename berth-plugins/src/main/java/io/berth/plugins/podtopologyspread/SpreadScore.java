package io.berth.plugins.podtopologyspread;

import io.berth.api.column.LabelColumn;
import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotTrait;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Node;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.Normalize.Scores;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotScore;
import io.berth.plugins.topology.HostTraits;
import io.berth.plugins.topology.KeptCounts;
import io.berth.plugins.topology.PodView;
import io.berth.plugins.topology.SpareArrays;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The soft constraints of one pod during one attempt: how many matching pods a node's domains
/// have, weighted so that a key with many domains does not drown one with few.
final class SpreadScore implements Cycle.Note, SlotScore {
    static final Cycle.Key<SpreadScore> KEY = new Cycle.Key<>(SpreadScore.class);

    private final boolean requireAllKeys;
    private final SpareArrays spare;
    private final Part[] parts;
    private boolean someAreIgnored;

    /// One constraint.
    private static final class Part {
        final LabelColumn column;
        final int[] domainBySlot;
        final int maxSkew;

        /// The pods that count where every node is its own domain, whatever its label says.
        final @Nullable PodView onNodes;

        /// By domain; by slot where every node is its own, and there empty until many are scored.
        long[] counts = {};

        double weight;

        Part(LabelColumn column, int maxSkew, @Nullable PodView onNodes) {
            this.column = column;
            this.domainBySlot = column.valueIds();
            this.maxSkew = maxSkew;
            this.onNodes = onNodes;
        }

        SlotTrait trait() {
            return onNodes == null ? column : HostTraits.sum(column, List.of(onNodes), List.of(1L));
        }

        /// Hot.
        long count(int slot, int domain) {
            if (onNodes == null) {
                return counts[domain];
            }
            return counts.length == 0 ? onNodes.bySlot().get(slot) : counts[slot];
        }
    }

    private SpreadScore(boolean requireAllKeys, Part[] parts, SpareArrays spare) {
        this.requireAllKeys = requireAllKeys;
        this.parts = parts;
        this.spare = spare;
    }

    /// @param spare where counts are kept until the next attempt
    static SpreadScore of(
            SoftConstraints constraints,
            FeasibleNodes feasible,
            KeptCounts kept,
            NodeColumns columns,
            SpareArrays spare) {
        var parts = new Part[constraints.count()];
        for (int i = 0; i < parts.length; i++) {
            var constraint = constraints.get(i);
            boolean isPerNode = constraint.topologyKey().equals(Node.HOSTNAME_LABEL);
            parts[i] =
                    new Part(
                            columns.label(constraint.topologyKey()),
                            constraint.maxSkew(),
                            isPerNode ? kept.view(constraints.query(i)) : null);
        }
        var score = new SpreadScore(constraints.requireAllKeys(), parts, spare);
        var sample = feasible.sample(score.traits());
        score.someAreIgnored = constraints.requireAllKeys() && score.lacksALabel(sample);
        for (int i = 0; i < parts.length; i++) {
            int size =
                    parts[i].onNodes == null
                            ? score.countPods(i, constraints, sample, kept)
                            : score.countIncluded(sample);
            parts[i].weight = StrictMath.log(size + 2);
        }
        return score;
    }

    @Override
    public List<SlotTrait> traits() {
        var traits = new ArrayList<SlotTrait>(parts.length);
        for (var part : parts) {
            traits.add(part.trait());
        }
        return traits;
    }

    /// @return how many domains there are
    private int countPods(
            int i, SoftConstraints constraints, FeasibleNodes.Sample sample, KeptCounts kept) {
        var part = parts[i];
        // A label with an empty value and no label at all are one domain upstream.
        int empty = requireAllKeys ? 0 : part.column.idOf("");
        var sums = kept.counts(constraints.query(i), constraints.domains(i));
        int domainLimit = Math.max(part.column.idLimit(), empty + 1);
        part.counts = spare.zeroes(i, domainLimit);
        for (int domain = 0; domain < domainLimit; domain++) {
            part.counts[domain] = sums.get(domain);
        }
        if (empty != 0) {
            part.counts[empty] += part.counts[0];
        }
        return countDomains(part, sample, empty, domainLimit);
    }

    private int countIncluded(FeasibleNodes.Sample sample) {
        int count = 0;
        for (int n = 0; n < sample.count(); n++) {
            if (!isIgnored(sample.slots()[n])) {
                count += sample.standingFor(n);
            }
        }
        return count;
    }

    private int countDomains(Part part, FeasibleNodes.Sample sample, int empty, int domainLimit) {
        var seen = new boolean[domainLimit];
        int count = 0;
        int[] slots = sample.slots();
        int size = sample.count();
        for (int n = 0; n < size; n++) {
            int slot = slots[n];
            if (!isIgnored(slot)) {
                int domain = part.domainBySlot[slot];
                domain = domain == empty ? 0 : domain;
                if (!seen[domain]) {
                    seen[domain] = true;
                    count++;
                }
            }
        }
        return count;
    }

    private boolean lacksALabel(FeasibleNodes.Sample sample) {
        int[] slots = sample.slots();
        int size = sample.count();
        for (int n = 0; n < size; n++) {
            if (lacksALabel(slots[n])) {
                return true;
            }
        }
        return false;
    }

    private boolean lacksALabel(int slot) {
        for (var part : parts) {
            if (part.domainBySlot[slot] == 0) {
                return true;
            }
        }
        return false;
    }

    /// Mostly no node is, and then nothing has to be looked up.
    private boolean isIgnored(int slot) {
        return someAreIgnored && lacksALabel(slot);
    }

    /// Hot. The order of the floating-point operations is upstream's.
    @Override
    public long score(int slot) {
        if (isIgnored(slot)) {
            return 0;
        }
        double sum = 0;
        for (var part : parts) {
            int domain = part.domainBySlot[slot];
            if (domain != 0) {
                sum += part.count(slot, domain) * part.weight + (part.maxSkew - 1);
            }
        }
        return Math.round(sum);
    }

    /// Hot: a loop without calls for the usual case, one constraint whose label all nodes have.
    @Override
    public void scoreAll(int[] slots, int count, long[] scores) {
        for (int i = 0; i < parts.length; i++) {
            listPodsOnNodes(i, count);
        }
        if (someAreIgnored || parts.length != 1 || parts[0].counts.length == 0) {
            SlotScore.super.scoreAll(slots, count, scores);
            return;
        }
        int[] domains = parts[0].domainBySlot;
        long[] counted = parts[0].counts;
        boolean byHost = parts[0].onNodes != null;
        double weight = parts[0].weight;
        int skew = parts[0].maxSkew - 1;
        for (int i = 0; i < count; i++) {
            int slot = slots[i];
            int domain = domains[slot];
            scores[i] =
                    domain == 0 ? 0 : Math.round(counted[byHost ? slot : domain] * weight + skew);
        }
    }

    /// Puts counts by slot into an array, unless so few slots are asked for that it is not worth
    /// it.
    private void listPodsOnNodes(int i, int asked) {
        var part = parts[i];
        if (part.onNodes != null && part.counts.length == 0 && 2 * asked >= part.column.idLimit()) {
            long[] counts = spare.zeroes(i, part.domainBySlot.length);
            part.onNodes.bySlot().forEach((slot, count) -> counts[slot] = count);
            part.counts = counts;
        }
    }

    /// The fewer pods the better: the node with fewest gets 100.
    void normalize(Scores scores) {
        long[] values = scores.values();
        long min = Long.MAX_VALUE;
        long max = 0;
        for (int i = 0; i < scores.count(); i++) {
            if (!isIgnored(scores.slots()[i])) {
                min = Math.min(min, values[i]);
                max = Math.max(max, values[i]);
            }
        }
        for (int i = 0; i < scores.count(); i++) {
            if (isIgnored(scores.slots()[i])) {
                values[i] = 0;
            } else {
                values[i] = max == 0 ? Score.MAX : Normalize.percent(max + min - values[i], max);
            }
        }
    }

    /// Scores are not asked for in dry runs, so there is nothing to change in a copy.
    @Override
    public Cycle.Note copy() {
        return this;
    }
}
