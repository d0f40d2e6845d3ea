package io.berth.engine.search;

import io.berth.api.explain.ScoreAnswer;
import io.berth.api.explain.ScoreSheet;
import io.berth.engine.state.ClusterState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Writes down what the plugins give each node, for those who want to know.
final class ScoreNotes {
    private final List<Row> rows = new ArrayList<>();
    private final int count;

    private record Row(String plugin, long weight, long[] raw, long[] normalized) {
        ScoreAnswer answer(int node) {
            return new ScoreAnswer(plugin, raw[node], normalized[node], weight);
        }
    }

    /// @param count how many nodes are scored
    ScoreNotes(int count) {
        this.count = count;
    }

    /// Notes what a plugin gave each node.
    void add(String plugin, long weight, long[] raw, long[] normalized) {
        rows.add(
                new Row(
                        plugin,
                        weight,
                        Arrays.copyOf(raw, count),
                        Arrays.copyOf(normalized, count)));
    }

    /// Notes what a plugin gave to all nodes alike.
    void addEqual(String plugin, long weight, long raw, long normalized) {
        var all = new long[count];
        Arrays.fill(all, normalized);
        var before = new long[count];
        Arrays.fill(before, raw);
        rows.add(new Row(plugin, weight, before, all));
    }

    /// All that was given to one node.
    List<ScoreAnswer> answers(int node) {
        return rows.stream().map(row -> row.answer(node)).toList();
    }

    ScoreSheet sheet(ClusterState state, int[] slots) {
        return new ScoreSheet(
                names(state, slots, count),
                rows.stream()
                        .map(row ->
                                new ScoreSheet.Row(
                                        row.plugin,
                                        row.weight,
                                        list(row.raw, count),
                                        list(row.normalized, count)))
                        .toList());
    }

    static List<String> names(ClusterState state, int[] slots, int count) {
        return Arrays.stream(slots, 0, count).mapToObj(slot -> state.view(slot).name()).toList();
    }

    static List<Long> list(long[] values, int count) {
        return Arrays.stream(values, 0, count).boxed().toList();
    }
}
