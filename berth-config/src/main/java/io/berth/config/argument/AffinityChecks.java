package io.berth.config.argument;

import io.berth.api.label.LabelSyntax;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Problems;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import java.util.List;

/// Checks the node affinity that a configuration adds to every pod.
final class AffinityChecks {
    private static final List<String> OPERATORS =
            List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");

    private final Problems problems;

    AffinityChecks(Problems problems) {
        this.problems = problems;
    }

    void check(String path, Fields affinity) {
        var required = affinity.fields("requiredDuringSchedulingIgnoredDuringExecution");
        var terms = required.objects("nodeSelectorTerms");
        for (int i = 0; i < terms.size(); i++) {
            term(
                    path
                            + ".requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms["
                            + i
                            + "]",
                    terms.get(i));
        }
        var preferred = affinity.objects("preferredDuringSchedulingIgnoredDuringExecution");
        for (int i = 0; i < preferred.size(); i++) {
            // A weight of 0 takes a preference out, so upstream does not look at it.
            if (preferred.get(i).number("weight", 0) != 0) {
                term(
                        path + ".preferredDuringSchedulingIgnoredDuringExecution[" + i + "]",
                        preferred.get(i).fields("preference"));
            }
        }
    }

    private void term(String path, Fields term) {
        var expressions = term.objects("matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            expression(path + ".matchExpressions[" + i + "]", expressions.get(i));
        }
        var fields = term.objects("matchFields");
        for (int i = 0; i < fields.size(); i++) {
            field(path + ".matchFields[" + i + "]", fields.get(i));
        }
    }

    private void field(String path, Fields field) {
        var operator = field.text("operator", "");
        if (!operator.equals("In") && !operator.equals("NotIn")) {
            problems.unsupported(path + ".operator", operator, List.of("In", "NotIn"));
        } else if (field.items("values").size() != 1) {
            problems.invalidShown(path + ".values", shown(field), "must have one element");
        }
    }

    private void expression(String path, Fields expression) {
        var operator = expression.text("operator", "");
        if (!OPERATORS.contains(operator)) {
            problems.unsupported(path + ".operator", operator, OPERATORS);
            return;
        }
        var key = expression.text("key", "");
        if (!LabelSyntax.isKey(key)) {
            var detail = String.join("; ", LabelSyntax.problemsOfKey(key));
            problems.invalid(path + ".key", key, detail);
        }
        var values = expression.texts("values");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    problems.invalidShown(
                            path + ".values",
                            shown(expression),
                            "for 'in', 'notin' operators, values set can't be empty");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    problems.invalidShown(
                            path + ".values",
                            shown(expression),
                            "values set must be empty for exists and does not exist");
                }
            }
            default -> number(path, expression, values);
        }
        for (int i = 0; i < values.size(); i++) {
            var value = values.get(i);
            if (!LabelSyntax.isValue(value)) {
                var here = "%s.values[%d][%s]".formatted(path, i, key);
                var detail = String.join("; ", LabelSyntax.problemsOfValue(value));
                problems.invalid(here, value, detail);
            }
        }
    }

    private void number(String path, Fields expression, List<String> values) {
        if (values.size() != 1) {
            problems.invalidShown(
                    path + ".values",
                    shown(expression),
                    "for 'Gt', 'Lt' operators, exactly one value is required");
        }
        for (int i = 0; i < values.size(); i++) {
            if (!isNumber(values.get(i))) {
                problems.invalid(
                        path + ".values[" + i + "]",
                        values.get(i),
                        "for 'Gt', 'Lt' operators, the value must be an integer");
            }
        }
    }

    private static boolean isNumber(String text) {
        try {
            Long.parseLong(text);
            return true;
        } catch (NumberFormatException notNumber) {
            return false;
        }
    }

    private static String shown(Fields holder) {
        return JsonWriter.write(Value.of(holder.items("values")));
    }
}
