package io.berth.sim.invariant;

import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Log;
import io.berth.engine.Engine;
import io.berth.engine.EngineSettings;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Ports;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.TimeSource;
import io.berth.engine.port.Workers;
import io.berth.plugins.InTree;
import io.berth.sim.cluster.ApiServer;
import io.berth.testkit.InMemoryCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/// A fresh engine that has seen nothing but the cluster as it is: what a long-lived one keeps from
/// attempt to attempt must come to the same.
public final class SecondOpinion {
    private static final String IMAGES = "ImageLocality";

    private final List<ProfileSettings> profiles;
    private final TimeSource time;

    public SecondOpinion(List<ProfileSettings> profiles, TimeSource time) {
        this.profiles = profiles;
        this.time = time;
    }

    /// Both engines are asked what every node would be to some pods.
    void compare(Engine engine, ApiServer server, List<Pod> pods) {
        var fresh = fresh(engine, server);
        for (var pod : pods) {
            var profile = engine.profiles().get(pod.spec().schedulerName());
            var other = fresh.profiles().get(pod.spec().schedulerName());
            if (profile == null || other == null) {
                continue;
            }
            var kept = profile.evaluate(pod);
            var anew = other.evaluate(pod);
            Broken.require(
                    anew.refusals().equals(kept.refusals()),
                    "%s is refused by %s, but judged anew by %s",
                    pod.key(),
                    kept.refusals(),
                    anew.refusals());
            Broken.require(
                    relative(anew.totals(), fresh, pod)
                            .equals(relative(kept.totals(), engine, pod)),
                    "%s has the scores %s, but worked out anew %s",
                    pod.key(),
                    kept.totals(),
                    anew.totals());
        }
    }

    /// The watched profile has one score plugin more, which gives every node the same. What nodes
    /// show of images depends on their past, so the part of these is taken out, as the plain
    /// reading has it.
    private static Map<String, Long> relative(Map<String, Long> totals, Engine engine, Pod pod) {
        var others = new HashMap<>(totals);
        var profile = engine.profiles().get(pod.spec().schedulerName());
        if (profile != null
                && profile.plugins().stream().anyMatch(each -> each.name().equals(IMAGES))) {
            int nodeCount = engine.state().orderCount();
            for (var node : engine.state().nodes().all()) {
                others.computeIfPresent(
                        node.name(), (_, total) -> total - PlainImages.score(pod, node, nodeCount));
            }
        }
        long least = others.values().stream().mapToLong(total -> total).min().orElse(0);
        others.replaceAll((_, total) -> total - least);
        return others;
    }

    private Engine fresh(Engine engine, ApiServer server) {
        var cluster = new InMemoryCluster();
        var fresh =
                new Engine(
                        EngineSettings.of(profiles).awaiting(Set.<Kind>of()),
                        Registry.of(InTree.factories()),
                        new Ports(
                                time,
                                new SplittableRandom(1),
                                (name, task) -> {},
                                Workers.NONE,
                                cluster,
                                cluster,
                                EngineMetrics.NONE,
                                QueueMetrics.NONE,
                                Log.NONE));
        fresh.adopt();
        fresh.pause(true);
        for (var kind : Kind.values()) {
            for (var stored : server.list(kind)) {
                if (!(stored.object() instanceof Pod pod && pod.isTerminal())) {
                    fresh.seen(stored.object());
                }
            }
        }
        for (var pod : engine.state().pods()) {
            if (engine.state().isAssumed(pod.uid())) {
                fresh.seen(pod.toBuilder().resourceVersion("assumed").build());
            }
        }
        while (fresh.step()) {
            // Applies what it was told; it is paused, so it places nothing.
        }
        engine.queue()
                .forEachPending(info -> {
                    var node = engine.queue().nominator().nodeOf(info.pod().uid());
                    fresh.queue().nominator().nominate(info.pod(), node.orElse(""));
                });
        return fresh;
    }
}
