package io.berth.config;

import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.Point;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.ProfileSettings.PointPlugins;
import io.berth.engine.queue.QueueSettings;
import io.berth.plugins.InTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/// Brings a checked configuration into the engine's terms.
final class EngineConversion {
    private static final Map<Point, String> POINTS = pointNames();
    private static final Map<String, String> PLACEMENT_POINTS =
            Map.of(
                    "placementGenerate", "PlacementGeneratePlugin",
                    "placementScore", "PlacementScorePlugin");

    private final Set<String> available;
    private final Set<String> missing = new LinkedHashSet<>();

    /// @param available the names of the plugins that can be made
    EngineConversion(Set<String> available) {
        this.available = Set.copyOf(available);
    }

    /// Plugins that kube-scheduler has, a profile wants and Berth lacks. They were left out.
    List<String> missing() {
        return List.copyOf(missing);
    }

    /// @param maxTimeParked from the command line
    /// @param popFromBackoff whether the feature gate SchedulerPopFromBackoffQ is on
    /// @throws ConfigurationException where a plugin that was left out stands at a point it lacks
    EngineSettings settings(
            SchedulerConfiguration configuration, Duration maxTimeParked, boolean popFromBackoff)
            throws ConfigurationException {
        var profiles = new ArrayList<ProfileSettings>();
        for (var profile : CompletedProfiles.of(configuration)) {
            profiles.add(profile(profile));
        }
        int percentage = configuration.percentageOfNodesToScore();
        return EngineSettings.of(profiles)
                .withQueue(
                        new QueueSettings(
                                Duration.ofSeconds(configuration.podInitialBackoffSeconds()),
                                Duration.ofSeconds(configuration.podMaxBackoffSeconds()),
                                maxTimeParked,
                                popFromBackoff))
                .withPercentageOfNodesToScore(
                        percentage == 0 ? OptionalInt.empty() : OptionalInt.of(percentage));
    }

    private ProfileSettings profile(ProfileConfiguration profile) throws ConfigurationException {
        var points = new EnumMap<Point, PointPlugins>(Point.class);
        for (var point : Point.values()) {
            var set = profile.at(POINTS.getOrDefault(point, ""));
            if (!set.isEmpty()) {
                requirePoint(profile, point, set);
                points.put(point, new PointPlugins(existing(set.enabled()), set.disabled()));
            }
        }
        for (var point : PLACEMENT_POINTS.entrySet()) {
            placement(profile, point.getKey(), point.getValue());
        }
        var arguments = new LinkedHashMap<String, Arguments>();
        for (var config : profile.pluginConfig()) {
            if (config.args() instanceof Fields args) {
                arguments.put(config.name(), new Arguments(Value.plainMap(args)));
            }
        }
        return new ProfileSettings(
                profile.schedulerName(),
                existing(profile.at(ProfileConfiguration.MULTI_POINT).enabled()),
                points,
                arguments,
                profile.percentageOfNodesToScore());
    }

    /// Leaves out what only kube-scheduler has. A name that nobody knows stays, so that building
    /// the profile tells of it.
    private List<EnabledPlugin> existing(List<EnabledPlugin> plugins) {
        var existing = new ArrayList<EnabledPlugin>();
        for (var plugin : plugins) {
            if (isMissing(plugin.name())) {
                missing.add(plugin.name());
            } else {
                existing.add(plugin);
            }
        }
        return existing;
    }

    private boolean isMissing(String name) {
        return !available.contains(name) && !InTree.missingPoints(name).isEmpty();
    }

    private void requirePoint(ProfileConfiguration profile, Point point, PluginSet set)
            throws ConfigurationException {
        for (var plugin : set.enabled()) {
            if (isMissing(plugin.name())
                    && !InTree.missingPoints(plugin.name())
                            .contains(POINTS.getOrDefault(point, ""))) {
                throw refused(
                        profile,
                        "plugin \"%s\" does not extend %s plugin"
                                .formatted(plugin.name(), point.typeName()));
            }
        }
    }

    /// The points for pod groups, which the engine does not have.
    private void placement(ProfileConfiguration profile, String point, String typeName)
            throws ConfigurationException {
        for (var plugin : profile.at(point).enabled()) {
            var upstream = InTree.missingPoints(plugin.name());
            if (upstream.contains(point)) {
                missing.add(plugin.name());
            } else if (available.contains(plugin.name()) || !upstream.isEmpty()) {
                throw refused(
                        profile,
                        "plugin \"%s\" does not extend %s plugin"
                                .formatted(plugin.name(), typeName));
            } else {
                throw refused(
                        profile, "%s \"%s\" does not exist".formatted(typeName, plugin.name()));
            }
        }
    }

    private static ConfigurationException refused(ProfileConfiguration profile, String why) {
        return new ConfigurationException(
                "initializing profiles: creating profile for scheduler name %s: %s"
                        .formatted(profile.schedulerName(), why));
    }

    private static Map<Point, String> pointNames() {
        var names = new EnumMap<Point, String>(Point.class);
        for (var point : Point.values()) {
            var text = point.text();
            names.put(point, Character.toLowerCase(text.charAt(0)) + text.substring(1));
        }
        return names;
    }
}
