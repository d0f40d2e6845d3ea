package io.berth.plugins.noderesources;

import io.berth.api.plugin.Arguments;
import io.berth.plugins.arguments.ArgumentReader;
import io.berth.plugins.arguments.Problems;
import java.util.List;
import java.util.Set;

/// Arguments of [NodeResourcesFit].
///
/// @param ignoredResources extended resources that the filter does not look at
/// @param ignoredResourceGroups likewise, by the part before the slash
public record FitArguments(
        Set<String> ignoredResources, Set<String> ignoredResourceGroups, ScoringStrategy scoring) {
    /// How a node's use is turned into a score.
    public enum Rating {
        LEAST_ALLOCATED("LeastAllocated"),
        MOST_ALLOCATED("MostAllocated"),
        REQUESTED_TO_CAPACITY_RATIO("RequestedToCapacityRatio");

        private final String text;

        Rating(String text) {
            this.text = text;
        }
    }

    /// @param shape empty unless the type is RequestedToCapacityRatio
    public record ScoringStrategy(
            Rating type, List<ResourceWeight> resources, List<BrokenLinear.Point> shape) {
        public ScoringStrategy {
            resources = List.copyOf(resources);
            shape = List.copyOf(shape);
        }
    }

    public static final FitArguments DEFAULT =
            new FitArguments(
                    Set.of(),
                    Set.of(),
                    new ScoringStrategy(
                            Rating.LEAST_ALLOCATED, ResourceWeight.CPU_AND_MEMORY, List.of()));

    public FitArguments {
        ignoredResources = Set.copyOf(ignoredResources);
        ignoredResourceGroups = Set.copyOf(ignoredResourceGroups);
    }

    /// @throws IllegalArgumentException with every problem of the arguments
    public static FitArguments parse(Arguments arguments) {
        var reader = ArgumentReader.of(arguments);
        var resources = reader.texts("ignoredResources");
        var groups = reader.texts("ignoredResourceGroups");
        checkNames(reader, resources, groups);
        var strategy = reader.object("scoringStrategy");
        var scoring = strategy == null ? DEFAULT.scoring : strategy(strategy);
        reader.finish();
        reader.problems().throwIfAny();
        return new FitArguments(Set.copyOf(resources), Set.copyOf(groups), scoring);
    }

    private static void checkNames(
            ArgumentReader reader, List<String> resources, List<String> groups) {
        var problems = reader.problems();
        for (int i = 0; i < resources.size(); i++) {
            problems.checkLabelKey(reader.path("ignoredResources[" + i + "]"), resources.get(i));
        }
        for (int i = 0; i < groups.size(); i++) {
            var path = reader.path("ignoredResourceGroups[" + i + "]");
            if (groups.get(i).contains("/")) {
                problems.invalid(path, groups.get(i), "resource group name can't contain '/'");
            }
            problems.checkLabelKey(path, groups.get(i));
        }
    }

    private static ScoringStrategy strategy(ArgumentReader reader) {
        var type = type(reader);
        var resources = ResourceWeight.listIn(reader, "resources");
        for (int i = 0; i < resources.size(); i++) {
            var resource = resources.get(i);
            if (resource.weight() <= 0 || resource.weight() > 100) {
                reader.problems()
                        .invalid(
                                reader.path("resources[" + i + "].weight"),
                                resource.weight(),
                                "resource weight of "
                                        + resource.name()
                                        + " not in valid range (0, 100]");
            }
        }
        var shape = shape(reader, type);
        reader.finish();
        return new ScoringStrategy(type, resources, shape);
    }

    private static Rating type(ArgumentReader reader) {
        var text = reader.text("type", "");
        for (var type : Rating.values()) {
            if (type.text.equals(text)) {
                return type;
            }
        }
        reader.problems()
                .unsupported(
                        reader.path("type"),
                        text,
                        Rating.LEAST_ALLOCATED.text,
                        Rating.MOST_ALLOCATED.text,
                        Rating.REQUESTED_TO_CAPACITY_RATIO.text);
        return Rating.LEAST_ALLOCATED;
    }

    private static List<BrokenLinear.Point> shape(ArgumentReader reader, Rating type) {
        var ratio = reader.object("requestedToCapacityRatio");
        var path = reader.path("requestedToCapacityRatio");
        if (type != Rating.REQUESTED_TO_CAPACITY_RATIO) {
            if (ratio != null) {
                reader.problems()
                        .forbidden(path, "must be nil when type is not RequestedToCapacityRatio");
            }
            return List.of();
        }
        if (ratio == null) {
            reader.problems()
                    .required(path, "must be specified when type is RequestedToCapacityRatio");
            return List.of();
        }
        var points =
                ratio.objects("shape").stream()
                        .map(entry -> {
                            var point =
                                    new BrokenLinear.Point(
                                            entry.integer("utilization", 0),
                                            entry.integer("score", 0));
                            entry.finish();
                            return point;
                        })
                        .toList();
        ratio.finish();
        checkShape(reader.problems(), path + ".shape", points);
        return points;
    }

    private static void checkShape(
            Problems problems, String path, List<BrokenLinear.Point> points) {
        if (points.isEmpty()) {
            problems.required(path, "at least one point must be specified");
        }
        for (int i = 1; i < points.size(); i++) {
            int utilization = points.get(i).utilization();
            if (points.get(i - 1).utilization() >= utilization) {
                problems.invalid(
                        path + "[" + i + "].utilization",
                        utilization,
                        "values must be sorted in increasing order");
                break;
            }
        }
        for (int i = 0; i < points.size(); i++) {
            var point = points.get(i);
            if (point.utilization() < 0 || point.utilization() > 100) {
                problems.invalid(
                        path + "[" + i + "].utilization",
                        point.utilization(),
                        "not in valid range [0, 100]");
            }
            if (point.score() < 0 || point.score() > 10) {
                problems.invalid(
                        path + "[" + i + "].score", point.score(), "not in valid range [0, 10]");
            }
        }
    }
}
