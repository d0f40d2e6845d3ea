package io.berth.plugins.nodeaffinity;

import io.berth.api.label.LabelSyntax;
import io.berth.api.label.Requirement;
import io.berth.api.spec.NodeSelector;
import io.berth.plugins.arguments.Problems;

/// Says what is wrong with the terms of a node selector.
final class TermProblems {
    private TermProblems() {}

    static void add(Problems problems, String path, NodeSelector.Term term) {
        for (int i = 0; i < term.expressions().size(); i++) {
            var expression = term.expressions().get(i);
            addOfExpression(
                    problems,
                    path + ".matchExpressions[" + i + "]",
                    expression,
                    expression.operator().name());
        }
        for (int i = 0; i < term.fields().size(); i++) {
            var field = term.fields().get(i);
            addOfField(problems, path + ".matchFields[" + i + "]", field, field.operator().name());
        }
    }

    /// @param operator as it was written
    static void addOfExpression(
            Problems problems, String path, Requirement expression, String operator) {
        if (expression.operator() == Requirement.Operator.UNKNOWN) {
            problems.unsupported(
                    path + ".operator",
                    operator,
                    "In",
                    "NotIn",
                    "Exists",
                    "DoesNotExist",
                    "Gt",
                    "Lt");
            return;
        }
        var key = expression.key();
        if (!LabelSyntax.isKey(key)) {
            var detail = String.join("; ", LabelSyntax.problemsOfKey(key));
            problems.invalid(path + ".key", key, detail);
        }
        addOfValues(problems, path + ".values", expression);
        for (int i = 0; i < expression.values().size(); i++) {
            var value = expression.values().get(i);
            if (!LabelSyntax.isValue(value)) {
                var detail = String.join("; ", LabelSyntax.problemsOfValue(value));
                problems.invalid(path + ".values[" + i + "][" + key + "]", value, detail);
            }
        }
    }

    private static void addOfValues(Problems problems, String path, Requirement expression) {
        var values = expression.values();
        switch (expression.operator()) {
            case IN, NOT_IN -> {
                if (values.isEmpty()) {
                    problems.invalid(
                            path, values, "for 'in', 'notin' operators, values set can't be empty");
                }
            }
            case EXISTS, DOES_NOT_EXIST -> {
                if (!values.isEmpty()) {
                    problems.invalid(
                            path, values, "values set must be empty for exists and does not exist");
                }
            }
            case GT, LT -> {
                if (values.size() != 1) {
                    problems.invalid(
                            path,
                            values,
                            "for 'Gt', 'Lt' operators, exactly one value is required");
                }
                for (int i = 0; i < values.size(); i++) {
                    if (!Requirement.isInteger(values.get(i))) {
                        problems.invalid(
                                path + "[" + i + "]",
                                values.get(i),
                                "for 'Gt', 'Lt' operators, the value must be an integer");
                    }
                }
            }
            case UNKNOWN -> {}
        }
    }

    /// @param operator as it was written
    static void addOfField(Problems problems, String path, Requirement field, String operator) {
        switch (field.operator()) {
            case IN, NOT_IN -> {
                if (field.values().size() != 1) {
                    problems.invalid(path + ".values", field.values(), "must have one element");
                }
            }
            case EXISTS, DOES_NOT_EXIST, GT, LT, UNKNOWN ->
                    problems.unsupported(path + ".operator", operator, "In", "NotIn");
        }
    }
}
