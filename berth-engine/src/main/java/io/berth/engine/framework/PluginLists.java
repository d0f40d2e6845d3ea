package io.berth.engine.framework;

import io.berth.api.handle.Log;
import io.berth.api.plugin.Plugin;
import io.berth.engine.framework.ProfileSettings.PointPlugins;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The ordered plugins of each extension point of one profile (rule E-125).
///
/// A plugin can be named for a point, or once for all points (multi-point). Per point the order is:
/// plugins named both ways, in the point's order; those named for all points, in that order; the
/// rest of those named for the point.
public final class PluginLists {
    private final Map<Point, List<Plugin>> lists;
    private final Map<String, Integer> weights;

    private PluginLists(Map<Point, List<Plugin>> lists, Map<String, Integer> weights) {
        this.lists = lists;
        this.weights = weights;
    }

    public List<Plugin> at(Point point) {
        return lists.getOrDefault(point, List.of());
    }

    public <T extends Plugin> List<T> at(Point point, Class<T> type) {
        return at(point).stream().map(type::cast).toList();
    }

    public int weight(String plugin) {
        return weights.getOrDefault(plugin, 1);
    }

    /// The names of all plugins that a profile needs, so that only these are made.
    public static Set<String> needed(ProfileSettings settings) {
        var names = new LinkedHashSet<String>();
        settings.multiPoint().forEach(plugin -> names.add(plugin.name()));
        for (var point : Point.values()) {
            settings.points()
                    .getOrDefault(point, PointPlugins.NONE)
                    .enabled()
                    .forEach(plugin -> names.add(plugin.name()));
        }
        return names;
    }

    public static PluginLists expand(
            ProfileSettings settings, Map<String, Plugin> plugins, Log log) {
        var lists = new HashMap<Point, List<Plugin>>();
        for (var point : Point.values()) {
            lists.put(point, expand(point, settings, plugins, log));
        }
        return new PluginLists(
                lists, weights(settings, lists.getOrDefault(Point.SCORE, List.of())));
    }

    private static List<Plugin> expand(
            Point point, ProfileSettings settings, Map<String, Plugin> find, Log log) {
        var here = settings.points().getOrDefault(point, PointPlugins.NONE);
        var named = namedFor(point, here, find);
        var everywhere = new LinkedHashMap<String, Plugin>();
        if (here.disablesAll()) {
            log.info(
                    4,
                    "Skipped MultiPoint expansion because all plugins are disabled for extension"
                            + " point",
                    "extension",
                    point.typeName());
        } else {
            for (var enabled : settings.multiPoint()) {
                var plugin = existing(point, enabled.name(), find);
                if (!point.isOf(plugin) || here.disabled().contains(enabled.name())) {
                    continue;
                }
                if (everywhere.put(enabled.name(), plugin) != null) {
                    throw alreadyRegistered(enabled.name(), point);
                }
            }
        }
        var result = new LinkedHashMap<String, Plugin>();
        named.forEach((name, plugin) -> {
            if (everywhere.containsKey(name)) {
                log.info(
                        0,
                        "MultiPoint plugin is explicitly re-configured; overriding",
                        "plugin",
                        name);
                result.put(name, plugin);
            }
        });
        everywhere.forEach(result::putIfAbsent);
        named.forEach(result::putIfAbsent);
        return List.copyOf(result.values());
    }

    private static Map<String, Plugin> namedFor(
            Point point, PointPlugins here, Map<String, Plugin> find) {
        var named = new LinkedHashMap<String, Plugin>();
        for (var enabled : here.enabled()) {
            var plugin = existing(point, enabled.name(), find);
            if (!point.isOf(plugin)) {
                throw new SettingsException(
                        "plugin \"%s\" does not extend %s plugin"
                                .formatted(enabled.name(), point.typeName()));
            }
            if (named.put(enabled.name(), plugin) != null) {
                throw alreadyRegistered(enabled.name(), point);
            }
        }
        return named;
    }

    private static Plugin existing(Point point, String name, Map<String, Plugin> find) {
        var plugin = find.get(name);
        if (plugin == null) {
            throw new SettingsException(
                    "%s \"%s\" does not exist".formatted(point.typeName(), name));
        }
        return plugin;
    }

    private static SettingsException alreadyRegistered(String name, Point point) {
        return new SettingsException(
                "plugin \"%s\" already registered as \"%s\"".formatted(name, point.typeName()));
    }

    private static Map<String, Integer> weights(ProfileSettings settings, List<Plugin> scoring) {
        var weights = new HashMap<String, Integer>();
        settings.multiPoint().forEach(plugin -> weights.put(plugin.name(), plugin.weight()));
        settings.points()
                .getOrDefault(Point.SCORE, PointPlugins.NONE)
                .enabled()
                .forEach(plugin -> {
                    if (plugin.weight() != 0) {
                        weights.put(plugin.name(), plugin.weight());
                    }
                });
        weights.replaceAll((name, weight) -> weight == 0 ? 1 : weight);
        // Weights are 32 bits wide, so their sum times 100 fits; a negative one upsets upstream's
        // arithmetic, and is told in the same words.
        if (scoring.stream().anyMatch(plugin -> weights.getOrDefault(plugin.name(), 1) < 0)) {
            throw new SettingsException(
                    "score plugins: total score of Score plugins could overflow");
        }
        return weights;
    }

    /// For logs and debugging: point names with plugin names.
    public Map<String, List<String>> names() {
        var result = new LinkedHashMap<String, List<String>>();
        for (var point : Point.values()) {
            var names = new ArrayList<String>();
            at(point).forEach(plugin -> names.add(plugin.name()));
            if (!names.isEmpty()) {
                result.put(point.text(), List.copyOf(names));
            }
        }
        return result;
    }
}
