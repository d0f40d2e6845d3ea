package io.berth.sim.invariant;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.engine.Engine;
import io.berth.engine.queue.Place;
import io.berth.engine.queue.QueuedPodInfo;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.cluster.Stored;
import io.berth.sim.fault.Doorkeeper;
import io.berth.sim.fault.SimulatedExtender;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/// What must hold when nothing is under way any more: the engine knows the cluster as it is,
/// nothing is left half done, and no pod waits that could be placed.
public final class Calm {
    private final ApiServer server;
    private final Engine engine;
    private final Attempts attempts;
    private final Set<String> unanswered;

    private final SharedPorts sharedPorts;

    /// @param unanswered uids of pods whose binding gets no answer
    public Calm(
            ApiServer server,
            Engine engine,
            Attempts attempts,
            Set<String> unanswered,
            SharedPorts sharedPorts) {
        this.sharedPorts = sharedPorts;
        this.server = server;
        this.engine = engine;
        this.attempts = attempts;
        this.unanswered = unanswered;
    }

    /// Looks at everything but the scores.
    public void check() {
        checkNothingHalfDone();
        checkPodsAreKnown();
        checkNodesAreKnown();
        checkOthersAreKnown();
        checkNobodyCouldBePlaced(info -> LostWakeups.isKnown(info, server, attempts));
    }

    /// Every pod has been tried anew, so there is no excuse any more but a shut door, pods that are
    /// nominated to what is free, or a pod that was tried with it, took a place and gave it back
    /// later: affinity misses that as it does at other times (IP-13).
    public void checkAfterFlush() {
        check();
        checkNobodyCouldBePlaced(info ->
                info.unschedulablePlugins().contains(Doorkeeper.NAME)
                        || LostWakeups.isKeptOut(info, attempts)
                        || info.unschedulablePlugins().contains("InterPodAffinity")
                                && LostWakeups.isKnown(info, server, attempts));
    }

    /// A pod that was tried and waits must say so in its status.
    public void checkTold(String key) {
        var pod = server.pod(key);
        if (pod == null || pod.isAssigned() || !pod.spec().schedulingGates().isEmpty()) {
            return;
        }
        var condition = pod.condition(PodCondition.POD_SCHEDULED);
        Broken.require(
                condition != null
                        && condition.status().equals("False")
                        && condition.reason().equals(PodCondition.UNSCHEDULABLE),
                "%s waits, but its status says %s",
                key,
                condition);
    }

    /// The pod that was helped must have been tried again, and have made room for itself where it
    /// may. There is no excuse: nothing else happened.
    ///
    /// @param help what helped it, in words
    public void checkWoken(String key, String help) {
        var info = engine.queue().find(key);
        if (info != null) {
            var possible = possibleNodes(engine, info.pod());
            Broken.require(
                    possible.isEmpty() && !info.pod().spec().mayPreempt(),
                    "%s waits, refused by %s, though %s lets it go to %s",
                    info.key(),
                    info.unschedulablePlugins(),
                    help,
                    possible);
        }
    }

    /// Compares verdicts and scores with those of a fresh engine.
    ///
    /// @param probes pods to ask about besides those that wait
    public void compare(List<Pod> probes, SecondOpinion opinion) {
        var asked = new ArrayList<>(probes);
        engine.queue().forEachPending(info -> asked.add(info.pod()));
        asked.removeIf(sharedPorts::matterTo);
        opinion.compare(engine, server, asked);
    }

    private void checkNothingHalfDone() {
        var counts = engine.queue().counts();
        Broken.require(
                counts.active() == 0 && counts.backoff() == 0,
                "pods are still to be tried when all is calm: %s",
                counts);
        var inFlight = new HashSet<>(engine.queue().inFlightUids());
        Broken.require(
                inFlight.isEmpty(),
                "pods are in flight for ever: %s",
                engine.queue().inFlightUids());
        for (var pod : engine.state().pods()) {
            Broken.require(
                    !engine.state().isAssumed(pod.uid()) || unanswered.contains(pod.uid()),
                    "%s is assumed for ever",
                    pod.key());
        }
    }

    private void checkPodsAreKnown() {
        Map<String, Pod> assigned = new HashMap<>();
        for (var pod : server.pods()) {
            if (pod.isAssigned()) {
                assigned.put(pod.uid(), pod);
            } else if (engine.profiles().containsKey(pod.spec().schedulerName())) {
                Broken.require(
                        engine.queue().find(pod.key()) != null || unanswered.contains(pod.uid()),
                        "%s waits for a node, but not in the queue",
                        pod.key());
            }
        }
        for (var held : engine.state().pods()) {
            if (!engine.state().isAssumed(held.uid())) {
                Broken.require(
                        held.equals(assigned.remove(held.uid())),
                        "%s is held in a form that is not true",
                        held.key());
            }
        }
        Broken.require(assigned.isEmpty(), "the engine does not know of %s", assigned);
    }

    private void checkNodesAreKnown() {
        for (var stored : server.list(Kind.NODE)) {
            Broken.require(
                    stored.object().equals(engine.state().node(stored.object().name())),
                    "the engine knows %s in a form that is not true",
                    stored.object());
        }
        int known = engine.state().columns().nodeCount();
        Broken.require(
                known == server.list(Kind.NODE).size(),
                "the engine knows of %d nodes, but there are %d",
                known,
                server.list(Kind.NODE).size());
    }

    private void checkOthersAreKnown() {
        var listers = engine.listers();
        requireKnown(Kind.NAMESPACE, listers.namespaces());
        var budgets = new ArrayList<ClusterObject>();
        var services = new ArrayList<ClusterObject>();
        for (var stored : server.list(Kind.NAMESPACE)) {
            budgets.addAll(listers.podDisruptionBudgets(stored.object().name()));
            services.addAll(listers.services(stored.object().name()));
        }
        requireKnown(Kind.POD_DISRUPTION_BUDGET, budgets);
        requireKnown(Kind.SERVICE, services);
    }

    private void requireKnown(Kind kind, Collection<? extends ClusterObject> known) {
        var there = server.list(kind).stream().map(Stored::object).toList();
        Broken.require(
                new HashSet<>(known).equals(new HashSet<>(there)),
                "the engine knows %s, but there are %s",
                known,
                there);
    }

    /// Nodes that could take the pod now, by the engine's own word and that of the extenders.
    static Set<String> possibleNodes(Engine engine, Pod pod) {
        var profile = engine.profiles().get(pod.spec().schedulerName());
        var possible = new HashSet<String>();
        if (profile != null) {
            for (var name : profile.evaluate(pod).totals().keySet()) {
                var node = engine.state().node(name);
                if (node != null && !SimulatedExtender.keepsOut(pod, node)) {
                    possible.add(name);
                }
            }
        }
        return possible;
    }

    private void checkNobodyCouldBePlaced(Predicate<QueuedPodInfo> excuse) {
        for (var info : engine.queue().pending()) {
            if (info.place() != Place.PARKED || isGated(info)) {
                continue;
            }
            var profile = engine.profiles().get(info.profile());
            if (profile == null) {
                continue;
            }
            var possible = possibleNodes(engine, info.pod());
            if (!possible.isEmpty() && !excuse.test(info)) {
                throw new Broken(
                        "%s waits, refused by %s, though it could go to %s"
                                .formatted(info.key(), info.unschedulablePlugins(), possible));
            }
        }
    }

    private static boolean isGated(QueuedPodInfo info) {
        return !info.pod().spec().schedulingGates().isEmpty();
    }
}
