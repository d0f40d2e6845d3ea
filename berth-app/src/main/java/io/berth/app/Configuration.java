package io.berth.app;

import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.app.option.DeprecatedFlags;
import io.berth.app.option.ElectionFlags;
import io.berth.app.option.LegacyFlags;
import io.berth.app.option.SchedulerOptions;
import io.berth.config.ClientConnectionConfiguration;
import io.berth.config.ConfigurationException;
import io.berth.config.ConfigurationReader;
import io.berth.config.FeatureGates;
import io.berth.config.LeaderElectionConfiguration;
import io.berth.config.PluginArguments;
import io.berth.config.PluginSet;
import io.berth.config.ProfileConfiguration;
import io.berth.config.SchedulerConfiguration;
import io.berth.config.text.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Consumer;

/// The configuration that the options ask for: the file, or the defaults and the flags that stand
/// in for a file; in either case changed by the flags of the leader election (P-47).
final class Configuration {
    private final SchedulerOptions options;
    private final FeatureGates gates;

    Configuration(SchedulerOptions options) {
        this.options = options;
        this.gates = gatesOf(options);
    }

    /// The gates as the configuration asks for them: it also knows some of older releases.
    static FeatureGates gatesOf(SchedulerOptions options) {
        var all = options.gates().all();
        return name -> all.getOrDefault(name, FeatureGates.DEFAULT.enabled(name));
    }

    /// @param more plugins from jars; without a file they come last in the one profile
    /// @param warnings told what is worth a word about a file
    /// @throws ConfigurationException where a file cannot be read or understood
    SchedulerConfiguration read(List<PluginFactory> more, Consumer<String> warnings)
            throws ConfigurationException {
        SchedulerConfiguration configuration =
                options.configFile().isPresent()
                        ? readFile(options.configFile().get(), warnings)
                        : fromFlags(more);
        return withElection(configuration, options.election());
    }

    private SchedulerConfiguration readFile(Path file, Consumer<String> warnings)
            throws ConfigurationException {
        var loaded = new ConfigurationReader(gates).read(file);
        loaded.warnings().forEach(warnings);
        return loaded.configuration();
    }

    private SchedulerConfiguration fromFlags(List<PluginFactory> more) {
        SchedulerConfiguration standard = SchedulerConfiguration.defaults(gates);
        DeprecatedFlags flags = options.deprecated();
        ClientConnectionConfiguration client = standard.clientConnection();
        return standard.withProfiling(
                        flags.profiling().orElse(standard.enableProfiling()),
                        flags.contentionProfiling().orElse(standard.enableContentionProfiling()))
                .withClientConnection(
                        new ClientConnectionConfiguration(
                                flags.kubeconfig().orElse(client.kubeconfig()),
                                client.acceptContentTypes(),
                                flags.contentType().orElse(client.contentType()),
                                flags.queriesPerSecond().orElse(client.qps()),
                                flags.burst().orElse(client.burst())))
                .withProfiles(
                        standard.profiles().stream()
                                .map(profile -> withLegacy(profile, options.legacy()))
                                .map(profile -> withPlugins(profile, more))
                                .toList());
    }

    private static ProfileConfiguration withLegacy(
            ProfileConfiguration profile, LegacyFlags flags) {
        var named =
                new ProfileConfiguration(
                        flags.schedulerName().orElse(profile.schedulerName()),
                        profile.percentageOfNodesToScore(),
                        profile.plugins(),
                        profile.pluginConfig());
        return flags.hardPodAffinityWeight()
                .map(weight -> named.withPluginConfig(withWeight(named.pluginConfig(), weight)))
                .orElse(named);
    }

    private static List<PluginArguments> withWeight(List<PluginArguments> all, int weight) {
        return all.stream()
                .map(one ->
                        one.name().equals("InterPodAffinity")
                                        && one.args() instanceof Value.Fields fields
                                ? new PluginArguments(
                                        one.name(),
                                        fields.with("hardPodAffinityWeight", Value.of(weight)))
                                : one)
                .toList();
    }

    private static ProfileConfiguration withPlugins(
            ProfileConfiguration profile, List<PluginFactory> more) {
        var plugins = new LinkedHashMap<>(profile.plugins());
        PluginSet set = profile.at(ProfileConfiguration.MULTI_POINT);
        var enabled = new ArrayList<>(set.enabled());
        more.forEach(factory -> enabled.add(EnabledPlugin.of(factory.name())));
        plugins.put(ProfileConfiguration.MULTI_POINT, new PluginSet(enabled, set.disabled()));
        return new ProfileConfiguration(
                profile.schedulerName(),
                profile.percentageOfNodesToScore(),
                plugins,
                profile.pluginConfig());
    }

    private static SchedulerConfiguration withElection(
            SchedulerConfiguration configuration, ElectionFlags flags) {
        LeaderElectionConfiguration given = configuration.leaderElection();
        return configuration.withLeaderElection(
                new LeaderElectionConfiguration(
                        flags.leaderElect().orElse(given.leaderElect()),
                        flags.leaseDuration().orElse(given.leaseDuration()),
                        flags.renewDeadline().orElse(given.renewDeadline()),
                        flags.retryPeriod().orElse(given.retryPeriod()),
                        flags.resourceLock().orElse(given.resourceLock()),
                        flags.resourceName().orElse(given.resourceName()),
                        flags.resourceNamespace().orElse(given.resourceNamespace())));
    }
}
