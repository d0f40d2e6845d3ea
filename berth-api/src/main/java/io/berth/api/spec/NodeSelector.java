package io.berth.api.spec;

import io.berth.api.label.Labelled;
import io.berth.api.label.Requirement;
import java.util.List;

/// Which nodes are meant: any of the terms must match.
public record NodeSelector(List<Term> terms) {
    public NodeSelector {
        terms = List.copyOf(terms);
    }

    /// Whether one of the terms matches; without terms nothing does.
    public boolean matches(Labelled node) {
        for (var term : terms) {
            if (term.matches(node)) {
                return true;
            }
        }
        return false;
    }

    /// Whether every term can be understood.
    public boolean isSound() {
        for (var term : terms) {
            if (!term.isSound()) {
                return false;
            }
        }
        return true;
    }

    /// Conditions on a node's labels and fields that must all hold. A term without any matches
    /// nothing.
    public record Term(List<Requirement> expressions, List<Requirement> fields) {
        public static final String NAME_FIELD = "metadata.name";

        public Term {
            expressions = List.copyOf(expressions);
            fields = List.copyOf(fields);
        }

        public boolean matches(Labelled node) {
            if (expressions.isEmpty() && fields.isEmpty() || !isSound()) {
                return false;
            }
            for (var expression : expressions) {
                if (!expression.matches(node.labels())) {
                    return false;
                }
            }
            for (var field : fields) {
                if (!field.matchesValue(field.key().equals(NAME_FIELD) ? node.name() : "")) {
                    return false;
                }
            }
            return true;
        }

        /// Whether the term can be understood at all; an unsound one matches no node (H-8).
        public boolean isSound() {
            for (var expression : expressions) {
                if (!expression.isSound()) {
                    return false;
                }
            }
            for (var field : fields) {
                boolean known =
                        field.operator() == Requirement.Operator.IN
                                || field.operator() == Requirement.Operator.NOT_IN;
                if (!known || field.values().size() != 1) {
                    return false;
                }
            }
            return true;
        }
    }

    /// A term that scoring rewards with its weight.
    public record Preferred(int weight, Term term) {}
}
