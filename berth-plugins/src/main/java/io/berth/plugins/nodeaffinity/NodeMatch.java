package io.berth.plugins.nodeaffinity;

import io.berth.api.column.LabelColumn;
import io.berth.api.column.NodeColumns;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.spec.NodeSelector;
import java.util.ArrayList;
import java.util.List;

/// A condition on nodes, compiled to the columns. Hot: allocates nothing when asked.
@FunctionalInterface
interface NodeMatch {
    NodeMatch ALWAYS = slot -> true;
    NodeMatch NEVER = slot -> false;

    boolean matches(int slot);

    static NodeMatch of(Labels wanted, NodeColumns columns) {
        var parts = new ArrayList<NodeMatch>();
        wanted.forEach((key, value) -> parts.add(label(Requirement.is(key, value), columns)));
        return all(parts.toArray(NodeMatch[]::new));
    }

    static NodeMatch of(NodeSelector selector, NodeColumns columns) {
        return any(
                selector.terms().stream().map(term -> of(term, columns)).toArray(NodeMatch[]::new));
    }

    static NodeMatch of(NodeSelector.Term term, NodeColumns columns) {
        if (term.expressions().isEmpty() && term.fields().isEmpty() || !term.isSound()) {
            return NEVER;
        }
        List<NodeMatch> parts = new ArrayList<>();
        for (var expression : term.expressions()) {
            parts.add(label(expression, columns));
        }
        for (var field : term.fields()) {
            parts.add(field(field, columns));
        }
        return all(parts.toArray(NodeMatch[]::new));
    }

    private static NodeMatch field(Requirement field, NodeColumns columns) {
        if (!field.key().equals(NodeSelector.Term.NAME_FIELD)) {
            return field.matchesValue("") ? ALWAYS : NEVER;
        }
        return slot -> field.matchesValue(columns.node(slot).name());
    }

    private static NodeMatch label(Requirement requirement, NodeColumns columns) {
        return new LabelMatch(requirement, columns.label(requirement.key()));
    }

    static NodeMatch all(NodeMatch... parts) {
        if (parts.length == 1) {
            return parts[0];
        }
        return slot -> {
            for (var part : parts) {
                if (!part.matches(slot)) {
                    return false;
                }
            }
            return true;
        };
    }

    private static NodeMatch any(NodeMatch... parts) {
        if (parts.length == 1) {
            return parts[0];
        }
        return slot -> {
            for (var part : parts) {
                if (part.matches(slot)) {
                    return true;
                }
            }
            return false;
        };
    }

    /// A requirement as the set of value numbers that meet it. A value that came after this was
    /// made is judged by its text.
    final class LabelMatch implements NodeMatch {
        private final Requirement requirement;
        private final LabelColumn column;
        private final int[] valueIds;
        private final long[] known;
        private final long[] meeting;

        LabelMatch(Requirement requirement, LabelColumn column) {
            this.requirement = requirement;
            this.column = column;
            this.valueIds = column.valueIds();
            int limit = Math.max(1, column.idLimit());
            this.known = new long[(limit + 63) / 64];
            this.meeting = new long[known.length];
            for (int id = 0; id < limit; id++) {
                if (column.isGiven(id)) {
                    known[id >>> 6] |= 1L << id;
                    if (requirement.matchesValue(id == 0 ? null : column.value(id))) {
                        meeting[id >>> 6] |= 1L << id;
                    }
                }
            }
        }

        @Override
        public boolean matches(int slot) {
            int id = valueIds[slot];
            int word = id >>> 6;
            return word < known.length && (known[word] & 1L << id) != 0
                    ? (meeting[word] & 1L << id) != 0
                    : requirement.matchesValue(column.value(id));
        }
    }
}
