package io.berth.plugins.podtopologyspread;

import io.berth.api.label.LabelSelector;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.plugin.Arguments;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.plugins.arguments.ArgumentReader;
import io.berth.plugins.topology.DefaultSelectors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// How pods are spread that state no constraints of their own.
///
/// @param systemDefaults whether the built-in constraints apply; the operator's list otherwise
public record SpreadArguments(
        boolean systemDefaults, List<TopologySpreadConstraint> defaultConstraints) {
    /// Spread over nodes and, more loosely, over zones. Never keeps a pod from being placed.
    private static final List<TopologySpreadConstraint> SYSTEM =
            List.of(
                    TopologySpreadConstraint.of(
                            3, Node.HOSTNAME_LABEL, false, LabelSelector.NOTHING),
                    TopologySpreadConstraint.of(5, Node.ZONE_LABEL, false, LabelSelector.NOTHING));

    public static final SpreadArguments DEFAULT = new SpreadArguments(true, SYSTEM);

    private static final String HARD = "DoNotSchedule";
    private static final String SOFT = "ScheduleAnyway";

    public SpreadArguments {
        defaultConstraints = List.copyOf(defaultConstraints);
    }

    /// Only default constraints ask which workload a pod belongs to.
    public Set<Kind> kinds() {
        return defaultConstraints.isEmpty() ? Set.of() : DefaultSelectors.KINDS;
    }

    /// @throws IllegalArgumentException with every problem of the arguments
    public static SpreadArguments parse(Arguments arguments) {
        var reader = ArgumentReader.of(arguments);
        var given = reader.text("defaultingType", "");
        var type = given.isEmpty() ? "System" : given;
        var entries = reader.objects("defaultConstraints");
        if (!type.equals("System") && !type.equals("List")) {
            reader.problems().unsupported(reader.path("defaultingType"), type, "System", "List");
        } else if (type.equals("System") && !entries.isEmpty()) {
            reader.problems()
                    .invalid(
                            reader.path("defaultingType"),
                            type,
                            "when .defaultConstraints are not empty");
        }
        var constraints = new ArrayList<TopologySpreadConstraint>();
        var seen = new HashSet<String>();
        for (int i = 0; i < entries.size(); i++) {
            var constraint = constraint(entries.get(i));
            constraints.add(constraint);
            var action = entries.get(i).text("whenUnsatisfiable", "");
            var pair = "{" + constraint.topologyKey() + ", " + action + "}";
            if (!seen.add(pair)) {
                reader.problems().duplicate(reader.path("defaultConstraints[" + i + "]"), pair);
            }
        }
        reader.finish();
        reader.problems().throwIfAny();
        return type.equals("System") ? DEFAULT : new SpreadArguments(false, constraints);
    }

    private static TopologySpreadConstraint constraint(ArgumentReader entry) {
        var problems = entry.problems();
        int maxSkew = entry.integer("maxSkew", 0);
        if (maxSkew <= 0) {
            problems.invalid(entry.path("maxSkew"), maxSkew, "not in valid range (0, inf)");
        }
        var key = entry.text("topologyKey", "");
        if (key.isEmpty()) {
            problems.required(entry.path("topologyKey"), "can not be empty");
        } else {
            problems.checkLabelKey(entry.path("topologyKey"), key);
        }
        var action = entry.text("whenUnsatisfiable", "");
        if (action.isEmpty()) {
            problems.required(entry.path("whenUnsatisfiable"), "can not be empty");
        } else if (!action.equals(HARD) && !action.equals(SOFT)) {
            problems.unsupported(entry.path("whenUnsatisfiable"), action, HARD, SOFT);
        }
        if (entry.has("labelSelector")) {
            problems.forbidden(
                    entry.path("labelSelector"),
                    "constraint must not define a selector, as they deduced for each pod");
        }
        var constraint =
                new TopologySpreadConstraint(
                        maxSkew,
                        key,
                        action.equals(HARD),
                        LabelSelector.NOTHING,
                        entry.integer("minDomains", 1),
                        entry.text("nodeAffinityPolicy", "Honor").equals("Honor"),
                        entry.text("nodeTaintsPolicy", "Ignore").equals("Honor"),
                        entry.texts("matchLabelKeys"));
        entry.finish();
        return constraint;
    }
}
