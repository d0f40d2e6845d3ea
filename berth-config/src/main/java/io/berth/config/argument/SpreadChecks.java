package io.berth.config.argument;

import io.berth.api.label.LabelSyntax;
import io.berth.config.text.Problems;
import io.berth.config.text.Value.Fields;
import java.util.HashSet;
import java.util.List;

/// Checks the arguments of PodTopologySpread.
final class SpreadChecks {
    private static final List<String> ACTIONS = List.of("DoNotSchedule", "ScheduleAnyway");

    private final Problems problems;

    SpreadChecks(Problems problems) {
        this.problems = problems;
    }

    void check(String path, Fields args) {
        var constraints = args.objects("defaultConstraints");
        var type = args.text("defaultingType", "");
        if (!type.equals("System") && !type.equals("List")) {
            problems.unsupported(path + ".defaultingType", type, List.of("System", "List"));
        } else if (type.equals("System") && !constraints.isEmpty()) {
            problems.invalid(
                    path + ".defaultingType", type, "when .defaultConstraints are not empty");
        }
        var seen = new HashSet<String>();
        for (int i = 0; i < constraints.size(); i++) {
            var here = path + ".defaultConstraints[" + i + "]";
            constraint(here, constraints.get(i));
            var pair =
                    "{%s, %s}"
                            .formatted(
                                    constraints.get(i).text("topologyKey", ""),
                                    constraints.get(i).text("whenUnsatisfiable", ""));
            if (!seen.add(pair)) {
                problems.duplicate(here, pair);
            }
        }
    }

    private void constraint(String path, Fields constraint) {
        long maxSkew = constraint.number("maxSkew", 0);
        if (maxSkew <= 0) {
            problems.invalid(path + ".maxSkew", maxSkew, "not in valid range (0, inf)");
        }
        var key = constraint.text("topologyKey", "");
        if (key.isEmpty()) {
            problems.required(path + ".topologyKey", "can not be empty");
        } else {
            LabelSyntax.problemsOfKey(key)
                    .forEach(detail -> problems.invalid(path + ".topologyKey", key, detail));
        }
        var action = constraint.text("whenUnsatisfiable", "");
        if (action.isEmpty()) {
            problems.required(path + ".whenUnsatisfiable", "can not be empty");
        } else if (!ACTIONS.contains(action)) {
            problems.unsupported(path + ".whenUnsatisfiable", action, ACTIONS);
        }
        if (constraint.has("labelSelector")) {
            problems.forbidden(
                    path + ".labelSelector",
                    "constraint must not define a selector, as they deduced for each pod");
        }
    }
}
