package io.berth.app;

import io.berth.api.model.Kind;
import io.berth.api.plugin.PluginFactory;
import io.berth.engine.Engine;
import io.berth.engine.EngineSettings;
import io.berth.engine.EngineThread;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Log;
import io.berth.engine.port.Ports;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.Tasks;
import io.berth.engine.port.TimeSource;
import io.berth.engine.port.Workers;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.client.Connection;
import io.berth.kube.watch.ClusterWatch;
import io.berth.kube.write.EventRecorder;
import io.berth.kube.write.HttpClusterWrites;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/// Builds a scheduler by hand and runs it until it is closed.
///
/// Parts are built from the outside in and started in the order in which a pod meets them; they are
/// closed the other way round.
public final class Wiring implements AutoCloseable {
    private static final Duration DRAIN = Duration.ofMillis(700);

    private final ApiClient client;
    private final ApiClient eventClient;
    private final EventRecorder recorder;
    private final EngineThread thread;
    private final ClusterWatch watch;

    private Wiring(
            Connection connection, ClientOptions options, Log log, Consumer<Throwable> faults) {
        this.client = new ApiClient(connection, options);
        // Events have a rate of their own, so that a flood of them holds up no binding.
        this.eventClient = new ApiClient(connection, options);
        this.recorder = new EventRecorder(eventClient, hostName());
        var plugins =
                ServiceLoader.load(PluginFactory.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        var engine = new Engine(settings(plugins, log), Registry.of(plugins), ports(log));
        this.thread = new EngineThread(engine, faults);
        thread.start();
        this.watch = ClusterWatch.start(client, EnumSet.allOf(Kind.class), engine);
    }

    /// Starts a scheduler with the default profile.
    ///
    /// @param faults told of our own mistakes, after they have been logged
    public static Wiring start(
            Connection connection, ClientOptions options, Log log, Consumer<Throwable> faults) {
        return new Wiring(connection, options, log, faults);
    }

    private static EngineSettings settings(List<PluginFactory> plugins, Log log) {
        Set<String> known =
                plugins.stream().map(PluginFactory::name).collect(Collectors.toUnmodifiableSet());
        List<String> missing = DefaultProfile.missing(known);
        if (!missing.isEmpty()) {
            log.info(
                    1,
                    "Plugins of the default profile that this version lacks",
                    "plugins",
                    missing);
        }
        return EngineSettings.of(List.of(DefaultProfile.with(known)));
    }

    private Ports ports(Log log) {
        return new Ports(
                new SystemTime(),
                RandomGenerator.of("L64X128MixRandom"),
                onVirtualThreads(),
                Workers.NONE,
                new HttpClusterWrites(client),
                recorder,
                EngineMetrics.NONE,
                QueueMetrics.NONE,
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

    @Override
    public void close() {
        watch.close();
        thread.drainAndClose(DRAIN);
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
