package io.berth.plugins.defaultpreemption;

import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.plugin.ClusterException;
import io.berth.api.plugin.Handle;
import io.berth.api.plugin.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Evicts the victims of a preemption in the background, while the preemptor is kept from being
/// tried (rules E-162 to E-164).
///
/// The last victim goes last: when it is gone, everything is, so its going is what opens the gate.
/// That is, when its going was *seen*: the API server says that it deleted a pod a moment before
/// its watch does, and a preemptor tried in between would find its place taken and look for other
/// victims. Started and asked on the engine thread; the evictions run as a task. The map of
/// preemptors is the one thing that both touch.
final class Eviction {
    static final String REASON = "PreemptionByScheduler";

    private final String plugin;
    private final Handle handle;

    /// By uid of the preemptor.
    private final Map<String, Progress> underWay = new ConcurrentHashMap<>();

    /// How far an eviction has come.
    ///
    /// @param lastVictim null while it is not yet its turn
    /// @param isTurnedAway whether the gate was shut when it was last asked. What woke the
    ///   preemptor then may not happen again, so the end of the eviction has to wake it.
    /// @param isOver whether all victims are deleted, as far as the API server knows. Kept only for
    ///   a preemptor that was turned away, until the last victim is seen to leave.
    private record Progress(@Nullable Pod lastVictim, boolean isTurnedAway, boolean isOver) {
        static final Progress BEGUN = new Progress(null, false, false);

        Progress at(Pod victim) {
            return new Progress(victim, isTurnedAway, false);
        }

        Progress turningAway(boolean isShut) {
            return new Progress(lastVictim, isShut, isOver);
        }
    }

    Eviction(String plugin, Handle handle) {
        this.plugin = plugin;
        this.handle = handle;
    }

    /// Whether the preemptor is to be kept out of the queue still.
    boolean isUnderWay(Pod preemptor) {
        var progress = underWay.get(preemptor.uid());
        if (progress != null && progress.isTurnedAway != isThere(progress.lastVictim)) {
            progress = underWay.computeIfPresent(preemptor.uid(), (uid, now) -> ask(now));
        }
        return progress != null && progress.isTurnedAway;
    }

    private @Nullable Progress ask(Progress now) {
        boolean isShut = isThere(now.lastVictim);
        return now.isOver && !isShut ? null : now.turningAway(isShut);
    }

    /// Whether a preemptor that was turned away waits for just this pod to go.
    boolean isAwaited(Pod gone, Pod preemptor) {
        var progress = underWay.get(preemptor.uid());
        return progress != null
                && progress.isOver
                && progress.lastVictim != null
                && progress.lastVictim.uid().equals(gone.uid());
    }

    private boolean isThere(@Nullable Pod lastVictim) {
        if (lastVictim == null) {
            return true;
        }
        var now = handle.listers().pod(lastVictim.namespace(), lastVictim.name());
        return now != null && now.uid().equals(lastVictim.uid()) && !now.isTerminating();
    }

    void start(Pod preemptor, Candidate candidate) {
        var victims = new ArrayList<Pod>();
        for (var victim : candidate.victims()) {
            if (isLeaving(victim)) {
                tell(
                        "Victim Pod is already being deleted, skipping the API call for it",
                        preemptor,
                        candidate.node(),
                        "victim",
                        victim.key());
            } else {
                victims.add(victim);
            }
        }
        if (victims.isEmpty()) {
            return;
        }
        handle.metrics().victimsChosen(candidate.victims().size());
        var lesserNominated = lesserNominated(preemptor, candidate.node());
        // What is left of preemptors that went before their victims did.
        underWay.values().removeIf(old -> old.isOver && !isThere(old.lastVictim));
        underWay.put(preemptor.uid(), Progress.BEGUN);
        boolean isLastBound = isBound(victims.getLast());
        handle.background(
                "preempt for " + preemptor.key(),
                () -> run(preemptor, candidate, victims, isLastBound, lesserNominated));
    }

    /// Whether the API server knows of the pod's node. The end of one that is still on its way
    /// there wakes nobody.
    private boolean isBound(Pod victim) {
        var known = handle.listers().pod(victim.namespace(), victim.name());
        return known != null && known.isAssigned();
    }

    /// Whether the victim is on its way out already, so that its end is still to be heard of and
    /// there is nothing to do but wait. Evicting one again whose binding was stopped, but whose
    /// preparation goes on, would have the preemptor tried over and over.
    private boolean isLeaving(Pod victim) {
        return victim.isTerminating() || handle.isPreBindCancelled(victim.uid());
    }

    private List<Pod> lesserNominated(Pod preemptor, String node) {
        var lesser = new ArrayList<Pod>();
        for (var pod : handle.nominations().on(node)) {
            if (pod.spec().priority() < preemptor.spec().priority()) {
                lesser.add(pod);
            }
        }
        return lesser;
    }

