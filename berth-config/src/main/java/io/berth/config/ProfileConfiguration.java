package io.berth.config;

import io.berth.config.schema.ConfigurationTypes;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.Value.Fields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/// One way to schedule, which pods choose by its name.
///
/// @param plugins by extension point, all of [ConfigurationTypes#POINTS]
public record ProfileConfiguration(
        String schedulerName,
        OptionalInt percentageOfNodesToScore,
        Map<String, PluginSet> plugins,
        List<PluginArguments> pluginConfig) {
    public static final String MULTI_POINT = "multiPoint";

    public ProfileConfiguration {
        var all = new LinkedHashMap<String, PluginSet>();
        for (var point : ConfigurationTypes.POINTS) {
            all.put(point, plugins.getOrDefault(point, PluginSet.EMPTY));
        }
        plugins = java.util.Collections.unmodifiableMap(all);
        pluginConfig = List.copyOf(pluginConfig);
    }

    public PluginSet at(String point) {
        return plugins.getOrDefault(point, PluginSet.EMPTY);
    }

    /// The names of all plugins that are enabled somewhere, in alphabetical order.
    public Set<String> enabledNames() {
        var names = new TreeSet<String>();
        plugins.values().forEach(set -> set.enabled().forEach(plugin -> names.add(plugin.name())));
        return names;
    }

    Fields fields() {
        var fields = new FieldsBuilder().put("schedulerName", schedulerName);
        percentageOfNodesToScore.ifPresent(
                percentage -> fields.put("percentageOfNodesToScore", percentage));
        var points = new FieldsBuilder();
        plugins.forEach((point, set) -> points.put(point, set.fields()));
        return fields.put("plugins", points.build())
                .putIfSet(
                        "pluginConfig", pluginConfig.stream().map(PluginArguments::fields).toList())
                .build();
    }

    public ProfileConfiguration withPluginConfig(List<PluginArguments> other) {
        return new ProfileConfiguration(schedulerName, percentageOfNodesToScore, plugins, other);
    }
}
