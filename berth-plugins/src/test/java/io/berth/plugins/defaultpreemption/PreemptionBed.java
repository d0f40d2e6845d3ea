package io.berth.plugins.defaultpreemption;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;

import io.berth.api.column.NodeView;
import io.berth.api.handle.ClusterException;
import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Log;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Filter;
import io.berth.api.plugin.Plugin;
import io.berth.api.verdict.Verdict;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.engine.port.Ports;
import io.berth.plugins.InTree;
import io.berth.testkit.InMemoryCluster;
import io.berth.testkit.InMemoryMetrics;
import io.berth.testkit.Pods;
import io.berth.testkit.TestPlugins;
import io.berth.testkit.TestScheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The default profile with something to watch it preempt by.
final class PreemptionBed {
    static final Instant EARLIER = Instant.parse("2026-01-01T10:00:00Z");

    /// Deletions of these pods fail.
    final Set<String> undeletable = new HashSet<>();

    /// Patches of these pods fail.
    final Set<String> unpatchable = new HashSet<>();

    /// Whether deleted pods take their time to leave.
    boolean isGraceful;

    final List<String> deleted = new ArrayList<>();

    /// Pods whose nomination was taken back, as far as the API server was told.
    final List<String> cleared = new ArrayList<>();

    final InMemoryMetrics metrics = new InMemoryMetrics();

    /// What operators read at `-v=2`.
    final List<String> told = new ArrayList<>();

    private final Log log =
            new Log() {
                @Override
                public boolean isOn(int level) {
                    return level <= 2;
                }

                @Override
                public void info(int level, String sentence, @Nullable Object... keysAndValues) {
                    if (isOn(level)) {
                        told.add(sentence + " " + Arrays.toString(keysAndValues));
                    }
                }

                @Override
                public void error(
                        @Nullable Throwable cause,
                        String sentence,
                        @Nullable Object... keysAndValues) {
                    told.add(sentence);
                }
            };

    TestScheduler scheduler(Plugin... more) {
        var plugins = TestPlugins.of(InTree.factories(), InTree.defaults());
        for (var plugin : List.of(more).reversed()) {
            plugins = plugins.startingWith(plugin);
        }
        return TestScheduler.with(
                plugins.factories(), settings -> settings, this::withDeletions, plugins.profile());
    }

    private Ports withDeletions(Ports ports) {
        var real = ports.writes();
        ClusterWrites writes =
                (write, departure) -> {
                    switch (write) {
                        case Write.Bind _,
                                Write.PatchObject _,
                                Write.OfDevices _,
                                Write.ReserveVolume _,
                                Write.SelectNode _ -> {}
                        case Write.PatchStatus patch -> {
                            if (unpatchable.contains(patch.pod().name())) {
                                throw unavailable();
                            }
                            if ("".equals(patch.nominatedNodeName())) {
                                cleared.add(patch.pod().name());
                            }
                        }
                        case Write.Delete(var pod) -> {
                            if (undeletable.contains(pod.name())) {
                                throw unavailable();
                            }
                            deleted.add(pod.name());
                            if (isGraceful) {
                                ((InMemoryCluster) real).terminate(pod, EARLIER);
                                return departure.leaves() ? Receipt.SENT : Receipt.WITHDRAWN;
                            }
                        }
                    }
                    return real.send(write, departure);
                };
        return new Ports(
                ports.time(),
                ports.seed(),
                ports.tasks(),
                ports.workers(),
                writes,
                ports.recorder(),
                metrics,
                metrics,
                log);
    }

    private static ClusterException unavailable() {
        return new ClusterException(ClusterException.Kind.UNAVAILABLE, "try later");
    }

    record Filtering(String name, BiFunction<Pod, NodeView, Verdict> verdict) implements Filter {
        @Override
        public Verdict filter(Cycle cycle, Pod pod, NodeView node) {
            return verdict.apply(pod, node);
        }
    }

    static Pods running(String name, int priority, String node) {
        return pod(name)
                .cpu("2")
                .priority(priority)
                .label("app", name)
                .onNode(node)
                .with(p -> p.phase("Running").startedAt(EARLIER));
    }

    static Pod high(String name) {
        return pod(name).cpu("2").priority(10).build();
    }

    static void stepOnly(TestScheduler scheduler) {
        while (scheduler.engine().step()) {
            // without running tasks
        }
    }

    static List<String> preempted(TestScheduler scheduler) {
        return scheduler.cluster().events().stream()
                .filter(event -> event.reason().equals("Preempted"))
                .map(event -> event.about().name() + ": " + event.note())
                .toList();
    }
}
