package io.berth.config.argument;

import io.berth.api.amount.GoDuration;
import io.berth.api.label.LabelSyntax;
import io.berth.config.gate.FeatureGates;
import io.berth.config.text.DurationText;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Problems;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;

/// Checks the arguments of the plugins that have a kind of their own (section 3.4 of the contract).
/// Plugins check again when they are made, for those who build profiles without a file.
public final class ArgumentChecks {
    private static final List<String> STRATEGIES =
            List.of("LeastAllocated", "MostAllocated", "RequestedToCapacityRatio");
    private static final String RATIO = "RequestedToCapacityRatio";

    private final Problems problems;
    private final FeatureGates gates;

    public ArgumentChecks(Problems problems, FeatureGates gates) {
        this.problems = problems;
        this.gates = gates;
    }

    /// @param path of the arguments
    /// @param args complete
    public void check(String path, String plugin, Fields args) {
        switch (plugin) {
            case "DefaultPreemption" -> preemption(path, args);
            case "DynamicResources" -> dynamicResources(path, args);
            case "InterPodAffinity" ->
                    within(
                            path + ".hardPodAffinityWeight",
                            args.number("hardPodAffinityWeight", 1),
                            100);
            case "NodeAffinity" ->
                    new AffinityChecks(problems)
                            .check(path + ".addedAffinity", args.fields("addedAffinity"));
            case "NodeLabel" -> nodeLabel(path, args);
            case "NodeResourcesBalancedAllocation" -> balanced(path, args);
            case "NodeResourcesFit" -> fit(path, args);
            case "PodTopologySpread" -> new SpreadChecks(problems).check(path, args);
            case "VolumeBinding" -> volumeBinding(path, args);
            default -> {}
        }
    }

    private void preemption(String path, Fields args) {
        var percentagePath = path + ".minCandidateNodesPercentage";
        var absolutePath = path + ".minCandidateNodesAbsolute";
        long percentage = args.number("minCandidateNodesPercentage", 0);
        long absolute = args.number("minCandidateNodesAbsolute", 0);
        within(percentagePath, percentage, 100);
        if (absolute < 0) {
            problems.invalid(absolutePath, absolute, "not in valid range [0, inf)");
        }
        if (percentage == 0 && absolute == 0) {
            problems.invalid(
                    percentagePath,
                    percentage,
                    "cannot be zero at the same time as minCandidateNodesAbsolute");
            problems.invalid(
                    absolutePath,
                    absolute,
                    "cannot be zero at the same time as minCandidateNodesPercentage");
        }
    }

    private void dynamicResources(String path, Fields args) {
        if (!gates.isOn("DRASchedulerFilterTimeout")) {
            forbidden(
                    path,
                    args,
                    "filterTimeout",
                    "DRASchedulingFilterTimeout feature gate is disabled");
        } else if (duration(args, "filterTimeout").isNegative()) {
            problems.invalid(
                    path + ".filterTimeout",
                    GoDuration.format(duration(args, "filterTimeout")),
                    "must be zero or positive");
        }
        if (!gates.isOn("DRADeviceBindingConditions")
                || !gates.isOn("DRAResourceClaimDeviceStatus")) {
            forbidden(
                    path,
                    args,
                    "bindingTimeout",
                    "DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled");
        } else if (args.has("bindingTimeout")
                && duration(args, "bindingTimeout").compareTo(Duration.ofSeconds(1)) < 0) {
            problems.invalid(
                    path + ".bindingTimeout",
                    GoDuration.format(duration(args, "bindingTimeout")),
                    "must be at least 1 second");
        }
    }

    private void forbidden(String path, Fields args, String field, String detail) {
        if (args.has(field)) {
            problems.forbidden(path + "." + field, detail);
        }
    }

    private static Duration duration(Fields args, String field) {
        return DurationText.parse(args.text(field, "0"));
    }

    private void nodeLabel(String path, Fields args) {
        labelsOnce(path, args, "presentLabels", "absentLabels");
        labelsOnce(path, args, "presentLabelsPreference", "absentLabelsPreference");
    }

    private void labelsOnce(String path, Fields args, String present, String absent) {
        var presentLabels = args.texts(present);
        var absentLabels = args.texts(absent);
        for (int i = 0; i < absentLabels.size(); i++) {
            int j = presentLabels.indexOf(absentLabels.get(i));
            if (j >= 0) {
                problems.invalid(
                        "%s.%s[%d]".formatted(path, present, j),
                        absentLabels.get(i),
                        "conflict with %s.%s[%d]".formatted(path, absent, i));
            }
        }
    }

