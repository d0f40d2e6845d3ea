package io.berth.config;

import io.berth.api.model.Kind;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.engine.framework.ProfileSettings;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Which kinds of objects have to be watched for some profiles: pods and nodes always, others only
/// if an enabled plugin looks at them (P-135).
final class WatchedKinds {
    private WatchedKinds() {}

    static Set<Kind> of(List<ProfileSettings> profiles, Collection<PluginFactory> factories) {
        var kinds = new TreeSet<>(Set.of(Kind.POD, Kind.NODE));
        for (var profile : profiles) {
            var enabled = enabled(profile);
            for (var factory : factories) {
                if (enabled.contains(factory.name())) {
                    kinds.addAll(kinds(factory, profile));
                }
            }
        }
        return kinds;
    }

    private static Set<Kind> kinds(PluginFactory factory, ProfileSettings profile) {
        try {
            return factory.kinds(profile.arguments().getOrDefault(factory.name(), Arguments.NONE));
        } catch (IllegalArgumentException unusable) {
            // Told where the plugin is made.
            return Set.of();
        }
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
}
