package io.berth.plugins.podtopologyspread;

import io.berth.api.column.NodeColumns;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Node;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.Normalize.Scores;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotScore;
import io.berth.plugins.topology.KeptCounts;
import io.berth.plugins.topology.SpareArrays;

/// The soft constraints of one pod during one attempt: how many matching pods a node's domains
/// have, weighted so that a key with many domains does not drown one with few.
final class SpreadScore implements Cycle.Note, SlotScore {
    static final Cycle.Key<SpreadScore> KEY = new Cycle.Key<>(SpreadScore.class);

    private final boolean requireAllKeys;
    private boolean someAreIgnored;
    private final int[][] domainBySlot;
    private final boolean[] perNode;
    private final long[][] counts;
    private final double[] weights;
    private final int[] maxSkews;

    private SpreadScore(boolean requireAllKeys, int constraintCount) {
        this.requireAllKeys = requireAllKeys;
        domainBySlot = new int[constraintCount][];
        perNode = new boolean[constraintCount];
        counts = new long[constraintCount][];
        weights = new double[constraintCount];
        maxSkews = new int[constraintCount];
    }

    /// @param spare where counts are kept until the next attempt
    static SpreadScore of(
            SoftConstraints constraints,
            FeasibleNodes feasible,
            KeptCounts kept,
            NodeColumns columns,
            SpareArrays spare) {
        var score = new SpreadScore(constraints.requireAllKeys(), constraints.count());
        for (int i = 0; i < constraints.count(); i++) {
            score.domainBySlot[i] = columns.label(constraints.get(i).topologyKey()).valueIds();
        }
        score.someAreIgnored = constraints.requireAllKeys() && score.lacksALabel(feasible);
        for (int i = 0; i < constraints.count(); i++) {
            score.prepare(i, constraints, feasible, kept, columns, spare);
        }
        return score;
    }

    private void prepare(
            int i,
            SoftConstraints constraints,
            FeasibleNodes feasible,
            KeptCounts kept,
            NodeColumns columns,
            SpareArrays spare) {
        var constraint = constraints.get(i);
        maxSkews[i] = constraint.maxSkew();
        var query = constraints.query(i);
        perNode[i] = constraint.topologyKey().equals(Node.HOSTNAME_LABEL);
        int size;
        if (perNode[i]) {
            // Every node is its own domain, whatever its label says.
            counts[i] = spare.zeroes(i, columns.limit());
            kept.view(query).bySlot().forEach((slot, count) -> counts[i][slot] = count);
            size = countIncluded(feasible);
        } else {
            var column = columns.label(constraint.topologyKey());
            // A label with an empty value and no label at all are one domain upstream.
            int empty = requireAllKeys ? 0 : column.idOf("");
            var sums = kept.counts(query, constraints.domains(i));
            int domainLimit = Math.max(column.idLimit(), empty + 1);
            counts[i] = spare.zeroes(i, domainLimit);
            for (int domain = 0; domain < domainLimit; domain++) {
                counts[i][domain] = sums.get(domain);
            }
            if (empty != 0) {
                counts[i][empty] += counts[i][0];
            }
            size = countDomains(i, feasible, empty, domainLimit);
        }
        weights[i] = StrictMath.log(size + 2);
    }

    private int countIncluded(FeasibleNodes feasible) {
        int count = 0;
        int[] slots = feasible.slots();
        int size = feasible.size();
        for (int n = 0; n < size; n++) {
            if (!isIgnored(slots[n])) {
                count++;
            }
        }
        return count;
    }

    private int countDomains(int i, FeasibleNodes feasible, int empty, int domainLimit) {
        var seen = new boolean[domainLimit];
        int count = 0;
        int[] slots = feasible.slots();
        int size = feasible.size();
        for (int n = 0; n < size; n++) {
            int slot = slots[n];
            if (!isIgnored(slot)) {
                int domain = domainBySlot[i][slot];
                domain = domain == empty ? 0 : domain;
                if (!seen[domain]) {
                    seen[domain] = true;
                    count++;
                }
            }
        }
        return count;
    }

    private boolean lacksALabel(FeasibleNodes feasible) {
        int[] slots = feasible.slots();
        int size = feasible.size();
        for (int n = 0; n < size; n++) {
            if (lacksALabel(slots[n])) {
                return true;
            }
        }
        return false;
    }

    private boolean lacksALabel(int slot) {
        for (var domains : domainBySlot) {
            if (domains[slot] == 0) {
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
        for (int i = 0; i < weights.length; i++) {
            int domain = domainBySlot[i][slot];
            if (domain != 0) {
                long count = counts[i][perNode[i] ? slot : domain];
                sum += count * weights[i] + (maxSkews[i] - 1);
            }
        }
        return Math.round(sum);
    }

    /// Hot: a loop without calls for the usual case, one constraint whose label all nodes have.
    @Override
    public void scoreAll(int[] slots, int count, long[] scores) {
        if (someAreIgnored || weights.length != 1) {
            SlotScore.super.scoreAll(slots, count, scores);
            return;
        }
        int[] domains = domainBySlot[0];
        long[] counted = counts[0];
        boolean byHost = perNode[0];
        double weight = weights[0];
        int skew = maxSkews[0] - 1;
        for (int i = 0; i < count; i++) {
            int slot = slots[i];
            int domain = domains[slot];
            scores[i] =
                    domain == 0 ? 0 : Math.round(counted[byHost ? slot : domain] * weight + skew);
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