    /// Background: nominations that the preemptor takes over first, then the victims.
    private void run(
            Pod preemptor,
            Candidate candidate,
            List<Pod> victims,
            boolean isLastBound,
            List<Pod> lesserNominated) {
        var node = candidate.node();
        boolean succeeded = false;
        boolean isAwaited = false;
        var failure = "Error occurred during async preemption";
        long startMillis = handle.nowMillis();
        try {
            tell(
                    "Start the preemption asynchronously",
                    preemptor,
                    node,
                    "numVictims",
                    candidate.victims().size(),
                    "numVictimsToDelete",
                    victims.size());
            boolean cleared = clearNominations(lesserNominated, node);
            for (var victim : victims.subList(0, victims.size() - 1)) {
                evict(preemptor, node, victim);
            }
            var last = victims.getLast();
            failure = "Error occurred during async preemption of the last victim";
            underWay.computeIfPresent(preemptor.uid(), (uid, now) -> now.at(last));
            isAwaited = evict(preemptor, node, last) && isLastBound;
            succeeded = cleared;
        } catch (RuntimeException refused) {
            handle.log().error(refused, failure, "preemptor", preemptor.key(), "node", node);
        } finally {
            handle.metrics()
                    .evictionEnded(succeeded, (handle.nowMillis() - startMillis) * 1_000_000);
            boolean isTurnedAway = end(preemptor, succeeded && isAwaited);
            tell(
                    "Async Preemption finished completely",
                    preemptor,
                    node,
                    "result",
                    succeeded ? "success" : "error");
            if (!succeeded || isTurnedAway) {
                handle.activate(List.of(preemptor));
            }
        }
    }

    /// @param isAwaited whether the last victim's leaving is seen and wakes pods, if it has not
    ///   been seen already
    /// @return whether the gate was shut when it was last asked
    private boolean end(Pod preemptor, boolean isAwaited) {
        var wasTurnedAway = new AtomicBoolean();
        underWay.computeIfPresent(
                preemptor.uid(),
                (uid, now) -> {
                    wasTurnedAway.setPlain(now.isTurnedAway);
                    return now.isTurnedAway && isAwaited
                            ? new Progress(now.lastVictim, true, true)
                            : null;
                });
        return wasTurnedAway.getPlain();
    }

    /// What could not be cleared does not stop the eviction, but has the preemptor tried again.
    private boolean clearNominations(List<Pod> pods, String node) {
        boolean cleared = true;
        for (var pod : pods) {
            try {
                handle.writes().patchStatus(pod, null, "");
            } catch (RuntimeException refused) {
                cleared = false;
                handle.log()
                        .error(
                                refused,
                                "Cannot clear 'NominatedNodeName' field from lower priority pods on"
                                        + " the same target node",
                                "node",
                                node,
                                "pod",
                                pod.key());
            }
        }
        return cleared;
    }

    /// @return whether the victim's end is still to be seen in the cluster: not where it was sent
    ///   back or had gone before
    private boolean evict(Pod preemptor, String node, Pod victim) {
        if (sendBack(preemptor, node, victim)) {
            record(preemptor, node, victim, " (in kube-scheduler memory).");
            return false;
        }
        try {
            handle.writes()
                    .patchStatus(
                            victim,
                            PodCondition.of(
                                    PodCondition.DISRUPTION_TARGET,
                                    "True",
                                    REASON,
                                    preemptor.spec().schedulerName()
                                            + ": preempting to accommodate a higher priority pod"),
                            null);
            handle.writes().delete(victim);
        } catch (ClusterException refused) {
            if (refused.kind() != ClusterException.Kind.NOT_FOUND) {
                throw refused;
            }
            tell("Victim Pod is already deleted", preemptor, node, "victim", victim.key());
            return false;
        }
        tell("Preemptor Pod preempted victim Pod", preemptor, node, "victim", victim.key());
        record(preemptor, node, victim, "");
        return true;
    }

    /// Sends a pod back that is not bound yet, without troubling the API server.
    ///
    /// @return whether the pod was in time for that
    private boolean sendBack(Pod preemptor, String node, Pod victim) {
        var waiting = handle.waitingPod(victim.uid());
        if (waiting != null && waiting.preempt(plugin, "preempted")) {
            tell("Preemptor preempted a waiting pod", preemptor, node, "waitingPod", victim.key());
            return true;
        }
        if (handle.cancelPreBind(victim.uid(), "preempted by " + plugin)) {
            tell(
                    "Preemptor rejected a pod in preBind",
                    preemptor,
                    node,
                    "podInPreBind",
                    victim.key());
            return true;
        }
        return false;
    }

    private void tell(String sentence, Pod preemptor, String node, Object... more) {
        if (handle.log().isOn(2)) {
            var pairs = new ArrayList<Object>(List.of("preemptor", preemptor.key(), "node", node));
            pairs.addAll(List.of(more));
            handle.log().info(2, sentence, pairs.toArray());
        }
    }

    private void record(Pod preemptor, String node, Pod victim, String suffix) {
        handle.recorder()
                .record(
                        new Recorder.Event(
                                victim,
                                Recorder.Type.NORMAL,
                                "Preempted",
                                "Preempting",
                                "Preempted by pod " + preemptor.uid() + " on node " + node + suffix,
                                handle.profileName()),
                        preemptor);
    }
}
