package io.berth.engine;

import io.berth.api.explain.Decision;
import io.berth.api.handle.ClusterException;
import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Extender;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Recorder;
import io.berth.api.handle.WaitingPod;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.plugin.EnabledPlugin;
import io.berth.api.plugin.Plugin;
import io.berth.api.plugin.PluginFactory;
import io.berth.api.spec.PodSpec;
import io.berth.api.write.Departure;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.port.AttemptObserver;
import io.berth.engine.port.Ports;
import io.berth.engine.port.Workers;
import io.berth.engine.query.Books;
import io.berth.engine.queue.QueuedPodInfo;
import io.berth.testkit.InMemoryCluster;
import io.berth.testkit.NotedLog;
import io.berth.testkit.TestPlugins;
import io.berth.testkit.TestPlugins.Binder;
import io.berth.testkit.TestPlugins.Order;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The real engine around hand-written plugins. Queue order (priority, then age) and binding are
/// added; everything else is what the test brings.
public final class Bed {
    public final TestScheduler scheduler;
    public final NotedLog log = new NotedLog();

    /// Status writes in order: `name nomination=... reason=...`.
    public final List<String> writes = new ArrayList<>();

    /// What an observer of attempts hears.
    public final List<String> attempts = new ArrayList<>();

    /// The next status writes fail with this.
    public @Nullable ClusterException patchFailure;

    private @Nullable Handle handle;

