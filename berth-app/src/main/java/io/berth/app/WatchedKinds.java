package io.berth.app;

import io.berth.api.model.Kind;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.engine.framework.ProfileSettings;
import io.berth.plugins.InTree;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Which kinds of objects have to be watched for some profiles: pods and nodes always, others only
/// if an enabled plugin looks at them (P-135). A plugin from a jar may look at anything.
final class WatchedKinds {
    private static final Map<String, Set<Kind>> BY_PLUGIN =
            Map.of(
                    "InterPodAffinity",
                    EnumSet.of(Kind.NAMESPACE),
                    "PodTopologySpread",
                    EnumSet.of(
                            Kind.SERVICE,
                            Kind.REPLICATION_CONTROLLER,
                            Kind.REPLICA_SET,
                            Kind.STATEFUL_SET),
                    "DefaultPreemption",
                    EnumSet.of(Kind.POD_DISRUPTION_BUDGET));

    private static final Set<String> IN_TREE =
            InTree.factories().stream().map(PluginFactory::name).collect(Collectors.toSet());

    private WatchedKinds() {}

    static Set<Kind> of(List<ProfileSettings> profiles) {
        var kinds = EnumSet.of(Kind.POD, Kind.NODE);
        for (ProfileSettings profile : profiles) {
            for (String plugin : enabled(profile)) {
                if (!IN_TREE.contains(plugin)) {
                    return EnumSet.allOf(Kind.class);
                }
                if (!plugin.equals("PodTopologySpread") || hasDefaultConstraints(profile)) {
                    kinds.addAll(BY_PLUGIN.getOrDefault(plugin, Set.of()));
                }
            }
        }
        return kinds;
    }

    private static Set<String> enabled(ProfileSettings profile) {
        var names = new HashSet<String>();
        profile.multiPoint().forEach(plugin -> names.add(plugin.name()));
        profile.points()
                .values()
                .forEach(point ->
                        point.enabled().stream().map(EnabledPlugin::name).forEach(names::add));
        return names;
    }

    /// Only default constraints ask which workload a pod belongs to.
    private static boolean hasDefaultConstraints(ProfileSettings profile) {
        Map<String, Object> arguments =
                profile.arguments().getOrDefault("PodTopologySpread", Arguments.NONE).values();
        return !"List".equals(arguments.get("defaultingType"))
                || arguments.get("defaultConstraints") instanceof Collection<?> constraints
                        && !constraints.isEmpty();
    }
}
