package io.berth.app;

import io.berth.app.explain.ExplainPage;
import io.berth.app.flag.FlagException;
import io.berth.app.flag.GoSyntax;
import io.berth.app.log.ProcessLog;
import io.berth.app.option.LegacyFlags;
import io.berth.app.option.OptionsException;
import io.berth.app.option.SchedulerOptions;
import io.berth.config.ConfigurationWriter;
import io.berth.config.gate.FeatureGates;
import io.berth.kube.client.ApiClient;
import io.berth.serving.auth.AuthClients;
import io.berth.serving.auth.AuthObserver;
import io.berth.serving.auth.Authority;
import io.berth.serving.auth.DelegatedAuthentication;
import io.berth.serving.auth.DelegatedAuthorization;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.HandlerChain;
import io.berth.serving.http.HttpServer;
import io.berth.serving.http.ListenSocket;
import io.berth.serving.page.HealthCheck;
import io.berth.serving.page.HealthObserver;
import io.berth.serving.page.InsecureServers;
import io.berth.serving.page.InsecureSettings;
import io.berth.serving.page.ProcessFacts;
import io.berth.serving.page.SchedulerPages;
import io.berth.serving.tls.ServingException;
import io.berth.serving.tls.ServingSettings;
import io.berth.ui.Page;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The HTTP ports of the process.
///
/// The port is bound when this is made, and most of what can be wrong with it is found out; calls
/// are answered from [#start] on.
final class Serving implements AutoCloseable {
    private final Setup setup;
    private final ProcessLog log;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private @Nullable Port port;

    /// What the HTTPS port needs once it serves.
    private record Port(
            ListenSocket socket,
            DelegatedAuthentication authentication,
            DelegatedAuthorization authorization) {}

    /// What the pages tell about the scheduler behind them.
    ///
    /// @param leaderElection what is wrong with our leadership, where others compete for it
    /// @param liveness what a restart would mend
    /// @param readiness what else readiness depends on
    /// @param explanations the pages below [ExplainPage#PREFIX], for whoever is told what callers
    ///   may read
    /// @param page where a cluster is seen being scheduled; empty where nobody wants it
    record State(
            Optional<HealthCheck> leaderElection,
            BooleanSupplier stopping,
            List<HealthCheck> liveness,
            List<HealthCheck> readiness,
            SchedulerPages.Metrics metrics,
            HealthObserver health,
            Function<Authority, Endpoint> explanations,
            Optional<Page> page) {}

    private Serving(Setup setup, ProcessLog log) {
        this.setup = setup;
        this.log = log;
    }

    /// @throws OptionsException if the port cannot be had
    /// @throws io.berth.kube.connection.ConfigException if callers cannot be judged as asked
    static Serving prepare(Setup setup, AuthObserver observer, ProcessLog log) {
        var serving = new Serving(setup, log);
        try {
            if (setup.options().serving().port() != 0) {
                serving.port = serving.bind(observer);
            }
            return serving;
        } catch (ServingException refused) {
            serving.close();
            throw new OptionsException(String.valueOf(refused.getMessage()));
        } catch (RuntimeException refused) {
            serving.close();
            throw refused;
        }
    }

    private Port bind(AuthObserver observer) {
        SchedulerOptions options = setup.options();
        ListenSocket socket = keep(ListenSocket.bind(options.serving()));
        FeatureGates gates = options.gates();
        var authentication =
                keep(
                        new DelegatedAuthentication(
                                options.authentication(),
                                client(options.authentication().kubeconfig(), "authentication"),
                                new DelegatedAuthentication.Gates(
                                        gates.isOn("AllowParsingUserUIDFromCertAuth"),
                                        gates.isOn("UnauthenticatedHTTP2DOSMitigation")),
                                observer,
                                log));
        var authorization =
                new DelegatedAuthorization(
                        options.authorization(),
                        client(options.authorization().kubeconfig(), "authorization"),
                        ExplainPage::rightInstead,
                        observer,
                        log);
        return new Port(socket, authentication, authorization);
    }

