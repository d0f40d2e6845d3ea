package io.berth.app;

import io.berth.api.model.Kind;
import io.berth.api.plugin.Log;
import io.berth.app.log.HushableLog;
import io.berth.app.metrics.MetricsSettings;
import io.berth.app.metrics.ProcessMetrics;
import io.berth.app.option.MetricsOptions;
import io.berth.app.serve.SchedulerPages;
import io.berth.engine.Engine;
import io.berth.engine.EngineThread;
import io.berth.engine.port.Ports;
import io.berth.engine.port.Tasks;
import io.berth.engine.port.TimeSource;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.WriteGate;
import io.berth.kube.watch.ClusterWatch;
import io.berth.kube.write.EventRecorder;
import io.berth.kube.write.HttpClusterWrites;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Builds a scheduler by hand and runs it until it is closed.
///
/// Parts are built from the outside in and started in the order in which a pod meets them; they are
/// closed the other way round.
public final class Wiring implements AutoCloseable {
    private static final Duration DRAIN = Duration.ofMillis(700);

    private final HushableLog log;
    private final ProcessMetrics metrics;
    private final ApiClient client;
    private final ApiClient eventClient;
    private final EventRecorder recorder;
    private final PoolWorkers workers;
    private final Engine engine;
    private final EngineThread thread;
    private final Set<Kind> kinds;
    private @Nullable ClusterWatch watch;

    private Wiring(Setup setup, Log log, Consumer<Throwable> faults) {
        this.log = new HushableLog(log);
        this.metrics = new ProcessMetrics(metricsSettings(setup.options().metrics()));
        this.client =
                new ApiClient(setup.connection(), setup.client(), WriteGate.OPEN, metrics.client());
        // Events have a rate of their own, so that a flood of them holds up no binding.
        this.eventClient =
                new ApiClient(setup.connection(), setup.client(), WriteGate.OPEN, metrics.client());
        this.recorder = new EventRecorder(eventClient, hostName());
        this.workers = new PoolWorkers(setup.parallelism());
        this.kinds = setup.engine().awaitedKinds();
        this.engine = new Engine(setup.engine(), setup.registry(), ports());
        this.thread = new EngineThread(engine, faults);
    }

    private static MetricsSettings metricsSettings(MetricsOptions options) {
        return MetricsSettings.of(options.disabled(), options.labelValues());
    }

    /// All metrics of the process, for its pages.
    public ProcessMetrics metrics() {
        return metrics;
    }

    /// The pages of metrics.
    ///
    /// @param leading whether this process has become the leader
    public SchedulerPages.Metrics metricsPages(BooleanSupplier leading) {
        return metrics.pages(engine::pods, leading);
    }

    /// Builds a scheduler with all its plugins, which does nothing yet.
    ///
    /// @param faults told of our own mistakes, after they have been logged
    /// @throws io.berth.engine.framework.SettingsException where a plugin or profile cannot be
    ///   built
    public static Wiring build(Setup setup, Log log, Consumer<Throwable> faults) {
        return new Wiring(setup, log, faults);
    }

    /// Follows the cluster and places pods, until [#close].
    public Wiring start() {
        thread.start();
        watch = ClusterWatch.start(client, kinds, engine);
        return this;
    }

    /// Compares what the watches saw with what the engine holds, and writes it to the log.
    public void debug() {
        engine.debug();
    }

    private Ports ports() {
        return new Ports(
                new SystemTime(),
                RandomGenerator.of("L64X128MixRandom"),
                onVirtualThreads(),
                workers,
                new HttpClusterWrites(client),
                recorder,
                metrics.scheduler(),
                metrics.scheduler(),
                log);
    }

    private static Tasks onVirtualThreads() {
        return (name, task) -> Thread.ofVirtual().name(name).start(task);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }

    /// Stops without waiting for writes under way: for a cluster that is about to vanish anyway.
    public void abandon() {
        log.hush();
        closeWatch();
        thread.close();
        workers.close();
        eventClient.close();
        client.close();
        // It gives its last writes a second, in vain.
        Thread.ofVirtual().name("events-end").start(recorder::close);
    }

    /// Stops placing pods, lets the writes under way come to their end for a moment, and closes.
    @Override
    public void close() {
        closeWatch();
        thread.drainAndClose(DRAIN);
        workers.close();
        recorder.close();
        eventClient.close();
        client.close();
    }

    private void closeWatch() {
        if (watch != null) {
            watch.close();
        }
    }

    /// The clocks of this machine.
    private static final class SystemTime implements TimeSource {
        @Override
        public long nowMillis() {
            return System.currentTimeMillis();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }
    }
}
