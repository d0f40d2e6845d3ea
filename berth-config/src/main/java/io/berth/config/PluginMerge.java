package io.berth.config;

import io.berth.api.plugin.EnabledPlugin;
import io.berth.config.schema.ConfigurationTypes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Combines the plugins that a file names with those that apply anyway (rules P-83, P-84).
public final class PluginMerge {
    private PluginMerge() {}

    public static Map<String, PluginSet> merge(
            Map<String, PluginSet> defaults, Map<String, PluginSet> custom) {
        var merged = new LinkedHashMap<String, PluginSet>();
        for (var point : ConfigurationTypes.POINTS) {
            merged.put(
                    point,
                    merge(
                            defaults.getOrDefault(point, PluginSet.EMPTY),
                            custom.getOrDefault(point, PluginSet.EMPTY)));
        }
        return merged;
    }

    /// A name that a file enables takes the place that it has by default; other names follow, in
    /// the file's order. A name that is enabled twice stays twice: building the profile finds it.
    static PluginSet merge(PluginSet defaults, PluginSet custom) {
        var disabled = new ArrayList<>(custom.disabled());
        disabled.addAll(defaults.disabled());
        var off = new HashSet<>(disabled);
        var places = new HashMap<String, Integer>();
        for (int i = 0; i < custom.enabled().size(); i++) {
            places.put(custom.enabled().get(i).name(), i);
        }
        var enabled = new ArrayList<EnabledPlugin>();
        var taken = new HashSet<Integer>();
        if (!off.contains("*")) {
            for (var plugin : defaults.enabled()) {
                if (off.contains(plugin.name())) {
                    continue;
                }
                var place = places.get(plugin.name());
                if (place == null) {
                    enabled.add(plugin);
                } else {
                    enabled.add(custom.enabled().get(place));
                    taken.add(place);
                }
            }
        }
        for (int i = 0; i < custom.enabled().size(); i++) {
            if (!taken.contains(i)) {
                enabled.add(custom.enabled().get(i));
            }
        }
        return new PluginSet(enabled, disabled);
    }

    /// Default plugins that a file configures anew, for the log.
    static List<String> overridden(PluginSet defaults, PluginSet custom) {
        if (custom.disabled().contains("*")) {
            return List.of();
        }
        return defaults.enabled().stream()
                .map(EnabledPlugin::name)
                .filter(name -> !custom.disabled().contains(name))
                .filter(name ->
                        custom.enabled().stream().anyMatch(plugin -> plugin.name().equals(name)))
                .toList();
    }
}
