package io.berth.bench.stress;

import io.berth.api.handle.Log;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.api.spec.PodSpec;
import io.berth.app.Setup;
import io.berth.app.Wiring;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.kube.client.ClientOptions;
import io.berth.plugins.InTree;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// One run: a storm of some minutes, then a calm, in which everything must come right.
final class StressRun {
    /// So small that the flood fills it.
    private static final int MAILBOX = 64;

    private static final Duration PAUSE = Duration.ofMillis(500);

    /// What is slow at first is the start of a JVM, not the scheduler; nothing else is forgiven.
    private static final Duration WARM_UP = Duration.ofSeconds(10);

    private final long seed;
    private final Duration length;
    private final Consumer<String> progress;
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();

    /// @param progress hears now and then how far it is
    StressRun(long seed, Duration length, Consumer<String> progress) {
        this.seed = seed;
        this.length = length;
        this.progress = progress;
    }

    Findings run() throws IOException, InterruptedException {
        var bindings = new Bindings();
        var server = new BusyServer(seed, bindings);
        try (var cluster = new Cluster(server);
                var gang = new Gang(seed + 1, bindings);
                var _ = new Kubelets(cluster);
                var users = new Users(cluster, seed + 2);
                var scheduler = Wiring.build(setup(cluster, gang), Log.NONE, faults::add).start();
                var probe = new EngineProbe(scheduler)) {
            users.start();
            storm(bindings, server, probe);
            users.stop();
            server.calm();
            progress.accept("calm");
            var audit = new Audit(cluster, server);
            var wrong = audit.wrongConditions();
            var victims = audit.victims();
            return new Findings(
                    bindings.count(),
                    users.heartbeats(),
                    server,
                    probe.longestNanos(),
                    probe.longestMachineNanos(),
                    bindings.longestNanos(),
                    bindings.longestOf(),
                    wrong,
                    victims,
                    audit.lostRoom(),
                    audit.leftWaiting(gang),
                    faults);
        }
    }

    private static Setup setup(Cluster cluster, Gang gang) {
        var usual = Setup.of(cluster.connection(), ClientOptions.DEFAULT, Log.NONE);
        var factories = new ArrayList<PluginFactory>(InTree.factories());
        factories.add(gang);
        var plugins = new ArrayList<>(InTree.defaults());
        plugins.add(EnabledPlugin.of(Gang.NAME));
        return new Setup(
                usual.options(),
                usual.configuration(),
                usual.connection(),
                usual.client(),
                usual.engine()
                        .withProfiles(
                                List.of(ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, plugins)))
                        .withMailboxCapacity(MAILBOX),
                Registry.of(factories));
    }

    private void storm(Bindings bindings, BusyServer server, EngineProbe probe)
            throws InterruptedException {
        long begin = System.nanoTime();
        long elapsed = 0;
        boolean isWarm = false;
        while (elapsed < length.toNanos()) {
            Thread.sleep(PAUSE);
            elapsed = System.nanoTime() - begin;
            if (!isWarm && elapsed > WARM_UP.toNanos()) {
                isWarm = true;
                probe.warm();
                bindings.warm();
            }
            progress.accept(
                    String.format(
                            Locale.ROOT,
                            "%s of %s, %d bindings, %d of %d writes refused, longest step %d ms,"
                                    + " longest binding %d ms",
                            clock(elapsed / 1_000_000_000),
                            clock(length.toSeconds()),
                            bindings.count(),
                            server.refusedCount(),
                            server.writeCount(),
                            probe.longestNanos() / 1_000_000,
                            bindings.longestNanos() / 1_000_000));
        }
    }

    private static String clock(long seconds) {
        return String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
    }
}
