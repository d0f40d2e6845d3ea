package io.berth.plugins.nodeaffinity;

import io.berth.api.label.Requirement;
import io.berth.api.label.Requirement.Operator;
import io.berth.api.plugin.Arguments;
import io.berth.api.spec.NodeSelector;
import io.berth.plugins.arguments.ArgumentReader;
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
        var selector = required == null ? null : selector(required);
        var preferred = new ArrayList<NodeSelector.Preferred>();
        var entries = added.objects("preferredDuringSchedulingIgnoredDuringExecution");
        for (int i = 0; i < entries.size(); i++) {
            var path = added.path("preferredDuringSchedulingIgnoredDuringExecution[" + i + "]");
            preferred.add(preferred(entries.get(i), path));
        }
        added.finish();
        return new NodeAffinityArguments(selector, preferred);
    }

    private static NodeSelector selector(ArgumentReader required) {
        var terms = new ArrayList<NodeSelector.Term>();
        var entries = required.objects("nodeSelectorTerms");
        for (int i = 0; i < entries.size(); i++) {
            var path = required.path("nodeSelectorTerms[" + i + "]");
            terms.add(term(entries.get(i), path, required.problems()));
        }
        required.finish();
        return new NodeSelector(terms);
    }

    /// What counts for nothing may be as odd as it likes.
    private static NodeSelector.Preferred preferred(ArgumentReader entry, String path) {
        int weight = entry.integer("weight", 0);
        var preference = entry.object("preference");
        var term =
                preference == null
                        ? new NodeSelector.Term(List.of(), List.of())
                        : term(preference, path, weight == 0 ? new Problems() : entry.problems());
        entry.finish();
        return new NodeSelector.Preferred(weight, term);
    }

    private static NodeSelector.Term term(ArgumentReader reader, String path, Problems problems) {
        var expressions = new ArrayList<Requirement>();
        for (var entry : reader.objects("matchExpressions")) {
            var where = path + ".matchExpressions[" + expressions.size() + "]";
            var operator = entry.text("operator", "");
            var expression = requirement(entry, operator);
            expressions.add(expression);
            TermProblems.addOfExpression(problems, where, expression, operator);
        }
        var fields = new ArrayList<Requirement>();
        for (var entry : reader.objects("matchFields")) {
            var where = path + ".matchFields[" + fields.size() + "]";
            var operator = entry.text("operator", "");
            var field = requirement(entry, operator);
            fields.add(field);
            TermProblems.addOfField(problems, where, field, operator);
        }
        reader.finish();
        return new NodeSelector.Term(expressions, fields);
    }

    private static Requirement requirement(ArgumentReader entry, String operator) {
        var requirement =
                new Requirement(
                        entry.text("key", ""),
                        OPERATORS.getOrDefault(operator, Operator.UNKNOWN),
                        entry.texts("values"));
        entry.finish();
        return requirement;
    }
}
