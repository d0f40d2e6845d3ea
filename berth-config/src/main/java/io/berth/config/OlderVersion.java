package io.berth.config;

import static io.berth.config.schema.ConfigurationTypes.older;
import static io.berth.config.schema.ConfigurationTypes.withInsecurePorts;

import io.berth.api.plugin.EnabledPlugin;
import io.berth.config.gate.FeatureGates;
import io.berth.config.schema.ArgumentTypes;
import io.berth.config.schema.Type.Struct;
import io.berth.plugins.InTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The versions of configuration files before v1, oldest first: when they went, what such a file
/// may say, and the plugins that a profile had by default (rule P-112 and section 3.8 of the
/// contract).
///
/// Plugins that came later and guard a pod against a node that cannot run it (scheduling gates,
/// resource claims, declared features) are on by default here too: an old file could not know of
/// them, and upstream added such plugins to old versions as well, as long as it read them.
enum OlderVersion {
    V1BETA1("v1.22", "v1.23") {
        @Override
        Struct type() {
            return withInsecurePorts(older(shortName(), "queueSort", "postBind"));
        }

        @Override
        Map<String, PluginSet> defaults(FeatureGates gates) {
            return v1beta1(gates, OldNames.LEAST);
        }
    },

    V1BETA2("v1.25", "v1.28") {
        @Override
        Struct type() {
            return withInsecurePorts(older(shortName(), "preEnqueue", "multiPoint"));
        }

        @Override
        Map<String, PluginSet> defaults(FeatureGates gates) {
            var plugins = perPoint(gates);
            put(
                    plugins,
                    "preScore",
                    named(
                            "InterPodAffinity",
                            "PodTopologySpread",
                            "TaintToleration",
                            "NodeAffinity",
                            "NodeResourcesFit",
                            "NodeResourcesBalancedAllocation"));
            put(
                    plugins,
                    "score",
                    List.of(
                            new EnabledPlugin("NodeResourcesBalancedAllocation", 1),
                            new EnabledPlugin("ImageLocality", 1),
                            new EnabledPlugin("InterPodAffinity", 1),
                            new EnabledPlugin("NodeResourcesFit", 1),
                            new EnabledPlugin("NodeAffinity", 1),
                            new EnabledPlugin("PodTopologySpread", 2),
                            new EnabledPlugin("TaintToleration", 1)));
            return plugins;
        }
    },

    V1BETA3("v1.26", "v1.29") {
        @Override
        Struct type() {
            return older(shortName(), "preEnqueue", "multiPoint");
        }

        @Override
        Map<String, PluginSet> defaults(FeatureGates gates) {
            var plugins = new ArrayList<EnabledPlugin>();
            for (var plugin : InTree.defaults(gates::isOn)) {
                if (plugin.name().equals("NodeVolumeLimits")) {
                    plugins.addAll(
                            named(
                                    "EBSLimits",
                                    "GCEPDLimits",
                                    "NodeVolumeLimits",
                                    "AzureDiskLimits"));
                } else {
                    plugins.add(plugin);
                }
            }
            return Map.of(ProfileConfiguration.MULTI_POINT, new PluginSet(plugins, List.of()));
        }
    };

    /// Plugins that v1beta2 did away with.
    static final Set<String> REMOVED =
            Set.of(
                    "NodeLabel",
                    "ServiceAffinity",
                    "NodePreferAvoidPods",
                    OldNames.LEAST,
                    OldNames.MOST,
                    OldNames.RATIO);

    private final String deprecated;
    private final String removed;

    /// @param deprecated in which release
    /// @param removed in which release
    OlderVersion(String deprecated, String removed) {
        this.deprecated = deprecated;
        this.removed = removed;
    }

    /// What a file may say.
    abstract Struct type();

    /// The plugins of a profile that says nothing.
    abstract Map<String, PluginSet> defaults(FeatureGates gates);

    /// The version that a file names, null where it is none of these.
    static @Nullable OlderVersion of(String apiVersion) {
        return Stream.of(values())
                .filter(version -> version.apiVersion().equals(apiVersion))
                .findFirst()
                .orElse(null);
    }

