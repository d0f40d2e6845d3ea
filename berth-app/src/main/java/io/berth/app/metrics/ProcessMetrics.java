package io.berth.app.metrics;

import io.berth.api.model.Pod;
import io.berth.app.explain.PendingCounts;
import io.berth.kube.connection.ClientMetrics;
import io.berth.serving.metrics.Computed;
import io.berth.serving.metrics.HealthSeries;
import io.berth.serving.metrics.JvmSeries;
import io.berth.serving.metrics.MetricsSettings;
import io.berth.serving.metrics.ProcessSeries;
import io.berth.serving.metrics.Registry;
import io.berth.serving.metrics.ServingSeries;
import io.berth.serving.page.SchedulerPages;
import io.berth.serving.page.Scrape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// All metrics of the process, on their three pages: `/metrics`, `/metrics/slis` and
/// `/metrics/resources`. Made first and handed to everything that counts.
public final class ProcessMetrics {
    /// How long the engine may take to list its pods; it answers between two attempts.
    private static final Duration PODS_LIMIT = Duration.ofSeconds(10);

    /// How long it may take to look at its queue, before that metric is left out.
    private static final Duration QUEUE_LIMIT = Duration.ofSeconds(1);

    private final MetricsSettings settings;
    private final Registry process;
    private final Registry slis;
    private final SchedulerSeries scheduler;
    private final ClientSeries client;
    private final ServingSeries serving;
    private final ElectionSeries election;
    private final HealthSeries health;
    private final AboutSeries about;
    private volatile Supplier<CompletableFuture<Map<PendingCounts.Key, Integer>>> pending =
            () -> CompletableFuture.completedFuture(Map.of());

    public ProcessMetrics(MetricsSettings settings) {
        this.settings = settings;
        this.process = Registry.ofProcess(settings);
        this.slis = Registry.plain(settings);
        this.scheduler = new SchedulerSeries(process);
        this.client = new ClientSeries(process);
        this.serving = new ServingSeries(process);
        this.election = new ElectionSeries(process);
        this.about = new AboutSeries(process);
        this.health = new HealthSeries(slis);
        ProcessSeries.register(process);
        JvmSeries.register(process);
        process.computed(SchedulerTable.PENDING_CATEGORIES, this::writePending);
    }

    /// Has the engine asked what pods wait for, whenever somebody reads the metrics.
    public void askForPending(Supplier<CompletableFuture<Map<PendingCounts.Key, Integer>>> engine) {
        pending = engine;
    }

    private void writePending(Computed.Sink sink) {
        try {
            pending.get()
                    .get(QUEUE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                    .forEach(
                            (key, count) -> sink.value(count, key.category().word(), key.plugin()));
        } catch (TimeoutException | ExecutionException busy) {
            // Without this metric the others are still worth having.
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /// For the engine: what it counts, and what its queue counts.
    public SchedulerSeries scheduler() {
        return scheduler;
    }

    public ClientMetrics client() {
        return client;
    }

    public ServingSeries serving() {
        return serving;
    }

    public ElectionSeries election() {
        return election;
    }

    public HealthSeries health() {
        return health;
    }

    public AboutSeries about() {
        return about;
    }

    /// The page `/metrics`.
    public Registry process() {
        return process;
    }

    /// The page `/metrics/slis`.
    public Registry slis() {
        return slis;
    }

    /// The three pages.
    ///
    /// @param pods asks the engine for all pods
    /// @param leading whether this process has become the leader
    public SchedulerPages.Metrics pages(
            Supplier<? extends CompletableFuture<? extends Collection<Pod>>> pods,
            BooleanSupplier leading) {
        var resources =
                new Scrape() {
                    @Override
                    public byte[] text() {
                        return resources(pods.get());
                    }

                    @Override
                    public void reset() {}
                };
        return new SchedulerPages.Metrics(process, resources, slis, leading);
    }

    /// The text of the page `/metrics/resources`.
    ///
    /// @param pods the engine's answer, awaited for a while
    /// @throws IllegalStateException where the engine does not answer in time
    byte[] resources(CompletableFuture<? extends Collection<Pod>> pods) {
        var bytes = new ByteArrayOutputStream(64 * 1024);
        try {
            PodResources.write(
                    pods.get(PODS_LIMIT.toMillis(), TimeUnit.MILLISECONDS), settings, bytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } catch (TimeoutException | ExecutionException trouble) {
            throw new IllegalStateException("the engine did not list its pods", trouble);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stop);
        }
        return bytes.toByteArray();
    }
}
