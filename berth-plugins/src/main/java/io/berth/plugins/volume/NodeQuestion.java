package io.berth.plugins.volume;

import io.berth.api.column.LabelColumn;
import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotTrait;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Requirement;
import io.berth.api.spec.NodeSelector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A condition on the labels of nodes, compiled to the columns for one attempt. Unlike a pod's
/// affinity it is made anew for every volume, so making it is cheap, however many values a label
/// has. Hot: allocates nothing when asked.
public interface NodeQuestion {
    /// A label with more values than this tells too many nodes apart to go by.
    int MOST_VALUES = 32;

    boolean matches(int slot);

    /// All that the answer goes by; null where that is too much, see
    /// [io.berth.api.plugin.SlotJudge#traits].
    @Nullable List<SlotTrait> traits();

    /// The same of several; null where it is too much for one of them.
    static @Nullable List<SlotTrait> traits(List<NodeQuestion> questions) {
        var all = new ArrayList<SlotTrait>(questions.size());
        for (var question : questions) {
            var traits = question.traits();
            if (traits == null) {
                return null;
            }
            all.addAll(traits);
        }
        return all;
    }

    /// A label as a trait; null where it has too many values.
    private static @Nullable List<SlotTrait> traits(LabelColumn column) {
        return column.idLimit() > MOST_VALUES ? null : List.of(column);
    }

    /// Moves those of the first `count` slots that match to the front, in their order. Hot.
    ///
    /// @return how many match
    default int retain(int[] slots, int count) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int slot = slots[i];
            if (matches(slot)) {
                slots[kept++] = slot;
            }
        }
        return kept;
    }

    /// Any of the terms; their fields are asked of a node without a name, as upstream does with
    /// volumes (VB-6).
    static NodeQuestion of(NodeSelector selector, NodeColumns columns) {
        var terms = selector.terms();
        if (terms.size() == 1) {
            return of(terms.getFirst(), columns);
        }
        var questions = new ArrayList<NodeQuestion>(terms.size());
        for (var term : terms) {
            var question = of(term, columns);
            if (!question.equals(Settled.NEVER)) {
                questions.add(question);
            }
        }
        return switch (questions.size()) {
            case 0 -> Settled.NEVER;
            case 1 -> questions.getFirst();
            default -> new Any(questions.toArray(NodeQuestion[]::new));
        };
    }

    private static NodeQuestion of(NodeSelector.Term term, NodeColumns columns) {
        boolean isEmpty = term.expressions().isEmpty() && term.fields().isEmpty();
        if (isEmpty || !term.isSound()) {
            return Settled.NEVER;
        }
        for (var field : term.fields()) {
            if (!field.matchesValue("")) {
                return Settled.NEVER;
            }
        }
        return all(term.expressions(), columns);
    }

    /// All requirements of a selector.
    static NodeQuestion of(LabelSelector selector, NodeColumns columns) {
        return selector.matchesNothing() || selector.problem() != null
                ? Settled.NEVER
                : all(selector.requirements(), columns);
    }

    private static NodeQuestion all(List<Requirement> requirements, NodeColumns columns) {
        if (requirements.isEmpty()) {
            return Settled.ALWAYS;
        }
        var parts = new NodeQuestion[requirements.size()];
        for (int i = 0; i < parts.length; i++) {
            var requirement = requirements.get(i);
            parts[i] = of(requirement, columns.label(requirement.key()));
        }
        return parts.length == 1 ? parts[0] : new All(parts);
    }

    private static NodeQuestion of(Requirement requirement, LabelColumn column) {
        if (requirement.operator() != Requirement.Operator.IN) {
            return new ByText(requirement, column);
        }
        int[] ids = new int[requirement.values().size()];
        int count = 0;
        for (var value : requirement.values()) {
            int id = column.idOf(value);
            if (id > 0) {
                ids[count++] = id;
            }
        }
        return switch (count) {
            case 0 -> Settled.NEVER;
            case 1 -> new One(column, ids[0]);
            default -> new Among(column, Arrays.copyOf(ids, count));
        };
    }

    /// The same for all nodes.
    enum Settled implements NodeQuestion {
        ALWAYS,
        NEVER;

        @Override
        public boolean matches(int slot) {
            return this == ALWAYS;
        }

        @Override
        public List<SlotTrait> traits() {
            return List.of();
        }
    }

    /// One value.
    final class One implements NodeQuestion {
        private final LabelColumn column;
        private final int[] valueIds;
        private final int id;

        One(LabelColumn column, int id) {
            this.column = column;
            this.valueIds = column.valueIds();
            this.id = id;
        }

        @Override
        public @Nullable List<SlotTrait> traits() {
            return NodeQuestion.traits(column);
        }

        @Override
        public boolean matches(int slot) {
            return valueIds[slot] == id;
        }

        @Override
        public int retain(int[] slots, int count) {
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int slot = slots[i];
                slots[kept] = slot;
                kept += valueIds[slot] == id ? 1 : 0;
            }
            return kept;
        }
    }

    /// One of a few values.
    final class Among implements NodeQuestion {
        private final LabelColumn column;
        private final int[] valueIds;
        private final int[] ids;

        Among(LabelColumn column, int[] ids) {
            this.column = column;
            this.valueIds = column.valueIds();
            this.ids = ids;
        }

        @Override
        public @Nullable List<SlotTrait> traits() {
            return NodeQuestion.traits(column);
        }

        @Override
        public boolean matches(int slot) {
            for (int id : ids) {
                if (valueIds[slot] == id) {
                    return true;
                }
            }
            return false;
        }
    }

    /// Anything else that can be asked of a label.
    final class ByText implements NodeQuestion {
        private final Requirement requirement;
        private final LabelColumn column;
        private final int[] valueIds;

        ByText(Requirement requirement, LabelColumn column) {
            this.requirement = requirement;
            this.column = column;
            this.valueIds = column.valueIds();
        }

        @Override
        public @Nullable List<SlotTrait> traits() {
            return NodeQuestion.traits(column);
        }

        @Override
        public boolean matches(int slot) {
            int id = valueIds[slot];
            return requirement.matchesValue(id == 0 ? null : column.value(id));
        }
    }

    /// All of several.
    final class All implements NodeQuestion {
        private final NodeQuestion[] parts;

        All(NodeQuestion[] parts) {
            this.parts = parts;
        }

        @Override
        public @Nullable List<SlotTrait> traits() {
            return NodeQuestion.traits(List.of(parts));
        }

        @Override
        public boolean matches(int slot) {
            for (var part : parts) {
                if (!part.matches(slot)) {
                    return false;
                }
            }
            return true;
        }
    }

    /// Any of several.
    final class Any implements NodeQuestion {
        private final NodeQuestion[] parts;

        Any(NodeQuestion[] parts) {
            this.parts = parts;
        }

        @Override
        public @Nullable List<SlotTrait> traits() {
            return NodeQuestion.traits(List.of(parts));
        }

        @Override
        public boolean matches(int slot) {
            for (var part : parts) {
                if (part.matches(slot)) {
                    return true;
                }
            }
            return false;
        }
    }
}
