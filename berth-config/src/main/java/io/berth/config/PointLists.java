package io.berth.config;

import io.berth.api.plugin.EnabledPlugin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Plugins by extension point while they are gathered. A plugin that comes again is there already.
final class PointLists {
    private final Map<String, Map<String, EnabledPlugin>> points = new LinkedHashMap<>();

    PointLists add(String plugin, String... at) {
        for (var point : at) {
            list(point).putIfAbsent(plugin, EnabledPlugin.of(plugin));
        }
        return this;
    }

    PointLists score(String plugin, long weight) {
        list("score")
                .putIfAbsent(
                        plugin,
                        new EnabledPlugin(plugin, (int) Math.min(weight, Integer.MAX_VALUE)));
        return this;
    }

    private Map<String, EnabledPlugin> list(String point) {
        return points.computeIfAbsent(point, _ -> new LinkedHashMap<>());
    }

    Map<String, PluginSet> sets() {
        var sets = new LinkedHashMap<String, PluginSet>();
        points.forEach((point, plugins) ->
                sets.put(point, new PluginSet(List.copyOf(plugins.values()), List.of())));
        return sets;
    }
}
