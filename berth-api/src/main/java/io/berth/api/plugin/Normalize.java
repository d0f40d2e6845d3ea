package io.berth.api.plugin;

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
            long scaled = MAX * values[i] / max;
            values[i] = reverse ? MAX - scaled : scaled;
        }
    }
}
