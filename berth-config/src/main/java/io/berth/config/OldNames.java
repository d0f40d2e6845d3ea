package io.berth.config;

import io.berth.api.plugin.EnabledPlugin;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Problems;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Rewrites a profile that names plugins of old to one that v1 can express (rule P-119a): the three
/// plugins that scored by resources have become strategies of NodeResourcesFit, the limits of
/// single clouds have become NodeVolumeLimits.
final class OldNames {
    static final String LEAST = "NodeResourcesLeastAllocated";
    static final String MOST = "NodeResourcesMostAllocated";
    static final String RATIO = "RequestedToCapacityRatio";

    private static final String FIT = "NodeResourcesFit";
    private static final Set<String> BY_RESOURCES = Set.of(LEAST, MOST, RATIO);
    private static final Set<String> CLOUD_LIMITS =
            Set.of("AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits");

    private final String path;
    private final String version;
    private final Problems problems;

    /// @param path of the profile, for messages
    /// @param version of the file, for messages
    OldNames(String path, String version, Problems problems) {
        this.path = path;
        this.version = version;
        this.problems = problems;
    }

    /// @param plugins merged with the defaults of their time
    /// @param arguments by plugin
    /// @return `plugins` and `pluginConfig` of a v1 profile
    Fields modern(Map<String, PluginSet> plugins, Map<String, Value> arguments) {
        var score = plugins.getOrDefault("score", PluginSet.EMPTY);
        var byResources = onlyOneByResources(score);
        var sets = new LinkedHashMap<String, Value>();
        plugins.forEach((point, set) -> sets.put(point, modern(point, set, byResources)));
        return new FieldsBuilder()
                .put("plugins", Value.of(sets))
                .put("pluginConfig", Value.of(config(arguments, byResources)))
                .build();
    }

    /// The plugin that scores by resources, null where there is none.
    private @Nullable String onlyOneByResources(PluginSet score) {
        var found = new ArrayList<String>();
        for (int k = 0; k < score.enabled().size(); k++) {
            var name = score.enabled().get(k).name();
            var here = path + ".plugins.score.enabled[" + k + "]";
            if (BY_RESOURCES.contains(name)) {
                if (!found.isEmpty()) {
                    problems.invalid(
                            here,
                            name,
                            "cannot be combined with %s: NodeResourcesFit of v1, which replaces both, has one scoring strategy; disable one of them"
                                    .formatted(JsonWriter.quoted(found.getFirst())));
                }
                found.add(name);
            }
        }
        for (int k = 0; k < score.enabled().size(); k++) {
            if (score.enabled().get(k).name().equals(FIT) && !found.isEmpty()) {
                problems.invalid(
                        path + ".plugins.score.enabled[" + k + "]",
                        FIT,
                        "was conflict with [%s] in version %s (KubeSchedulerConfiguration is version %s)"
                                .formatted(
                                        String.join(
                                                " ",
                                                found.stream().map(JsonWriter::quoted).toList()),
                                        JsonWriter.quoted(version),
                                        JsonWriter.quoted(version)));
            }
        }
        return found.isEmpty() ? null : found.getFirst();
    }

    private static Fields modern(String point, PluginSet set, @Nullable String byResources) {
        var enabled = new LinkedHashMap<String, EnabledPlugin>();
        for (var plugin : set.enabled()) {
            var name = modern(plugin.name());
            // A name that a file gives twice stays twice: building the profile finds it.
            var key = name.equals(plugin.name()) ? name + "#" + enabled.size() : name;
            if (name.equals("NodeVolumeLimits")) {
                key = name;
            }
            enabled.putIfAbsent(key, new EnabledPlugin(name, plugin.weight()));
        }
        if (point.equals("preScore") && byResources != null) {
            enabled.putIfAbsent(FIT, EnabledPlugin.of(FIT));
        }
        var disabled = new ArrayList<String>();
        if (point.equals(ProfileConfiguration.MULTI_POINT)) {
            disabled.add("*");
        }
        for (var name : set.disabled()) {
            if (modern(name).equals(name) && !disabled.contains(name)) {
                disabled.add(name);
            }
        }
        return new PluginSet(List.copyOf(enabled.values()), disabled).fields();
    }

    static String modern(String name) {
        if (CLOUD_LIMITS.contains(name)) {
            return "NodeVolumeLimits";
        }
        return BY_RESOURCES.contains(name) ? FIT : name;
    }

    private static List<Fields> config(Map<String, Value> arguments, @Nullable String byResources) {
        var config = new LinkedHashMap<String, Value>();
        arguments.forEach((name, args) -> {
            if (modern(name).equals(name)) {
                config.put(name, args);
            }
        });
        if (byResources != null) {
            var given = arguments.get(byResources) instanceof Fields args ? args : Fields.EMPTY;
            var fit = config.get(FIT) instanceof Fields args ? args : Fields.EMPTY;
            config.put(FIT, fit.with("scoringStrategy", strategy(byResources, given)));
        }
        var entries = new ArrayList<Fields>();
        config.forEach((name, args) ->
                entries.add(new FieldsBuilder().put("name", name).put("args", args).build()));
        return entries;
    }

    private static Fields strategy(String plugin, Fields args) {
        var strategy = new LinkedHashMap<String, Value>();
        strategy.put(
                "type",
                Value.of(
                        switch (plugin) {
                            case LEAST -> "LeastAllocated";
                            case MOST -> "MostAllocated";
                            default -> "RequestedToCapacityRatio";
                        }));
        if (args.has("resources")) {
            strategy.put("resources", Value.of(args.items("resources")));
        }
        if (plugin.equals(RATIO)) {
            strategy.put(
                    "requestedToCapacityRatio", Value.of("shape", Value.of(args.items("shape"))));
        }
        return Value.of(strategy);
    }
}
