package io.berth.engine.search;

import io.berth.api.explain.Choice;
import io.berth.api.explain.Choice.Reason;
import org.jspecify.annotations.Nullable;

/// Picks the node with the best total (rule E-102).
///
/// Among equals upstream takes the root of a binary max-heap built from the list, which is the
/// highest-scoring entry that comes first in the *pre-order* of the implicit tree (entry i has the
/// children 2i+1 and 2i+2). Worked example: totals 1, 1, 9, 9: entry 3 is a child of entry 1, whose
/// whole subtree comes before entry 2, so entry 3 wins.
final class HostChoice {
    private HostChoice() {}

    /// Hot: the index of the winner among the first `count` totals.
    ///
    /// Of one level of the tree the leftmost counts, and of a deeper level only what hangs left of
    /// the best so far. So each level is searched up to its first hit, and of all those that share
    /// the highest total, as most nodes of a young cluster do, hardly any is looked at.
    static int best(long[] totals, int count) {
        long highest = highest(totals, count);
        int best = 0;
        // Entries of the level from `first` on that come before the best; their children, too, lie
        // side by side.
        for (int first = 0, end = 1; first < count; first = 2 * first + 1, end = 2 * end + 1) {
            int hit = indexOf(highest, totals, first, Math.min(end, count));
            if (hit >= 0) {
                best = hit;
                end = hit;
            }
        }
        return best;
    }

    private static long highest(long[] totals, int count) {
        long highest = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            highest = Math.max(highest, totals[i]);
        }
        return highest;
    }

    private static int indexOf(long total, long[] totals, int from, int to) {
        for (int i = from; i < to; i++) {
            if (totals[i] == total) {
                return i;
            }
        }
        return -1;
    }

    /// The same, where chance decides among equals: the higher key wins. Nodes that no extender
    /// scored have the key 0.
    static int best(long[] totals, long[] keys, int count) {
        int best = 0;
        for (int i = 1; i < count; i++) {
            int byTotal = Long.compare(totals[i], totals[best]);
            int order = byTotal != 0 ? byTotal : Long.compare(keys[i], keys[best]);
            if (order > 0 || order == 0 && comesBefore(i, best)) {
                best = i;
            }
        }
        return best;
    }

    /// Says in words why entry `best` was picked.
    static Choice told(String node, int best, long[] totals, long @Nullable [] keys, int count) {
        int ties = 0;
        for (int i = 0; i < count; i++) {
            ties += totals[i] == totals[best] ? 1 : 0;
        }
        return told(node, totals[best], ties, keys != null);
    }

    static Choice told(String node, long total, int ties, boolean byChance) {
        var reason = ties == 1 ? Reason.SCORE : byChance ? Reason.CHANCE : Reason.ORDER;
        return new Choice(node, reason, total, ties);
    }

    /// Whether entry a is visited before entry b. Numbered from 1, an entry's binary digits spell
    /// the path from the root, so both are cut to the same depth and compared.
    static boolean comesBefore(int a, int b) {
        int x = a + 1;
        int y = b + 1;
        int deeper = Integer.numberOfLeadingZeros(y) - Integer.numberOfLeadingZeros(x);
        if (deeper > 0) {
            // a lies deeper: it is before b only if its ancestor is.
            return (x >>> deeper) < y;
        }
        return x <= (y >>> -deeper);
    }
}
