package io.berth.engine;

import io.berth.api.column.NodeView;
import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Log;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Bind;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Permit;
import io.berth.api.plugin.PluginFactory;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.BindVerdict;
import io.berth.api.verdict.PermitVerdict;
import io.berth.api.verdict.Verdict;
import io.berth.api.write.Departure;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Ports;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.Workers;
import io.berth.testkit.Nodes;
import io.berth.testkit.Pods;
import io.berth.testkit.TestPlugins;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The real engine on its real thread, which can be kept in the middle of a step, with more news
/// than it can take and a plugin that makes pods wait for their permit.
final class BusyEngine implements AutoCloseable {
    static final String GANG = "Gang";
    static final String SLOW = "slow";

    /// Keeps the engine in the step that tries the pod named [#SLOW].
    final CountDownLatch mayGoOn = new CountDownLatch(1);

    final CountDownLatch isInside = new CountDownLatch(1);
    final Set<String> bound = ConcurrentHashMap.newKeySet();
    final List<Throwable> faults = new CopyOnWriteArrayList<>();
    final Engine engine;
    final EngineThread thread;
    private final List<Thread> watches = new ArrayList<>();
    private final AtomicReference<@Nullable Error> breaks = new AtomicReference<>();
    private volatile boolean isOver;
    private @Nullable Handle handle;

    BusyEngine() {
        var factories =
                List.<PluginFactory>of(
                        TestPlugins.factory(new TestPlugins.Order()),
                        TestPlugins.factory(new Gang()),
                        TestPlugins.factory(new Keeper()),
                        TestPlugins.factory(
                                "Binder",
                                given -> {
                                    handle = given;
                                    return new Binder();
                                }));
        var enabled = factories.stream().map(factory -> EnabledPlugin.of(factory.name())).toList();
        engine =
                new Engine(
                        EngineSettings.of(
                                        List.of(
                                                ProfileSettings.of(
                                                        PodSpec.DEFAULT_SCHEDULER, enabled)))
                                .awaiting(Set.of()),
                        Registry.of(factories),
                        new Ports(
                                new SystemTime(),
                                1,
                                (name, task) -> Thread.ofVirtual().name(name).start(task),
                                Workers.NONE,
                                new NoWrites(),
                                (event, related) -> {},
                                new Breaking(),
                                QueueMetrics.NONE,
                                Log.NONE));
        thread = new EngineThread(engine, faults::add);
        thread.start();
        engine.seen(Nodes.node("a").pods(1_000_000).build());
    }

    /// Lets something go wrong in the engine itself.
    void breakNextStep(Error how) {
        breaks.set(how);
        engine.pause(false);
    }

    private final class Breaking implements EngineMetrics {
        @Override
        public boolean isOn() {
            return breaks.get() != null;
        }

        @Override
        public void cached(int nodes, int pods, int assumedPods) {
            var broken = breaks.getAndSet(null);
            if (broken != null) {
                throw broken;
            }
        }
    }

    Handle handle() {
        return Objects.requireNonNull(handle);
    }

    /// Keeps the engine inside a step.
    void hang() throws InterruptedException {
        engine.seen(Pods.pod(SLOW).build());
        isInside.await();
    }

    /// As many watches as this tell of a node, over and over, as fast as they can.
    void flood(int count) {
        for (int i = 0; i < count; i++) {
            var name = "busy" + i;
            watches.add(
                    Thread.ofPlatform()
                            .daemon(true)
                            .start(() -> {
                                for (long v = 0; !isOver; v++) {
                                    var version = Long.toString(v);
                                    engine.seen(
                                            Nodes.node(name)
                                                    .with(b -> b.resourceVersion(version))
                                                    .build());
                                }
                            }));
        }
    }

    /// Whether every watch waits for room.
    boolean isFull() {
        return watches.stream().allMatch(watch -> watch.getState() == Thread.State.WAITING);
    }

    boolean haveWatchesEnded() {
        isOver = true;
        return watches.stream().noneMatch(Thread::isAlive);
    }

    @Override
    public void close() {
        isOver = true;
        mayGoOn.countDown();
        thread.close();
    }

    private record Gang() implements Permit {
        @Override
        public String name() {
            return GANG;
        }

        @Override
        public PermitVerdict permit(Cycle cycle, Pod pod, String nodeName) {
            return new PermitVerdict.Wait(Duration.ofMinutes(10));
        }
    }

    private final class Keeper implements Filter {
        @Override
        public String name() {
            return "Keeper";
        }

        @Override
        public Verdict filter(Cycle cycle, Pod pod, NodeView node) {
            if (pod.name().equals(SLOW)) {
                isInside.countDown();
                awaitUninterruptibly();
            }
            return Verdict.PASS;
        }

        /// As a plugin does that takes no notice of anything.
        private void awaitUninterruptibly() {
            while (true) {
                try {
                    mayGoOn.await();
                    return;
                } catch (InterruptedException _) {
                    // It does not care.
                }
            }
        }
    }

    private final class Binder implements Bind {
        @Override
        public String name() {
            return "Binder";
        }

        @Override
        public BindVerdict bind(Cycle cycle, Pod pod, String nodeName) {
            bound.add(pod.name());
            return BindVerdict.BOUND;
        }
    }

    private record NoWrites() implements ClusterWrites {
        @Override
        public Receipt send(Write write, Departure departure) {
            return departure.leaves() ? Receipt.SENT : Receipt.WITHDRAWN;
        }
    }
}
