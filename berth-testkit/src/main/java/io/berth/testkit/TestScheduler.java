package io.berth.testkit;

import io.berth.api.handle.Log;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.plugin.PluginFactory;
import io.berth.engine.Engine;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Ports;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.Workers;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The real engine on a hand clock with an in-memory cluster: everything happens on the calling
/// thread, when [#settle] is called.
///
/// ```java
/// var profile = ProfileSettings.of("default-scheduler", InTree.defaults());
/// var scheduler = TestScheduler.with(InTree.factories(), profile);
/// scheduler.add(node("a").build());
/// scheduler.create(pod("web").cpu("500m").build());
/// scheduler.settle();
/// assertThat(scheduler.nodeOf("default/web")).isEqualTo("a");
/// ```
public final class TestScheduler {
    private final HandClock clock = new HandClock();
    private final ManualTasks tasks = new ManualTasks();
    private final InMemoryCluster cluster = new InMemoryCluster();
    private final Engine engine;

    private TestScheduler(EngineSettings settings, Registry registry, UnaryOperator<Ports> change) {
        var ports =
                new Ports(
                        clock,
                        42,
                        tasks,
                        Workers.NONE,
                        cluster,
                        cluster,
                        EngineMetrics.NONE,
                        QueueMetrics.NONE,
                        Log.NONE);
        engine = new Engine(settings, registry, change.apply(ports));
        engine.adopt();
        cluster.connect(engine);
        // What plugins alone wait for is listed from the start; what the test adds comes on top.
        engine.followedKinds().stream()
                .filter(kind -> !settings.awaitedKinds().contains(kind))
                .forEach(engine::synced);
    }

    public static TestScheduler with(
            Collection<? extends PluginFactory> factories, ProfileSettings... profiles) {
        return with(factories, settings -> settings, profiles);
    }

    public static TestScheduler with(
            Collection<? extends PluginFactory> factories,
            UnaryOperator<EngineSettings> change,
            ProfileSettings... profiles) {
        return with(factories, change, ports -> ports, profiles);
    }

    /// With ports of one's own in place of some of the in-memory ones.
    public static TestScheduler with(
            Collection<? extends PluginFactory> factories,
            UnaryOperator<EngineSettings> change,
            UnaryOperator<Ports> ports,
            ProfileSettings... profiles) {
        var settings = change.apply(EngineSettings.of(List.of(profiles)).awaiting(Set.<Kind>of()));
        return new TestScheduler(settings, Registry.of(factories), ports);
    }

    public HandClock clock() {
        return clock;
    }

    public InMemoryCluster cluster() {
        return cluster;
    }

    public Engine engine() {
        return engine;
    }

    /// Bindings, evictions and status writes that have been started and not run yet.
    public ManualTasks tasks() {
        return tasks;
    }

    /// Adds or changes a node or any other object that is no pod.
    public void add(ClusterObject object) {
        engine.seen(object);
    }

    public void remove(Node node) {
        engine.gone(Kind.NODE, "", node.name());
    }

    public void create(Pod pod) {
        cluster.create(pod);
    }

    /// Works until there is nothing left to do at this moment.
    public void settle() {
        int rounds = 0;
        while (engine.step() || tasks.runOne()) {
            if (++rounds > 10_000_000) {
                throw new IllegalStateException("the scheduler does not come to rest");
            }
        }
    }

    /// Lets time pass, second by second, working meanwhile.
    public void pass(Duration duration) {
        for (long millis = duration.toMillis(); millis > 0; millis -= 1000) {
            clock.advance(Duration.ofMillis(Math.min(1000, millis)));
            settle();
        }
    }

    /// Where a pod is, empty while it has no node.
    public String nodeOf(String key) {
        return cluster.pod(key).nodeName();
    }

    /// What users would read about a pod that has no node.
    public String messageOf(String key) {
        var condition = cluster.pod(key).condition("PodScheduled");
        return condition == null ? "" : condition.message();
    }
}
