package io.berth.engine.framework;

import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.EnabledPlugin;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/// One profile as the configuration describes it, defaults merged in.
///
/// @param multiPoint plugins enabled wherever they implement a point, in order
/// @param points plugins named for one point
/// @param percentageOfNodesToScore empty: the global setting
public record ProfileSettings(
        String schedulerName,
        List<EnabledPlugin> multiPoint,
        Map<Point, PointPlugins> points,
        Map<String, Arguments> arguments,
        OptionalInt percentageOfNodesToScore) {
    public ProfileSettings {
        multiPoint = List.copyOf(multiPoint);
        points = Map.copyOf(points);
        arguments = Map.copyOf(arguments);
    }

    public static ProfileSettings of(String schedulerName, List<EnabledPlugin> multiPoint) {
        return new ProfileSettings(
                schedulerName, multiPoint, Map.of(), Map.of(), OptionalInt.empty());
    }

    public ProfileSettings withArguments(String plugin, Arguments given) {
        var all = new java.util.HashMap<>(arguments);
        all.put(plugin, given);
        return new ProfileSettings(
                schedulerName, multiPoint, points, all, percentageOfNodesToScore);
    }

    public ProfileSettings withPercentageOfNodesToScore(int percentage) {
        return new ProfileSettings(
                schedulerName, multiPoint, points, arguments, OptionalInt.of(percentage));
    }

    /// What a profile says about one extension point.
    ///
    /// @param disabled names left out of the multi-point expansion; `*` leaves out all
    public record PointPlugins(List<EnabledPlugin> enabled, List<String> disabled) {
        public static final PointPlugins NONE = new PointPlugins(List.of(), List.of());

        public PointPlugins {
            enabled = List.copyOf(enabled);
            disabled = List.copyOf(disabled);
        }

        boolean disablesAll() {
            return disabled.contains("*");
        }
    }
}
