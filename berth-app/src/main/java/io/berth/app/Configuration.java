package io.berth.app;

import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.app.option.DeprecatedFlags;
import io.berth.app.option.ElectionFlags;
import io.berth.app.option.LegacyFlags;
import io.berth.app.option.SchedulerOptions;
import io.berth.config.AlgorithmProvider;
import io.berth.config.ClientConnectionConfiguration;
import io.berth.config.ConfigurationReader;
import io.berth.config.LeaderElectionConfiguration;
import io.berth.config.LegacyPolicy;
import io.berth.config.PluginArguments;
import io.berth.config.PluginSet;
import io.berth.config.ProfileConfiguration;
import io.berth.config.SchedulerConfiguration;
import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The configuration that the options ask for: the file, or the defaults and the flags that stand
/// in for a file; in either case changed by the flags of the leader election (P-47).
final class Configuration {
    private final SchedulerOptions options;
    private final FeatureGates gates;

    Configuration(SchedulerOptions options) {
        this.options = options;
        this.gates = options.gates();
    }

    /// Where policies in the cluster come from.
    @FunctionalInterface
    interface ConfigMaps {
        /// @throws ConfigurationException where it cannot be had
        Map<String, String> data(
                ClientConnectionConfiguration client, String namespace, String name)
                throws ConfigurationException;
    }

    /// What is worth a line in the log about a file.
    @FunctionalInterface
    interface Notes {
        void warning(String sentence);

        /// A default plugin that a profile configures anew (P-83).
        default void overridden(String plugin) {}
    }

    /// @param more plugins from jars; without a file they come last in the one profile
    /// @param maps asked only if a policy is to come from there
    /// @param notes told what is worth a word about a file
    /// @throws ConfigurationException where a file cannot be read or understood
    SchedulerConfiguration read(List<PluginFactory> more, ConfigMaps maps, Notes notes)
            throws ConfigurationException {
        SchedulerConfiguration configuration =
                options.configFile().isPresent()
                        ? readFile(options.configFile().get(), notes)
                        : fromFlags(notes);
        configuration = withPolicy(configuration, options.legacy().policy(), maps, notes);
        if (options.configFile().isEmpty()) {
            configuration =
                    configuration.withProfiles(
                            configuration.profiles().stream()
                                    .map(profile -> withLegacy(profile, options.legacy()))
                                    .map(profile -> withPlugins(profile, more))
                                    .toList());
        }
        return withElection(configuration, options.election());
    }

    private SchedulerConfiguration readFile(Path file, Notes notes) throws ConfigurationException {
        return noted(new ConfigurationReader(gates).read(file), notes);
    }

    private SchedulerConfiguration fromFlags(Notes notes) throws ConfigurationException {
        SchedulerConfiguration standard = SchedulerConfiguration.defaults(gates);
        if (options.legacy().algorithmProvider().isPresent()) {
            String name = options.legacy().algorithmProvider().get();
            standard = noted(AlgorithmProvider.named(name).apply(standard, gates), notes);
        }
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
                                flags.burst().orElse(client.burst())));
    }

    /// A policy replaces the profile, so it does not go with a file that has profiles (P-19).
    private SchedulerConfiguration withPolicy(
            SchedulerConfiguration base, LegacyFlags.Policy policy, ConfigMaps maps, Notes notes)
            throws ConfigurationException {
        if (policy.effectiveFile().isEmpty() && policy.effectiveConfigMap().isEmpty()) {
            return base;
        }
        if (options.configFile().isPresent()
                && !base.profiles().equals(SchedulerConfiguration.defaults(gates).profiles())) {
            throw new ConfigurationException("cannot set a Plugin config and Policy config");
        }
        var legacy = new LegacyPolicy(gates);
        if (policy.effectiveFile().isPresent()) {
            return noted(legacy.fromFile(policy.effectiveFile().get(), base), notes);
        }
        Map<String, String> data =
                maps.data(
                        base.clientConnection(),
                        policy.configMapNamespace(),
                        policy.effectiveConfigMap().orElseThrow());
        return noted(legacy.fromConfigMap(data, base), notes);
    }

    private static SchedulerConfiguration noted(ConfigurationReader.Loaded loaded, Notes notes) {
        loaded.warnings().forEach(notes::warning);
        loaded.overridden().forEach(notes::overridden);
        return loaded.configuration();
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
