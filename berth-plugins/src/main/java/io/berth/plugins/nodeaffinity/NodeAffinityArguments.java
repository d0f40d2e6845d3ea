package io.berth.plugins.nodeaffinity;

import io.berth.api.model.NodeSelector;
import io.berth.api.model.Requirement;
import io.berth.api.model.Requirement.Operator;
import io.berth.api.plugin.Arguments;
import io.berth.plugins.arguments.ArgumentReader;
import io.berth.plugins.arguments.LabelNames;
import io.berth.plugins.arguments.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the operator adds to the node affinity of every pod of a profile (`addedAffinity`).
///
/// @param addedRequired null where nothing is required of all pods
public record NodeAffinityArguments(
        @Nullable NodeSelector addedRequired, List<NodeSelector.Preferred> addedPreferred) {
    public static final NodeAffinityArguments DEFAULT = new NodeAffinityArguments(null, List.of());

    private static final Map<String, Operator> OPERATORS =
            Map.of(
                    "In", Operator.IN,
                    "NotIn", Operator.NOT_IN,
                    "Exists", Operator.EXISTS,
                    "DoesNotExist", Operator.DOES_NOT_EXIST,
                    "Gt", Operator.GT,
                    "Lt", Operator.LT);

    public NodeAffinityArguments {
        addedPreferred = List.copyOf(addedPreferred);
    }

    /// @throws IllegalArgumentException where a selector cannot be understood
    public static NodeAffinityArguments parse(Arguments arguments) {
        var reader = ArgumentReader.of(arguments);
        var added = reader.object("addedAffinity");
        var parsed = added == null ? DEFAULT : parse(added);
        reader.finish();
        reader.problems().throwIfAny();
        return parsed;
    }

    private static NodeAffinityArguments parse(ArgumentReader added) {
        var required = added.object("requiredDuringSchedulingIgnoredDuringExecution");
        NodeSelector selector = null;
        if (required != null) {
            selector =
                    new NodeSelector(
                            required.objects("nodeSelectorTerms").stream()
                                    .map(NodeAffinityArguments::term)
                                    .toList());
            required.finish();
        }
        var preferred = new ArrayList<NodeSelector.Preferred>();
        for (var entry : added.objects("preferredDuringSchedulingIgnoredDuringExecution")) {
            int weight = entry.integer("weight", 0);
            var preference = entry.object("preference");
            preferred.add(
                    new NodeSelector.Preferred(
                            weight,
                            preference == null
                                    ? new NodeSelector.Term(List.of(), List.of())
                                    : term(preference)));
            entry.finish();
        }
        added.finish();
        return new NodeAffinityArguments(selector, preferred);
    }

    private static NodeSelector.Term term(ArgumentReader reader) {
        var expressions = new ArrayList<Requirement>();
        for (var entry : reader.objects("matchExpressions")) {
            expressions.add(requirement(entry, false));
        }
        var fields = new ArrayList<Requirement>();
        for (var entry : reader.objects("matchFields")) {
            fields.add(requirement(entry, true));
        }
        reader.finish();
        return new NodeSelector.Term(expressions, fields);
    }

    private static Requirement requirement(ArgumentReader entry, boolean onField) {
        var key = entry.text("key", "");
        var operator = entry.text("operator", "");
        var requirement =
                new Requirement(
                        key,
                        OPERATORS.getOrDefault(operator, Operator.UNKNOWN),
                        entry.texts("values"));
        if (onField) {
            checkField(entry, requirement, operator);
        } else {
            checkExpression(entry, requirement, operator);
        }
        entry.finish();
        return requirement;
    }

    private static void checkField(ArgumentReader entry, Requirement requirement, String operator) {
        var problems = entry.problems();
        switch (requirement.operator()) {
            case IN, NOT_IN -> {
                if (requirement.values().size() != 1) {
                    problems.invalid(
                            entry.path("values"), requirement.values(), "must have one element");
                }
            }
            case EXISTS, DOES_NOT_EXIST, GT, LT, UNKNOWN ->
                    problems.unsupported(entry.path("operator"), operator, "In", "NotIn");
        }
    }

    private static void checkExpression(
            ArgumentReader entry, Requirement requirement, String operator) {
        var problems = entry.problems();
        if (requirement.operator() == Operator.UNKNOWN) {
            problems.unsupported(
                    entry.path("operator"),
                    operator,
                    "In",
                    "NotIn",
                    "Exists",
                    "DoesNotExist",
                    "Gt",
                    "Lt");
            return;
        }
        LabelNames.check(problems, entry.path("key"), requirement.key());
        checkValues(problems, entry.path("values"), requirement);
    }

    private static void checkValues(Problems problems, String path, Requirement requirement) {
        var values = requirement.values();
        switch (requirement.operator()) {
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
                } else if (!values.getFirst().matches("[+-]?[0-9]{1,19}")) {
                    problems.invalid(
                            path + "[0]",
                            values.getFirst(),
                            "for 'Gt', 'Lt' operators, the value must be an integer");
                }
            }
            case UNKNOWN -> {}
        }
    }
}
