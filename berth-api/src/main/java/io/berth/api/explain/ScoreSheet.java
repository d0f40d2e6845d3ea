package io.berth.api.explain;

import java.util.List;

/// The scores of one attempt: each plugin's for each node that was scored.
///
/// @param nodes names, in the order of scoring
/// @param rows one per plugin that took part, in the order of the profile
public record ScoreSheet(List<String> nodes, List<Row> rows) {
    public ScoreSheet {
        nodes = List.copyOf(nodes);
        rows = List.copyOf(rows);
    }

    /// What one plugin gave each node.
    ///
    /// @param raw before normalising
    public record Row(String plugin, long weight, List<Long> raw, List<Long> normalized) {
        public Row {
            raw = List.copyOf(raw);
            normalized = List.copyOf(normalized);
        }

        public ScoreAnswer answer(int node) {
            return new ScoreAnswer(plugin, raw.get(node), normalized.get(node), weight);
        }
    }

    /// All that was given to one node.
    public List<ScoreAnswer> answers(int node) {
        return rows.stream().map(row -> row.answer(node)).toList();
    }
}
