package io.berth.app;

import io.berth.api.model.Kind;
import io.berth.api.model.PodSpec;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.PluginFactory;
import io.berth.app.log.HushableLog;
import io.berth.app.metrics.MetricsSettings;
import io.berth.app.metrics.ProcessMetrics;
import io.berth.engine.Engine;
import io.berth.engine.EngineSettings;
import io.berth.engine.EngineThread;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.Ports;
import io.berth.engine.port.Tasks;
import io.berth.engine.port.TimeSource;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.client.Connection;
import io.berth.kube.client.WriteGate;
import io.berth.kube.watch.ClusterWatch;
import io.berth.kube.write.EventRecorder;
import io.berth.kube.write.HttpClusterWrites;
import io.berth.plugins.InTree;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Builds a scheduler by hand and runs it until it is closed.
///
/// Parts are built from the outside in and started in the order in which a pod meets them; they are
/// closed the other way round.
public final class Wiring implements AutoCloseable {
    private static final Duration DRAIN = Duration.ofMillis(700);

    private final HushableLog log;
    private final ProcessMetrics metrics = new ProcessMetrics(MetricsSettings.DEFAULT);
    private final ApiClient client;
    private final ApiClient eventClient;
    private final EventRecorder recorder;
    private final PoolWorkers workers;
    private final Engine engine;
    private final EngineThread thread;
    private final ClusterWatch watch;

    private Wiring(
            Connection connection,
            ClientOptions options,
            List<PluginFactory> more,
            Log log,
            Consumer<Throwable> faults) {
        this.log = new HushableLog(log);
        this.client = new ApiClient(connection, options, WriteGate.OPEN, metrics.client());
        // Events have a rate of their own, so that a flood of them holds up no binding.
        this.eventClient = new ApiClient(connection, options, WriteGate.OPEN, metrics.client());
        this.recorder = new EventRecorder(eventClient, hostName());
        this.workers = new PoolWorkers(Runtime.getRuntime().availableProcessors());
        this.engine =
                new Engine(EngineSettings.of(List.of(profile(more))), registry(more), ports());
        this.thread = new EngineThread(engine, faults);
        thread.start();
        this.watch = ClusterWatch.start(client, EnumSet.allOf(Kind.class), engine);
    }

    /// Starts a scheduler with the default profile.
    ///
    /// @param more plugins beside those that Berth brings along; they come last in the profile
    /// @param faults told of our own mistakes, after they have been logged
    public static Wiring start(
            Connection connection,
            ClientOptions options,
            List<PluginFactory> more,
            Log log,
            Consumer<Throwable> faults) {
        return new Wiring(connection, options, more, log, faults);
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
        watch.close();
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
        watch.close();
        thread.drainAndClose(DRAIN);
        workers.close();
        recorder.close();
        eventClient.close();
        client.close();
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