    private Optional<ApiClient> client(Optional<Path> kubeconfig, String purpose) {
        Optional<ApiClient> client = AuthClients.connect(kubeconfig, purpose, System.getenv());
        client.ifPresent(this::keep);
        return client;
    }

    /// Whether nothing of it can be refused any more once this is made: no files are still to be
    /// read, no other ports to be had, and nothing has to be looked up.
    boolean isCertain() {
        SchedulerOptions options = setup.options();
        if (options.legacy().insecure().isPresent()) {
            return false;
        }
        return port == null
                || options.serving().files().equals(ServingSettings.Files.NONE)
                        && options.authentication().tolerateLookupFailure();
    }

    /// Answers calls from now on.
    ///
    /// @throws OptionsException if a port cannot be served
    /// @throws io.berth.kube.connection.ConfigException if it is not known whom to trust
    void start(State state) {
        var health =
                SchedulerPages.Health.of(
                        state.leaderElection,
                        state.stopping,
                        state.liveness,
                        state.readiness,
                        state.health);
        var debug =
                new SchedulerPages.Debug(
                        setup.configuration().enableProfiling(),
                        setup.configuration().enableContentionProfiling(),
                        this::setVerbosity);
        try {
            keep(InsecureServers.start(insecure(), health, state.metrics, debug, about(), log));
            if (port != null) {
                port.authentication.start();
                var pages = SchedulerPages.secure(health, state.metrics, debug, about(), log);
                pages.unlistedPrefix(
                        ExplainPage.PREFIX, state.explanations.apply(port.authorization));
                state.page.ifPresent(page -> keep(page).install(pages));
                keep(
                        HttpServer.secure(
                                port.socket,
                                setup.options().serving(),
                                port.authentication,
                                HandlerChain.secure(
                                        pages, port.authentication, port.authorization, log),
                                log));
            }
        } catch (ServingException refused) {
            throw new OptionsException(String.valueOf(refused.getMessage()));
        }
    }

    private void setVerbosity(String text) {
        try {
            log.setVerbosity(GoSyntax.parseLevel(text));
        } catch (FlagException unreadable) {
            throw new IllegalArgumentException(unreadable.getMessage(), unreadable);
        }
    }

    private SchedulerPages.About about() {
        SchedulerOptions options = setup.options();
        FeatureGates gates = options.gates();
        return new SchedulerPages.About(
                () -> ConfigurationWriter.configz(setup.configuration()),
                gates.isOn("ComponentFlagz") ? Optional.of(flags(options)) : Optional.empty(),
                gates.isOn("ComponentStatusz") ? Optional.of(facts(gates)) : Optional.empty(),
                gates.isOn("CBORServingAndStorage"));
    }

    /// All flags, but those of old releases only if they were given.
    private static Map<String, String> flags(SchedulerOptions options) {
        var flags = new TreeMap<>(options.flagTexts());
        flags.keySet()
                .removeIf(name ->
                        LegacyFlags.NAMES.contains(name)
                                && !options.legacy().given().contains(name));
        return flags;
    }

    private static ProcessFacts facts(FeatureGates gates) {
        return new ProcessFacts(
                Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime()),
                Version.KUBERNETES.substring(1),
                gates.versions().emulation().toString());
    }

    /// The plain port of 1.20 to 1.22, for whoever gives its flags (P-219a).
    private InsecureSettings insecure() {
        return setup.options()
                .legacy()
                .insecure()
                .map(Serving::everything)
                .orElse(InsecureSettings.OFF);
    }

    private static InsecureSettings everything(LegacyFlags.Insecure port) {
        String address = port.address().contains(":") ? "[" + port.address() + "]" : port.address();
        return new InsecureSettings(address + ":" + port.port(), address + ":" + port.port());
    }

    private <T extends AutoCloseable> T keep(T part) {
        parts.push(part);
        return part;
    }

    /// Lets the calls under way finish, and closes.
    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception broken) {
                log.error(broken, "Closing the HTTP port failed");
            }
        }
    }
}
