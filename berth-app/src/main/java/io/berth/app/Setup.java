package io.berth.app;

import io.berth.api.model.PodSpec;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.app.log.ProcessLog;
import io.berth.app.option.OptionsException;
import io.berth.app.option.SchedulerOptions;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.queue.QueueSettings;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.client.ConfigException;
import io.berth.kube.client.Connection;
import io.berth.kube.client.Connections;
import io.berth.plugins.InTree;
import java.util.ArrayList;
import java.util.List;

/// What a scheduler is built from: options and configuration, checked and brought together.
///
/// @param parallelism how many workers judge nodes for plugins that do it one by one
public record Setup(
        Connection connection,
        ClientOptions client,
        EngineSettings engine,
        Registry registry,
        int parallelism,
        boolean leaderElect) {

    /// A scheduler with the default profile, for whoever brings a connection along.
    public static Setup of(Connection connection, ClientOptions client) {
        return new Setup(
                connection,
                client,
                watchingWhatIsNeeded(EngineSettings.of(List.of(profile(List.of())))),
                registry(List.of()),
                Runtime.getRuntime().availableProcessors(),
                false);
    }

    /// @throws OptionsException where the options and the configuration do not go together
    static Setup from(SchedulerOptions options, ProcessLog log) {
        if (options.configFile().isPresent()) {
            throw new OptionsException("--config is not supported yet by this version of Berth");
        }
        Connection connection = connection(options, log);
        List<PluginFactory> more = options.pluginFolder().map(PluginJars::load).orElse(List.of());
        var byDefault = QueueSettings.DEFAULT;
        var queue =
                new QueueSettings(
                        byDefault.initialBackoff(),
                        byDefault.maxBackoff(),
                        options.maxTimeParked(),
                        options.gates().isOn("SchedulerPopFromBackoffQ"));
        return new Setup(
                connection,
                ClientOptions.DEFAULT.withRate(
                        options.deprecated().queriesPerSecond().orElse(50f),
                        options.deprecated().burst().orElse(100)),
                watchingWhatIsNeeded(EngineSettings.of(List.of(profile(more))).withQueue(queue)),
                registry(more),
                Runtime.getRuntime().availableProcessors(),
                options.election().leaderElect().orElse(true));
    }

    private static Connection connection(SchedulerOptions options, ProcessLog log) {
        String kubeconfig = options.deprecated().kubeconfig().orElse("");
        String master = options.master().orElse("");
        try {
            return Connections.resolve(kubeconfig, master, System.getenv());
        } catch (ConfigException problem) {
            if (kubeconfig.isEmpty() && master.isEmpty()) {
                log.info(0, "To try Berth without a cluster, run 'berth up'");
            }
            throw problem;
        }
    }

    private static EngineSettings watchingWhatIsNeeded(EngineSettings settings) {
        return settings.awaiting(WatchedKinds.of(settings.profiles()));
    }

    private static ProfileSettings profile(List<PluginFactory> more) {
        var enabled = new ArrayList<>(InTree.defaults());
        more.forEach(factory -> enabled.add(EnabledPlugin.of(factory.name())));
        return ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, enabled);
    }

    private static Registry registry(List<PluginFactory> more) {
        var registry = Registry.of(InTree.factories());
        registry.merge(Registry.of(more));
        return registry;
    }
}
