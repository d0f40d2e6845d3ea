package io.berth.app;

import io.berth.api.handle.Log;
import io.berth.api.plugin.PluginFactory;
import io.berth.app.flag.FlagException;
import io.berth.app.log.ProcessLog;
import io.berth.app.option.OptionsException;
import io.berth.app.option.SchedulerOptions;
import io.berth.config.ClientConnectionConfiguration;
import io.berth.config.CompletedProfiles;
import io.berth.config.ConfigurationWriter;
import io.berth.config.EngineSetup;
import io.berth.config.SchedulerConfiguration;
import io.berth.config.Validation;
import io.berth.config.text.ConfigurationException;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.Registry;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.connection.ConfigException;
import io.berth.kube.connection.Connection;
import io.berth.kube.connection.Connections;
import io.berth.kube.connection.Pem;
import io.berth.kube.lease.ElectionTimes;
import io.berth.serving.tls.Validity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// What a scheduler is built from: options and configuration, checked and brought together.
///
/// @param options serving, authentication, metrics and features, which have no place in a
///   configuration
/// @param configuration with the profiles as they are when all defaults are filled in
public record Setup(
        SchedulerOptions options,
        SchedulerConfiguration configuration,
        Connection connection,
        ClientOptions client,
        EngineSettings engine,
        Registry registry) {
    private static final String LACKING =
            "Berth lacks plugins that the profiles name, pods are placed without them";

    /// Plugins that judge nodes one by one share them among so many workers.
    int parallelism() {
        return Math.min(configuration.parallelism(), Runtime.getRuntime().availableProcessors());
    }

    boolean leaderElect() {
        return configuration.leaderElection().leaderElect();
    }

    /// The configuration in the form of a file.
    String yaml() {
        return ConfigurationWriter.yaml(configuration);
    }

    /// A scheduler with the default profile that competes with nobody and serves nothing, for
    /// whoever brings a connection along.
    public static Setup of(Connection connection, ClientOptions client, Log log) {
        try {
            var flags =
                    SchedulerFlags.SET.parse(List.of("--secure-port=0", "--leader-elect=false"));
            var options = SchedulerOptions.from(flags, SchedulerFlags.SET.valueTexts(flags));
            var configuration =
                    new Configuration(options).read(List.of(), (_, _, _) -> Map.of(), _ -> {});
            return complete(
                    options,
                    configuration,
                    connection,
                    client,
                    List.of(),
                    lacking -> log.info(2, LACKING, "plugins", lacking));
        } catch (FlagException | ConfigurationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// Checks all options and the configuration, whatever is wrong told together, and finds the API
    /// server.
    ///
    /// @throws OptionsException where something cannot be used
    static Setup from(SchedulerOptions options, ProcessLog log) {
        List<String> problems = new ArrayList<>(options.gates().versions().check());
        try {
            List<PluginFactory> more =
                    options.pluginFolder().map(PluginJars::load).orElse(List.of());
            SchedulerConfiguration configuration =
                    new Configuration(options)
                            .read(
                                    more,
                                    (client, namespace, name) ->
                                            PolicyConfigMap.read(
                                                    connection(options, client, log),
                                                    namespace,
                                                    name),
                                    notes(log));
            problems.addAll(Validation.check(configuration, options.gates()));
            problems.addAll(options.check());
            if (problems.isEmpty()) {
                problems.addAll(unworkable(configuration));
            }
            if (!problems.isEmpty()) {
                throw new OptionsException(problems);
            }
            var client = configuration.clientConnection();
            return complete(
                    options,
                    configuration,
                    connection(options, client, log),
                    ClientOptions.DEFAULT
                            .withEnvironment(System.getenv())
                            .withRate(client.qps(), client.burst())
                            .withContentTypes(client.acceptContentTypes(), client.contentType()),
                    more,
                    lacking -> log.warning(LACKING, "plugins", lacking));
        } catch (ConfigurationException broken) {
            problems.addAll(options.check());
            problems.addAll(broken.problems());
            throw new OptionsException(problems);
        }
    }

    private static Configuration.Notes notes(ProcessLog log) {
        return new Configuration.Notes() {
            @Override
            public void warning(String sentence) {
                log.warningLine(sentence);
            }

            @Override
            public void overridden(String plugin) {
                log.info(
                        0,
                        "Default plugin is explicitly re-configured; overriding",
                        "plugin",
                        plugin);
            }
        };
    }

    /// What kube-scheduler notices only when it makes its clients and its elector (P-46, P-106,
    /// P-124).
    private static List<String> unworkable(SchedulerConfiguration configuration) {
        var problems = new ArrayList<String>();
        var client = configuration.clientConnection();
        if (client.qps() > 0 && client.burst() <= 0) {
            problems.add(
                    "burst is required to be greater than 0 when RateLimiter is not set and QPS is"
                            + " set to greater than 0");
        }
        var election = configuration.leaderElection();
        if (election.leaderElect()) {
            try {
                new ElectionTimes(
                                election.leaseDuration(),
                                election.renewDeadline(),
                                election.retryPeriod())
                        .check();
            } catch (ConfigException problem) {
                problems.add(problem.getMessage());
            }
        }
        return problems;
    }

    private static Setup complete(
            SchedulerOptions options,
            SchedulerConfiguration configuration,
            Connection connection,
            ClientOptions client,
            List<PluginFactory> more,
            Consumer<Collection<String>> lacking)
            throws ConfigurationException {
        var engine = EngineSetup.of(configuration, options.gates(), more, options.maxTimeParked());
        if (!engine.missing().isEmpty()) {
            lacking.accept(engine.missing());
        }
        return new Setup(
                options,
                CompletedProfiles.in(configuration),
                connection,
                client,
                engine.settings(),
                engine.registry());
    }

    private static Connection connection(
            SchedulerOptions options, ClientConnectionConfiguration client, ProcessLog log) {
        String kubeconfig = client.kubeconfig();
        String master = options.master().orElse("");
        try {
            var connection = Connections.resolve(kubeconfig, master, System.getenv());
            var own = connection.tls().certificate();
            if (own != null && connection.usesTls()) {
                Validity.warn(
                        "client certificate",
                        own.chain().origin(),
                        Pem.certificates(own.chain().read(), own.chain().origin()).getFirst(),
                        log);
            }
            return connection;
        } catch (ConfigException problem) {
            if (kubeconfig.isEmpty() && master.isEmpty()) {
                log.info(0, "To try Berth without a cluster, run 'berth up'");
            }
            throw problem;
        }
    }
}
