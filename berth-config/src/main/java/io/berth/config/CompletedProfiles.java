package io.berth.config;

import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Nothing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Profiles as they are when their plugins have been made (rule P-58): arguments of plugins that no
/// point uses are gone, the rest is in alphabetical order, and resources that an extender looks
/// after are ignored by NodeResourcesFit (rule P-99).
public final class CompletedProfiles {
    private static final String FIT = "NodeResourcesFit";

    private CompletedProfiles() {}

    public static List<ProfileConfiguration> of(SchedulerConfiguration configuration) {
        var ignored =
                configuration.extenders().stream()
                        .flatMap(extender -> extender.managedResources().stream())
                        .filter(ExtenderConfiguration.ManagedResource::ignoredByScheduler)
                        .map(ExtenderConfiguration.ManagedResource::name)
                        .toList();
        return configuration.profiles().stream()
                .map(profile -> complete(profile, ignored))
                .toList();
    }

    /// The configuration with completed profiles, which is what is logged, written and served.
    public static SchedulerConfiguration in(SchedulerConfiguration configuration) {
        return configuration.withProfiles(of(configuration));
    }

    private static ProfileConfiguration complete(
            ProfileConfiguration profile, List<String> ignored) {
        var needed = profile.enabledNames();
        var config = new ArrayList<PluginArguments>();
        for (var entry : profile.pluginConfig()) {
            if (needed.contains(entry.name()) && !(entry.args() instanceof Nothing)) {
                config.add(
                        entry.name().equals(FIT) && !ignored.isEmpty()
                                ? ignoring(entry, ignored)
                                : entry);
            }
        }
        config.sort(Comparator.comparing(PluginArguments::name));
        return profile.withPluginConfig(config);
    }

    /// Replaces what the arguments say, as upstream does.
    private static PluginArguments ignoring(PluginArguments fit, List<String> resources) {
        return fit.args() instanceof Fields args
                ? new PluginArguments(
                        fit.name(),
                        args.with(
                                "ignoredResources",
                                Value.of(resources.stream().map(Value::of).toList())))
                : fit;
    }
}
