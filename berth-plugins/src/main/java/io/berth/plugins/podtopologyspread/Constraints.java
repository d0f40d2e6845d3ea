package io.berth.plugins.podtopologyspread;

import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.model.Pod;
import io.berth.api.spec.Toleration;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.plugins.nodeaffinity.RequiredNodes;
import io.berth.plugins.topology.DefaultSelectors;
import io.berth.plugins.topology.Domains;
import java.util.ArrayList;
import java.util.List;

/// Finds the constraints that hold for a pod: its own, or else the profile's defaults with the
/// selector of the pod's services and controller.
final class Constraints {
    private final List<TopologySpreadConstraint> hardDefaults;
    private final List<TopologySpreadConstraint> softDefaults;
    private final DefaultSelectors selectors;

    Constraints(SpreadArguments arguments, DefaultSelectors selectors) {
        this.hardDefaults = filter(arguments.defaultConstraints(), true);
        this.softDefaults = filter(arguments.defaultConstraints(), false);
        this.selectors = selectors;
    }

    /// The constraints of one kind with their final selectors.
    ///
    /// @throws IllegalArgumentException where a selector cannot be understood
    List<TopologySpreadConstraint> of(Pod pod, boolean hard) {
        var own = pod.spec().topologySpread();
        if (own.isEmpty()) {
            return defaults(pod, hard ? hardDefaults : softDefaults);
        }
        var result = new ArrayList<TopologySpreadConstraint>();
        for (var constraint : own) {
            if (constraint.hard() == hard) {
                result.add(parsed(constraint, pod.labels(), hard));
            }
        }
        return result;
    }

    private List<TopologySpreadConstraint> defaults(
            Pod pod, List<TopologySpreadConstraint> defaults) {
        if (defaults.isEmpty()) {
            return List.of();
        }
        var selector = selectors.of(pod);
        return selector.isEmpty()
                ? List.of()
                : defaults.stream().map(constraint -> withSelector(constraint, selector)).toList();
    }

    /// The domains that a constraint divides the nodes into.
    ///
    /// @param tolerations those of the pod that count
    /// @param requiredKeys nodes that lack one of these labels do not count
    static Domains domains(
            TopologySpreadConstraint constraint,
            Pod pod,
            List<Toleration> tolerations,
            List<String> requiredKeys) {
        return new Domains(
                constraint.topologyKey(),
                requiredKeys,
                constraint.honorsNodeAffinity() ? RequiredNodes.of(pod.spec()) : RequiredNodes.ANY,
                constraint.honorsNodeTaints() ? tolerations : null);
    }

    static List<String> keys(List<TopologySpreadConstraint> constraints) {
        if (constraints.isEmpty()) {
            return List.of();
        }
        var keys = new String[constraints.size()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = constraints.get(i).topologyKey();
        }
        return List.of(keys);
    }

    private static TopologySpreadConstraint parsed(
            TopologySpreadConstraint constraint, Labels labels, boolean hard) {
        var problem = constraint.selector().problem();
        if (problem != null) {
            throw new IllegalArgumentException(
                    "obtaining pod's "
                            + (hard ? "hard" : "soft")
                            + " topology spread constraints: "
                            + problem);
        }
        if (constraint.matchLabelKeys().isEmpty() || constraint.selector().matchesNothing()) {
            return constraint;
        }
        var requirements = new ArrayList<Requirement>();
        for (var key : constraint.matchLabelKeys()) {
            var value = labels.value(key);
            if (value != null) {
                requirements.add(Requirement.is(key, value));
            }
        }
        if (requirements.isEmpty()) {
            return constraint;
        }
        requirements.addAll(constraint.selector().requirements());
        return withSelector(constraint, LabelSelector.of(requirements));
    }

    private static TopologySpreadConstraint withSelector(
            TopologySpreadConstraint constraint, LabelSelector selector) {
        return new TopologySpreadConstraint(
                constraint.maxSkew(),
                constraint.topologyKey(),
                constraint.hard(),
                selector,
                constraint.minDomains(),
                constraint.honorsNodeAffinity(),
                constraint.honorsNodeTaints(),
                constraint.matchLabelKeys());
    }

    private static List<TopologySpreadConstraint> filter(
            List<TopologySpreadConstraint> constraints, boolean hard) {
        return constraints.stream().filter(constraint -> constraint.hard() == hard).toList();
    }
}
