package io.berth.config;

import io.berth.api.plugin.PluginFactory;
import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.Registry;
import io.berth.plugins.InTree;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What an engine is built from, the world around it apart: a configuration in the engine's terms,
/// and the plugins that it may name.
///
/// @param missing plugins that kube-scheduler has, a profile wants and Berth lacks; they were left
///   out
public record EngineSetup(EngineSettings settings, Registry registry, List<String> missing) {
    /// How long a pod waits for an event before it is tried anyway, unless a flag says otherwise.
    public static final Duration MAX_TIME_PARKED = Duration.ofMinutes(5);

    public EngineSetup {
        missing = List.copyOf(missing);
    }

    /// @param configuration complete and checked by [Validation]
    /// @param more plugins beside those that Berth brings along, such as those from jars
    /// @throws ConfigurationException where a plugin stands at a point it lacks
    public static EngineSetup of(
            SchedulerConfiguration configuration,
            FeatureGates gates,
            List<PluginFactory> more,
            Duration maxTimeParked)
            throws ConfigurationException {
        var factories = Stream.concat(InTree.factories().stream(), more.stream()).toList();
        var conversion =
                new EngineConversion(
                        factories.stream().map(PluginFactory::name).collect(Collectors.toSet()));
        var settings =
                conversion.settings(
                        configuration, maxTimeParked, gates.isOn("SchedulerPopFromBackoffQ"));
        return new EngineSetup(
                settings.awaiting(WatchedKinds.of(settings.profiles(), factories))
                        .withFeatures(gates.on()),
                Registry.of(factories),
                conversion.missing());
    }
}
