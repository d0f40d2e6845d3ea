package io.berth.up;

import io.berth.api.model.Kind;
import io.berth.app.Version;
import io.berth.app.explain.LiveState;
import io.berth.app.page.LoopbackPage;
import io.berth.config.EngineSetup;
import io.berth.config.SchedulerConfiguration;
import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import io.berth.lab.explain.Source;
import io.berth.serving.tls.ServingException;
import io.berth.ui.Doorkeeper;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// The page about the cluster. It is there before the cluster is, so that its link can be the first
/// thing that one reads.
final class UpPage implements AutoCloseable {
    static final int USUAL_PORT = 18080;

    private final AtomicReference<Supplier<CompletableFuture<LiveState>>> cluster =
            new AtomicReference<>(UpPage::notYet);
    private final LoopbackPage page;

    UpPage(boolean isScheduled, int port) {
        this(isScheduled, port, Doorkeeper.newKey());
    }

    /// @param key the one in the link
    UpPage(boolean isScheduled, int port, String key) {
        var setup = setup();
        page =
                new LoopbackPage(
                        new LoopbackPage.Subject(
                                "berth up",
                                isScheduled ? Source.Kind.SCHEDULER : Source.Kind.CLUSTER,
                                Version.berth(),
                                setup.settings(),
                                setup.registry(),
                                () -> cluster.get().get()),
                        port,
                        key);
    }

    /// On its usual port, or where another has that, on any free one.
    static UpPage open(UpOptions options) {
        // Whoever leaves the API server's port open wants no port in particular.
        if (options.port() != 0) {
            try {
                return new UpPage(options.scheduler(), USUAL_PORT);
            } catch (ServingException taken) {
                // Perhaps by another cluster.
            }
        }
        return new UpPage(options.scheduler(), 0);
    }

    private static CompletableFuture<LiveState> notYet() {
        return CompletableFuture.failedFuture(new IllegalStateException("the cluster is starting"));
    }

    /// What judges here, with all defaults.
    static EngineSetup setup() {
        var gates = FeatureGates.DEFAULT;
        try {
            return EngineSetup.of(
                    SchedulerConfiguration.defaults(gates),
                    gates,
                    List.of(),
                    EngineSetup.MAX_TIME_PARKED);
        } catch (ConfigurationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /// The kinds that are needed to judge pods.
    static Set<Kind> kinds() {
        var kinds = new TreeSet<>(setup().settings().awaitedKinds());
        kinds.addAll(List.of(Kind.NODE, Kind.POD));
        return kinds;
    }

    /// Has it show a cluster from now on.
    void show(Supplier<CompletableFuture<LiveState>> knowledge) {
        cluster.set(knowledge);
    }

    String link() {
        return page.link();
    }

    @Override
    public void close() {
        page.close();
    }
}
