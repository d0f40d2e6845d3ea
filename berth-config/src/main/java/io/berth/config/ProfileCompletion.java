package io.berth.config;

import io.berth.config.argument.ArgumentDefaults;
import io.berth.config.gate.FeatureGates;
import io.berth.config.schema.ConfigurationTypes;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Nothing;
import io.berth.plugins.InTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/// Fills in what the profiles of a v1 file leave open: plugins, and the arguments of those that are
/// enabled (section 3.3 of the contract).
final class ProfileCompletion {
    private final FeatureGates gates;
    private final ArgumentDefaults arguments;

    ProfileCompletion(FeatureGates gates) {
        this.gates = gates;
        this.arguments = new ArgumentDefaults(gates);
    }

    List<ProfileConfiguration> profiles(List<Fields> file) {
        var given = file.isEmpty() ? List.of(Fields.EMPTY) : file;
        // With several profiles each must be named, which the validation sees to.
        var unnamed = given.size() == 1 ? SchedulerConfiguration.DEFAULT_SCHEDULER : "";
        return given.stream().map(profile -> profile(profile, unnamed)).toList();
    }

    private ProfileConfiguration profile(Fields file, String unnamed) {
        var standard =
                Map.of(
                        ProfileConfiguration.MULTI_POINT,
                        new PluginSet(InTree.defaults(gates::isOn), List.of()));
        var profile =
                new ProfileConfiguration(
                        file.text("schedulerName", unnamed),
                        file.has("percentageOfNodesToScore")
                                ? OptionalInt.of((int) file.number("percentageOfNodesToScore", 0))
                                : OptionalInt.empty(),
                        PluginMerge.merge(standard, plugins(file.fields("plugins"))),
                        List.of());
        return profile.withPluginConfig(pluginConfig(profile, file.objects("pluginConfig")));
    }

    /// A profile of other plugins under the name of an existing one.
    ProfileConfiguration profile(Fields file, ProfileConfiguration like) {
        var profile = profile(file, like.schedulerName());
        return new ProfileConfiguration(
                like.schedulerName(),
                like.percentageOfNodesToScore(),
                profile.plugins(),
                profile.pluginConfig());
    }

    static Map<String, PluginSet> plugins(Fields file) {
        var plugins = new LinkedHashMap<String, PluginSet>();
        for (var point : ConfigurationTypes.POINTS) {
            plugins.put(point, PluginSet.of(file.fields(point)));
        }
        return plugins;
    }

    /// The given arguments, defaults filled in, then those of other enabled plugins (rule P-85).
    private List<PluginArguments> pluginConfig(ProfileConfiguration profile, List<Fields> file) {
        var config = new ArrayList<PluginArguments>();
        var given = new HashSet<String>();
        for (var entry : file) {
            var name = entry.text("name", "");
            given.add(name);
            var args = entry.find("args");
            if (ArgumentDefaults.hasKind(name)) {
                config.add(
                        new PluginArguments(name, arguments.complete(name, entry.fields("args"))));
            } else {
                config.add(new PluginArguments(name, args == null ? new Nothing(0) : args));
            }
        }
        for (var name : profile.enabledNames()) {
            if (!given.contains(name) && ArgumentDefaults.hasKind(name)) {
                config.add(new PluginArguments(name, arguments.complete(name, Fields.EMPTY)));
            }
        }
        return config;
    }
}
