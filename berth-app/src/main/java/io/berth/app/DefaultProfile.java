package io.berth.app;

import io.berth.api.model.PodSpec;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.ProfileSettings.Enabled;
import java.util.List;
import java.util.Set;

/// The profile that is used when nothing else is configured (contract rules P-81 and E-126).
final class DefaultProfile {
    private static final List<Enabled> PLUGINS =
            List.of(
                    Enabled.of("SchedulingGates"),
                    Enabled.of("PrioritySort"),
                    Enabled.of("NodeUnschedulable"),
                    Enabled.of("NodeName"),
                    new Enabled("TaintToleration", 3),
                    new Enabled("NodeAffinity", 2),
                    Enabled.of("NodePorts"),
                    new Enabled("NodeResourcesFit", 1),
                    Enabled.of("VolumeRestrictions"),
                    Enabled.of("NodeVolumeLimits"),
                    Enabled.of("VolumeBinding"),
                    Enabled.of("VolumeZone"),
                    new Enabled("PodTopologySpread", 2),
                    new Enabled("InterPodAffinity", 2),
                    new Enabled("DynamicResources", 2),
                    Enabled.of("DefaultPreemption"),
                    new Enabled("NodeResourcesBalancedAllocation", 1),
                    new Enabled("ImageLocality", 1),
                    Enabled.of("DefaultBinder"),
                    Enabled.of("NodeDeclaredFeatures"));

    private DefaultProfile() {}

    /// The profile with those of its plugins that this build contains.
    static ProfileSettings with(Set<String> known) {
        List<Enabled> enabled =
                PLUGINS.stream().filter(plugin -> known.contains(plugin.name())).toList();
        return ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, enabled);
    }

    /// The names of plugins that the profile lacks in this build.
    static List<String> missing(Set<String> known) {
        return PLUGINS.stream().map(Enabled::name).filter(name -> !known.contains(name)).toList();
    }
}
