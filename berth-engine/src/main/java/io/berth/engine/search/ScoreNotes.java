package io.berth.engine.search;

import io.berth.api.explain.ScoreSheet;
import io.berth.engine.state.ClusterState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Writes down what the plugins give each node, for those who want to know.
final class ScoreNotes {
    private final List<ScoreSheet.Row> rows = new ArrayList<>();
    private final int count;

    /// @param count how many nodes are scored
    ScoreNotes(int count) {
        this.count = count;
    }

    /// Notes what a plugin gave each node.
    void add(String plugin, long weight, long[] raw, long[] normalized) {
        rows.add(new ScoreSheet.Row(plugin, weight, list(raw, count), list(normalized, count)));
    }

    /// Notes what a plugin gave to all nodes alike.
    void addEqual(String plugin, long weight, long raw, long normalized) {
        var all = new long[count];
        Arrays.fill(all, normalized);
        var before = new long[count];
        Arrays.fill(before, raw);
        add(plugin, weight, before, all);
    }

    ScoreSheet sheet(ClusterState state, int[] slots) {
        return new ScoreSheet(names(state, slots, count), rows);
    }

    static List<String> names(ClusterState state, int[] slots, int count) {
        return Arrays.stream(slots, 0, count).mapToObj(slot -> state.view(slot).name()).toList();
    }

    static List<Long> list(long[] values, int count) {
        return Arrays.stream(values, 0, count).boxed().toList();
    }
}