    private Bed(
            List<Plugin> plugins,
            UnaryOperator<ProfileSettings> change,
            UnaryOperator<EngineSettings> engine,
            Workers workers,
            List<Extender> extenders,
            UnaryOperator<Ports> more) {
        var factories = new ArrayList<PluginFactory>();
        var enabled = new ArrayList<EnabledPlugin>();
        factories.add(TestPlugins.factory(new Order()));
        enabled.add(EnabledPlugin.of("Order"));
        for (var plugin : plugins) {
            factories.add(TestPlugins.factory(plugin));
            enabled.add(EnabledPlugin.of(plugin.name()));
        }
        factories.add(
                TestPlugins.factory(
                        "Binder",
                        given -> {
                            handle = given;
                            return new Binder(given);
                        }));
        enabled.add(EnabledPlugin.of("Binder"));
        scheduler =
                TestScheduler.with(
                        factories,
                        engine,
                        ports ->
                                more.apply(
                                        noted(ports, workers)
                                                .withExtenders(extenders)
                                                .watchedBy(new Noting())),
                        change.apply(ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, enabled)));
    }

    private final class Noting implements AttemptObserver {
        @Override
        public void decided(Pod pod, String profile, Supplier<Decision> decision) {
            attempts.add(
                    pod.name()
                            + " "
                            + switch (decision.get()) {
                                case Decision.Placed(var choice, int evaluated, int feasible) ->
                                        "to %s by %s, %d of %d"
                                                .formatted(
                                                        choice.node(),
                                                        choice.reason(),
                                                        feasible,
                                                        evaluated);
                                case Decision.Unplaced(var rejectors) -> "nowhere " + rejectors;
                                case Decision.Broken(var cause) -> "broken " + cause.getMessage();
                            });
        }

        @Override
        public void failed(Pod pod, String profile, String message) {
            attempts.add(pod.name() + " failed: " + message);
        }

        @Override
        public void givenBack(Pod pod, String node) {
            attempts.add(pod.name() + " gives back " + node);
        }
    }

    public static Bed of(Plugin... plugins) {
        return with(List.of(), plugins);
    }

    public static Bed with(List<Extender> extenders, Plugin... plugins) {
        return new Bed(
                List.of(plugins),
                profile -> profile,
                engine -> engine,
                Workers.NONE,
                extenders,
                ports -> ports);
    }

    public static Bed of(UnaryOperator<ProfileSettings> change, Plugin... plugins) {
        return new Bed(
                List.of(plugins),
                change,
                engine -> engine,
                Workers.NONE,
                List.of(),
                ports -> ports);
    }

    public static Bed withEngine(UnaryOperator<EngineSettings> change, Plugin... plugins) {
        return new Bed(
                List.of(plugins),
                profile -> profile,
                change,
                Workers.NONE,
                List.of(),
                ports -> ports);
    }

    public static Bed withPorts(UnaryOperator<Ports> change) {
        return new Bed(
                List.of(), profile -> profile, engine -> engine, Workers.NONE, List.of(), change);
    }

    public static Bed withWorkers(
            Workers workers, UnaryOperator<ProfileSettings> change, Plugin... plugins) {
        return new Bed(
                List.of(plugins), change, engine -> engine, workers, List.of(), ports -> ports);
    }

    private Ports noted(Ports ports, Workers workers) {
        return new Ports(
                ports.time(),
                ports.seed(),
                ports.tasks(),
                workers,
                new NotedWrites((InMemoryCluster) ports.writes()),
                ports.recorder(),
                ports.metrics(),
                ports.queueMetrics(),
                log);
    }

    public Handle handle() {
        return Objects.requireNonNull(handle);
    }

    public Engine engine() {
        return scheduler.engine();
    }

    public Books books() {
        return engine().books();
    }

    /// Creates a pod and works until there is nothing left to do.
    public void run(Pod pod) {
        scheduler.create(pod);
        scheduler.settle();
    }

    /// Works without running any task, so that bindings and writes stay under way.
    public void stepOnly() {
        while (engine().step()) {
            // until nothing is left to do on the engine thread
        }
    }

    public void pass(int seconds) {
        scheduler.pass(Duration.ofSeconds(seconds));
    }

    public String nodeOf(String name) {
        return scheduler.nodeOf("default/" + name);
    }

    public String messageOf(String name) {
        return scheduler.messageOf("default/" + name);
    }

    public @Nullable PodCondition conditionOf(String name) {
        return scheduler.cluster().pod("default/" + name).condition(PodCondition.POD_SCHEDULED);
    }

    /// Why the pod is not scheduled: the condition's reason, empty where there is none.
    public String reasonOf(String name) {
        var condition = conditionOf(name);
        return condition == null ? "" : condition.reason();
    }

    public boolean isQueued(String name) {
        return Inspection.of(engine()).queue().find("default/" + name) != null;
    }

    public QueuedPodInfo queued(String name) {
        return Objects.requireNonNull(
                Inspection.of(engine()).queue().find("default/" + name), name);
    }

    /// The pod as it stands in our books.
    public Pod held(String name) {
        return Objects.requireNonNull(
                Inspection.of(engine()).state().podOf("default/" + name), name);
    }

    public WaitingPod waitingPod(String name) {
        return Objects.requireNonNull(handle().waitingPod("default/" + name), name);
    }

    /// Where in the queue a pod is, empty where it is in none.
    public String subQueueOf(String name) {
        return isQueued(name) ? queued(name).subQueue().toString() : "";
    }

    public List<String> notes() {
        return scheduler.cluster().events().stream().map(Recorder.Event::note).toList();
    }

    private final class NotedWrites implements ClusterWrites {
        private final InMemoryCluster cluster;

        NotedWrites(InMemoryCluster cluster) {
            this.cluster = cluster;
        }

        @Override
        public Receipt send(Write write, Departure departure) {
            if (write instanceof Write.PatchStatus patch) {
                note(patch);
            }
            return cluster.send(write, departure);
        }

        private void note(Write.PatchStatus patch) {
            var condition = patch.condition();
            writes.add(
                    patch.pod().name()
                            + " nomination="
                            + patch.nominatedNodeName()
                            + " reason="
                            + (condition == null ? null : condition.reason()));
            var failure = patchFailure;
            if (failure != null) {
                throw failure;
            }
        }
    }
}
