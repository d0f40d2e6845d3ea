package io.berth.config;

import io.berth.api.plugin.EnabledPlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The plugins of kube-scheduler 1.36: which a profile has unless it says otherwise (rule P-81),
/// and all that can be named (rule P-82).
public final class DefaultPlugins {
    private static final List<EnabledPlugin> ALWAYS =
            List.of(
                    EnabledPlugin.of("SchedulingGates"),
                    EnabledPlugin.of("PrioritySort"),
                    EnabledPlugin.of("NodeUnschedulable"),
                    EnabledPlugin.of("NodeName"),
                    new EnabledPlugin("TaintToleration", 3),
                    new EnabledPlugin("NodeAffinity", 2),
                    EnabledPlugin.of("NodePorts"),
                    new EnabledPlugin("NodeResourcesFit", 1),
                    EnabledPlugin.of("VolumeRestrictions"),
                    EnabledPlugin.of("NodeVolumeLimits"),
                    EnabledPlugin.of("VolumeBinding"),
                    EnabledPlugin.of("VolumeZone"),
                    new EnabledPlugin("PodTopologySpread", 2),
                    new EnabledPlugin("InterPodAffinity", 2),
                    new EnabledPlugin("DynamicResources", 2),
                    EnabledPlugin.of("DefaultPreemption"),
                    new EnabledPlugin("NodeResourcesBalancedAllocation", 1),
                    new EnabledPlugin("ImageLocality", 1),
                    EnabledPlugin.of("DefaultBinder"));

    /// Every name that kube-scheduler knows, with the points that it has there.
    private static final Map<String, Set<String>> UNIMPLEMENTED_POINTS =
            Map.of(
                    "VolumeRestrictions",
                    Set.of("preFilter", "filter"),
                    "NodeVolumeLimits",
                    Set.of("preFilter", "filter"),
                    "VolumeBinding",
                    Set.of("preFilter", "filter", "preScore", "score", "reserve", "preBind"),
                    "VolumeZone",
                    Set.of("preFilter", "filter"),
                    "GangScheduling",
                    Set.of("preEnqueue", "permit"),
                    "TopologyPlacementGenerator",
                    Set.of("placementGenerate"),
                    "PodGroupPodsCount",
                    Set.of("placementScore"));

    private DefaultPlugins() {}

    public static List<EnabledPlugin> multiPoint(FeatureGates gates) {
        var plugins = new ArrayList<>(ALWAYS);
        if (gates.enabled("NodeDeclaredFeatures")) {
            plugins.add(EnabledPlugin.of("NodeDeclaredFeatures"));
        }
        if (gates.enabled("GangScheduling")) {
            plugins.add(EnabledPlugin.of("GangScheduling"));
        }
        if (gates.enabled("TopologyAwareWorkloadScheduling")) {
            plugins.add(EnabledPlugin.of("TopologyPlacementGenerator"));
            plugins.add(new EnabledPlugin("PodGroupPodsCount", 1));
        }
        return List.copyOf(plugins);
    }

    /// The points of a plugin that kube-scheduler has and Berth may lack; empty for other names.
    static Set<String> pointsUpstream(String name) {
        return UNIMPLEMENTED_POINTS.getOrDefault(name, Set.of());
    }
}