    private void balanced(String path, Fields args) {
        var seen = new HashSet<String>();
        var resources = args.objects("resources");
        for (int i = 0; i < resources.size(); i++) {
            var here = path + ".resources[" + i + "]";
            var name = resources.get(i).text("name", "");
            long weight = resources.get(i).number("weight", 0);
            if (!seen.add(name)) {
                problems.duplicate(here + ".name", name);
            }
            if (weight != 1) {
                problems.invalid(here + ".weight", weight, "must be 1");
            }
        }
    }

    private void fit(String path, Fields args) {
        var ignored = args.texts("ignoredResources");
        for (int i = 0; i < ignored.size(); i++) {
            labelName(path + ".ignoredResources[" + i + "]", ignored.get(i));
        }
        var groups = args.texts("ignoredResourceGroups");
        for (int i = 0; i < groups.size(); i++) {
            var here = path + ".ignoredResourceGroups[" + i + "]";
            if (groups.get(i).contains("/")) {
                problems.invalid(here, groups.get(i), "resource group name can't contain '/'");
            }
            labelName(here, groups.get(i));
        }
        strategy(path + ".scoringStrategy", args.fields("scoringStrategy"));
    }

    private void strategy(String path, Fields strategy) {
        var type = strategy.text("type", "");
        if (!STRATEGIES.contains(type)) {
            problems.unsupported(path + ".type", type, STRATEGIES);
        }
        var resources = strategy.objects("resources");
        for (int i = 0; i < resources.size(); i++) {
            long weight = resources.get(i).number("weight", 0);
            if (weight <= 0 || weight > 100) {
                problems.invalid(
                        path + ".resources[" + i + "].weight",
                        weight,
                        "resource weight of %s not in valid range (0, 100]"
                                .formatted(resources.get(i).text("name", "")));
            }
        }
        var ratioPath = path + ".requestedToCapacityRatio";
        if (!type.equals(RATIO)) {
            if (strategy.has("requestedToCapacityRatio")) {
                problems.forbidden(
                        ratioPath, "must be nil when type is not RequestedToCapacityRatio");
            }
        } else if (!strategy.has("requestedToCapacityRatio")) {
            problems.required(ratioPath, "must be specified when type is RequestedToCapacityRatio");
        } else {
            shape(ratioPath + ".shape", strategy.fields("requestedToCapacityRatio"));
        }
    }

    private void volumeBinding(String path, Fields args) {
        long timeout = args.number("bindTimeoutSeconds", 0);
        if (timeout < 0) {
            problems.invalid(
                    path + ".bindTimeoutSeconds",
                    timeout,
                    "invalid BindTimeoutSeconds, should not be a negative value");
        }
        var shape = args.find("shape");
        if (gates.isOn("StorageCapacityScoring")) {
            shape(path + ".shape", args);
        } else if (shape != null) {
            problems.invalidShown(
                    path + ".shape",
                    shown(args.objects("shape")),
                    "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring");
        }
    }

    private static String shown(List<Fields> shape) {
        return JsonWriter.write(
                Value.of(
                        shape.stream()
                                .map(point ->
                                        new FieldsBuilder()
                                                .put("Utilization", point.number("utilization", 0))
                                                .put("Score", point.number("score", 0))
                                                .build())
                                .toList()));
    }

    private void shape(String path, Fields holder) {
        var points = holder.objects("shape");
        if (points.isEmpty()) {
            problems.required(path, "at least one point must be specified");
            return;
        }
        for (int i = 1; i < points.size(); i++) {
            long utilization = points.get(i).number("utilization", 0);
            if (points.get(i - 1).number("utilization", 0) >= utilization) {
                problems.invalid(
                        path + "[" + i + "].utilization",
                        utilization,
                        "values must be sorted in increasing order");
                break;
            }
        }
        for (int i = 0; i < points.size(); i++) {
            var here = path + "[" + i + "]";
            within(here + ".utilization", points.get(i).number("utilization", 0), 100);
            within(here + ".score", points.get(i).number("score", 0), 10);
        }
    }

    private void within(String path, long value, long max) {
        if (value < 0 || value > max) {
            problems.invalid(path, value, "not in valid range [0, " + max + "]");
        }
    }

    private void labelName(String path, String name) {
        LabelSyntax.problemsOfKey(name).forEach(detail -> problems.invalid(path, name, detail));
    }
}
