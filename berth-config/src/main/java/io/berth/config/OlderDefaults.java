package io.berth.config;

import io.berth.api.plugin.EnabledPlugin;
import io.berth.config.gate.FeatureGates;
import io.berth.plugins.InTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The plugins that a profile had by default in the versions before v1 (rules P-112 and section 3.8
/// of the contract).
///
/// Plugins that came later and guard a pod against a node that cannot run it (scheduling gates,
/// resource claims, declared features) are on here too: an old file could not know of them, and
/// upstream added such plugins to old versions as well, as long as it read them.
final class OlderDefaults {
    private OlderDefaults() {}

    static Map<String, PluginSet> v1beta3(FeatureGates gates) {
        var plugins = new ArrayList<EnabledPlugin>();
        for (var plugin : InTree.defaults(gates::isOn)) {
            if (plugin.name().equals("NodeVolumeLimits")) {
                plugins.addAll(
                        named("EBSLimits", "GCEPDLimits", "NodeVolumeLimits", "AzureDiskLimits"));
            } else {
                plugins.add(plugin);
            }
        }
        return Map.of(ProfileConfiguration.MULTI_POINT, new PluginSet(plugins, List.of()));
    }

    static Map<String, PluginSet> v1beta2(FeatureGates gates) {
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
