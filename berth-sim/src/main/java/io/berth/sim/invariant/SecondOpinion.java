package io.berth.sim.invariant;

import io.berth.api.explain.Explanation;
import io.berth.api.explain.ScoreAnswer;
import io.berth.api.handle.Log;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.engine.Engine;
import io.berth.engine.Inspection;
import io.berth.engine.framework.Registry;
import io.berth.engine.port.EngineMetrics;
import io.berth.engine.port.Ports;
import io.berth.engine.port.QueueMetrics;
import io.berth.engine.port.Workers;
import io.berth.engine.profile.Profile;
import io.berth.plugins.InTree;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.plain.Broken;
import io.berth.testkit.InMemoryCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A fresh engine that has seen nothing but the cluster as it is: what a long-lived one keeps from
/// attempt to attempt must come to the same.
final class SecondOpinion implements Invariant {
    private static final String IMAGES = "ImageLocality";

    private final Watched watched;
    private final SharedPorts sharedPorts;

    SecondOpinion(Watched watched, SharedPorts sharedPorts) {
        this.watched = watched;
        this.sharedPorts = sharedPorts;
    }

    /// Asks about pods of all kinds besides those that wait.
    @Override
    public void inCalm() {
        var asked = new ArrayList<>(watched.probes());
        Inspection.of(watched.engine()).queue().forEachPending(info -> asked.add(info.pod()));
        asked.removeIf(sharedPorts::matterTo);
        compare(watched.engine(), watched.server(), asked);
    }

    /// Both engines are asked what every node would be to some pods.
    private void compare(Engine engine, ApiServer server, List<Pod> pods) {
        for (var profile : engine.profiles().values()) {
            var wrong = profile.recheck();
            Broken.require(wrong.isEmpty(), "what is kept is not what plugins say: %s", wrong);
        }
        var fresh = fresh(engine, server);
        for (var pod : pods) {
            var profile = engine.profiles().get(pod.spec().schedulerName());
            var other = fresh.profiles().get(pod.spec().schedulerName());
            if (profile == null || other == null) {
                continue;
            }
            var kept = profile.explain(pod);
            var anew = other.explain(pod);
            Broken.require(
                    anew.refusals().equals(kept.refusals()),
                    "%s is refused by %s, but judged anew by %s",
                    pod.key(),
                    kept.refusals(),
                    anew.refusals());
            Broken.require(
                    scores(anew, other).equals(scores(kept, other)),
                    "%s has the scores %s, but worked out anew %s",
                    pod.key(),
                    scores(kept, other),
                    scores(anew, other));
        }
    }

    /// By node, what the plugins gave it that both profiles have. What nodes show of images depends
    /// on their past, so these are left out.
    private static Map<String, List<ScoreAnswer>> scores(Explanation told, Profile plain) {
        var plugins = new HashSet<String>();
        plain.plugins().forEach(plugin -> plugins.add(plugin.name()));
        plugins.remove(IMAGES);
        var scores = new HashMap<String, List<ScoreAnswer>>();
        for (var node : told.nodes()) {
            node.rating()
                    .ifPresent(rating ->
                            scores.put(
                                    node.name(),
                                    rating.scores().stream()
                                            .filter(score -> plugins.contains(score.plugin()))
                                            .toList()));
        }
        return scores;
    }

    private Engine fresh(Engine engine, ApiServer server) {
        var cluster = new InMemoryCluster();
        var fresh =
                new Engine(
                        watched.plainSettings().awaiting(Set.<Kind>of()),
                        Registry.of(InTree.factories()),
                        new Ports(
                                watched.time(),
                                1,
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
        for (var pod : Inspection.of(engine).state().pods()) {
            if (Inspection.of(engine).state().isAssumed(pod.uid())) {
                fresh.seen(pod.toBuilder().resourceVersion("assumed").build());
            }
        }
        while (fresh.step()) {
            // Applies what it was told; it is paused, so it places nothing.
        }
        Inspection.of(engine)
                .queue()
                .forEachPending(info -> {
                    var node = Inspection.of(engine).queue().nominator().nodeOf(info.pod().uid());
                    Inspection.of(fresh).queue().nominator().nominate(info.pod(), node.orElse(""));
                });
        return fresh;
    }
}
