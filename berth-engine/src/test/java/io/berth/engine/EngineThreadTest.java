package io.berth.engine;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static io.berth.testkit.TestPlugins.factory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Log;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Bind;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.QueueSort;
import io.berth.api.spec.PodSpec;
import io.berth.api.verdict.BindVerdict;
import io.berth.api.write.Departure;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Ports;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.Workers;
import io.berth.engine.query.EngineQueries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The engine on its own thread, with bindings on threads of their own.
@Tag("E-3")
@Tag("E-77")
@Timeout(300)
final class EngineThreadTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Map<String, String> bound = new ConcurrentHashMap<>();
    private final List<String> doubles = new CopyOnWriteArrayList<>();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private final CountDownLatch mayBind = new CountDownLatch(1);
    private volatile int cachedNodes;

    /// What goes wrong in the engine's next steps.
    private final Queue<Throwable> breaks = new ConcurrentLinkedQueue<>();

    private final AtomicInteger closed = new AtomicInteger();

    private final Engine engine = engine();
    private final EngineThread thread = new EngineThread(engine, faults::add);

    @AfterEach
    void close() {
        mayBind.countDown();
        thread.close();
    }

    private Engine engine() {
        var enabled = List.of(EnabledPlugin.of("Order"), EnabledPlugin.of("Binder"));
        var ports =
                new Ports(
                        new SystemTime(),
                        1,
                        (name, task) -> Thread.ofVirtual().name(name).start(task),
                        Workers.NONE,
                        new Writes(),
                        (event, related) -> {},
                        new NodeGauge(),
                        QueueMetrics.NONE,
                        Log.NONE);
        return new Engine(
                EngineSettings.of(List.of(ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, enabled)))
                        .awaiting(Set.of(Kind.NODE)),
                Registry.of(
                        List.of(
                                factory("Order", handle -> new Order(closed)),
                                factory("Binder", Binder::new))),
                ports);
    }

    private final class NodeGauge implements EngineMetrics {
        @Override
        public boolean isOn() {
            return true;
        }

        @Override
        public void cached(int nodes, int pods, int assumedPods) {
            cachedNodes = nodes;
            var broken = breaks.poll();
            switch (broken) {
                case null -> {}
                case Error fatal -> throw fatal;
                case RuntimeException mistake -> throw mistake;
                default -> throw new IllegalStateException(broken);
            }
        }
    }

    private record Order(AtomicInteger closed) implements QueueSort, AutoCloseable {
        @Override
        public void close() {
            closed.incrementAndGet();
        }

        @Override
        public String name() {
            return "Order";
        }

        @Override
        public boolean less(QueuedPod a, QueuedPod b) {
            return a.timestampMillis() < b.timestampMillis();
        }
    }

    private record Binder(Handle handle) implements Bind {
        @Override
        public String name() {
            return "Binder";
        }

        @Override
        public BindVerdict bind(Cycle cycle, Pod pod, String nodeName) {
            handle.writes().send(new Write.Bind(pod, nodeName));
            return BindVerdict.BOUND;
        }
    }

    /// Accepts bindings once the test lets it, and echoes them.
    private final class Writes implements ClusterWrites {
        @Override
        public Receipt send(Write write, Departure departure) {
            if (write instanceof Write.Bind(var pod, var node)) {
                bind(pod, node);
            }
            return Receipt.SENT;
        }

        private void bind(Pod pod, String node) {
            try {
                mayBind.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            if (bound.put(pod.key(), node) != null) {
                doubles.add(pod.key());
            }
            engine.seen(pod.onNode(node).toBuilder().resourceVersion("2").build());
        }
    }

    @Test
    void podsFromManyThreadsAreBoundOnceEach() throws InterruptedException {
        mayBind.countDown();
        thread.start();
        for (int i = 0; i < 10; i++) {
            engine.seen(node("n" + i).pods(1000).build());
        }
        engine.synced(Kind.NODE);
        var posters = new ArrayList<Thread>();
        for (int t = 0; t < 4; t++) {
            int poster = t;
            posters.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < 250; i++) {
                                    engine.seen(pod("p" + poster + "-" + i).build());
                                }
                            }));
        }
        for (var poster : posters) {
            poster.join();
        }
        await().atMost(PATIENCE).until(() -> bound.size() == 1000);
        assertThat(thread.drainAndClose(PATIENCE)).isTrue();
        assertThat(doubles).isEmpty();
        assertThat(faults).isEmpty();
    }

    @Test
    void closingWaitsForBindingsUnderWayAndStartsNoOther() {
        thread.start();
        engine.seen(node("a").build());
        engine.synced(Kind.NODE);
        engine.seen(pod("p").build());
        await().atMost(PATIENCE).until(() -> engine.ask(EngineQueries::underWay).get() == 1);
        var closer = Thread.ofPlatform().start(() -> thread.drainAndClose(PATIENCE));
        await().atMost(PATIENCE)
                .until(() -> {
                    engine.seen(pod("late").build());
                    return engine.ask(asked -> asked.counts().active() == 1).get();
                });
        assertThat(bound).isEmpty();
        mayBind.countDown();
        await().atMost(PATIENCE).until(() -> !closer.isAlive());
        assertThat(bound).containsOnlyKeys("default/p");
    }

    @Test
    void bindingThatTakesTooLongIsNotWaitedForLongerThanAllowed() {
        thread.start();
        engine.seen(node("a").build());
        engine.synced(Kind.NODE);
        engine.seen(pod("p").build());
        await().atMost(PATIENCE).until(() -> engine.ask(EngineQueries::underWay).get() == 1);
        assertThat(thread.drainAndClose(Duration.ofMillis(20))).isFalse();
    }

    @Test
    @Tag("P-252")
    void endClosesPluginsAndKeepsNobodyWaiting() throws InterruptedException {
        assertThat(thread.awaitEnd(Duration.ZERO)).as("it has not begun").isTrue();
        thread.start();
        assertThat(thread.awaitEnd(Duration.ZERO)).isFalse();
        thread.close();
        assertThat(thread.awaitEnd(PATIENCE)).isTrue();
        assertThat(closed).hasValue(1);
        // More than the mailbox holds.
        for (int i = 0; i < 100_000; i++) {
            engine.synced(Kind.NODE);
        }
    }

    @Test
    @Tag("E-141")
    void mistakeIsToldAndTheEngineGoesOn() {
        mayBind.countDown();
        thread.start();
        var mistake = new IllegalStateException("a mistake");
        for (int i = 1; i <= 2; i++) {
            int told = i;
            await().atMost(PATIENCE).until(EngineThreadTest::isEngineIdle);
            breaks.add(mistake);
            engine.pause(false);
            await().atMost(PATIENCE).until(() -> faults.size() == told);
        }
        engine.seen(node("a").build());
        engine.synced(Kind.NODE);
        engine.seen(pod("p").build());
        await().atMost(PATIENCE).until(() -> bound.size() == 1);
        assertThat(faults).containsExactly(mistake, mistake);
    }

    private static boolean isEngineIdle() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(t ->
                        t.getName().equals("engine") && t.getState() == Thread.State.TIMED_WAITING);
    }

    /// The gauge of nodes stayed behind until a pod came, where the node came to an idle engine.
    @Test
    void sizesAreToldAfterAMessageToAnIdleEngine() {
        thread.start();
        engine.synced(Kind.NODE);
        await().atMost(PATIENCE).until(EngineThreadTest::isEngineIdle);
        engine.seen(node("a").build());
        await().atMost(PATIENCE).until(() -> cachedNodes == 1);
    }

    @Test
    @Tag("E-141")
    void fatalErrorIsTold() {
        thread.start();
        var fatal = new InternalError("the machine is broken");
        breaks.add(fatal);
        engine.pause(false);
        await().atMost(PATIENCE).until(() -> faults.contains(fatal));
    }
}