    String apiVersion() {
        return SchedulerConfiguration.GROUP + "/" + shortName();
    }

    /// Such as `v1beta3`.
    String shortName() {
        return name().toLowerCase(Locale.ROOT);
    }

    String deprecated() {
        return deprecated;
    }

    String removed() {
        return removed;
    }

    /// The types of arguments, by plugin.
    Map<String, Struct> arguments() {
        var types = new HashMap<>(ArgumentTypes.ofAllVersions());
        if (isStrict()) {
            types.keySet().removeAll(REMOVED);
        }
        return types;
    }

    /// From v1beta2 on plugins were gone, and ports were looked at.
    boolean isStrict() {
        return compareTo(V1BETA2) >= 0;
    }

    /// @param resourceScore NodeResourcesLeastAllocated, or NodeResourcesMostAllocated for the
    ///   ClusterAutoscalerProvider
    static Map<String, PluginSet> v1beta1(FeatureGates gates, String resourceScore) {
        var plugins = perPoint(gates);
        var preScore =
                new ArrayList<>(
                        named(
                                "InterPodAffinity",
                                "PodTopologySpread",
                                "TaintToleration",
                                "NodeAffinity",
                                "NodeResourcesBalancedAllocation"));
        var score =
                new ArrayList<>(
                        List.of(
                                new EnabledPlugin("NodeResourcesBalancedAllocation", 1),
                                new EnabledPlugin("ImageLocality", 1),
                                new EnabledPlugin("InterPodAffinity", 1),
                                new EnabledPlugin(resourceScore, 1),
                                new EnabledPlugin("NodeAffinity", 1),
                                new EnabledPlugin("NodePreferAvoidPods", 10000),
                                new EnabledPlugin("PodTopologySpread", 2),
                                new EnabledPlugin("TaintToleration", 1)));
        put(plugins, "preScore", preScore);
        put(plugins, "score", score);
        return plugins;
    }

    /// What came after the lists of old were closed.
    static PluginSet newer(FeatureGates gates) {
        var newer =
                InTree.defaults(gates::isOn).stream()
                        .filter(plugin ->
                                List.of(
                                                "SchedulingGates",
                                                "DynamicResources",
                                                "NodeDeclaredFeatures")
                                        .contains(plugin.name()))
                        .toList();
        return new PluginSet(newer, List.of());
    }

    private static Map<String, PluginSet> perPoint(FeatureGates gates) {
        var plugins = new LinkedHashMap<String, PluginSet>();
        plugins.put(ProfileConfiguration.MULTI_POINT, newer(gates));
        put(plugins, "queueSort", named("PrioritySort"));
        put(
                plugins,
                "preFilter",
                named(
                        "NodeResourcesFit",
                        "NodePorts",
                        "VolumeRestrictions",
                        "PodTopologySpread",
                        "InterPodAffinity",
                        "VolumeBinding",
                        "VolumeZone",
                        "NodeAffinity"));
        put(
                plugins,
                "filter",
                named(
                        "NodeUnschedulable",
                        "NodeName",
                        "TaintToleration",
                        "NodeAffinity",
                        "NodePorts",
                        "NodeResourcesFit",
                        "VolumeRestrictions",
                        "EBSLimits",
                        "GCEPDLimits",
                        "NodeVolumeLimits",
                        "AzureDiskLimits",
                        "VolumeBinding",
                        "VolumeZone",
                        "PodTopologySpread",
                        "InterPodAffinity"));
        put(plugins, "postFilter", named("DefaultPreemption"));
        put(plugins, "reserve", named("VolumeBinding"));
        put(plugins, "preBind", named("VolumeBinding"));
        put(plugins, "bind", named("DefaultBinder"));
        return plugins;
    }

    private static void put(
            Map<String, PluginSet> plugins, String point, List<EnabledPlugin> enabled) {
        plugins.put(point, new PluginSet(enabled, List.of()));
    }

    private static List<EnabledPlugin> named(String... names) {
        return Stream.of(names).map(EnabledPlugin::of).toList();
    }
}
