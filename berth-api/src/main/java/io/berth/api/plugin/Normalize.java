package io.berth.api.plugin;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;

/// Brings a plugin's raw scores of all feasible nodes into the range from 0 to 100.
public interface Normalize extends Score {
    /// What comes out must follow from the raw scores alone (and from the plugin's notes, for a
    /// plugin that is not node-local); nodes with equal raw scores stay equal.
    void normalize(Cycle cycle, Pod pod, Scores scores);

    /// The scores of one plugin, in the order of the feasible nodes. The array may be longer than
    /// `count`; what lies beyond has no meaning.
    ///
    /// @param slots the nodes' slots
    /// @param values the scores, to be changed in place
    record Scores(int[] slots, long[] values, int count) {}

    /// The usual way: the largest becomes 100, the others follow in proportion (rule H-12). All
    /// zero stays so, or becomes 100 where little is good.
    static void proportionally(Scores scores, boolean reverse) {
        long[] values = scores.values();
        int count = scores.count();
        long max = 0;
        for (int i = 0; i < count; i++) {
            max = Math.max(max, values[i]);
        }
        if (max == 0) {
            if (reverse) {
                java.util.Arrays.fill(values, 0, count, MAX);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            long scaled = percent(values[i], max);
            values[i] = reverse ? MAX - scaled : scaled;
        }
    }

    /// `100 * part / whole`, cut off toward zero. A division of doubles takes a fraction of the
    /// time of one of longs, and is exact while the numbers have fewer bits than a double's
    /// fraction: quotients that are no whole numbers are then too far from one to be rounded to it.
    static long percent(long part, long whole) {
        long hundredfold = MAX * part;
        return Math.abs(hundredfold) < 1L << 52 && whole < 1L << 52
                ? (long) ((double) hundredfold / (double) whole)
                : hundredfold / whole;
    }
}
