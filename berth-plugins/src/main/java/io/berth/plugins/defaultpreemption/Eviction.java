package io.berth.plugins.defaultpreemption;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.handle.Recorder;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.write.Write;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Evicts the victims of a preemption in the background, while the preemptor is kept from being
/// tried (rules E-162 to E-164).
///
/// The last victim goes last: when it is gone, everything is, so its going is what opens the gate.
/// That is, when its going was *seen*: the API server says that it deleted a pod a moment before
/// its watch does, and a preemptor tried in between would find its place taken and look for other
/// victims. The same holds for an eviction that breaks off: what it has deleted by then is waited
/// for, so that it goes on where it began. Started and asked on the engine thread; the evictions
/// run as a task. The map of preemptors is the one thing that both touch.
final class Eviction {
    static final String REASON = "PreemptionByScheduler";

    /// For so long a deleted victim may take to be seen leaving, before its preemptor is tried all
    /// the same: a watch that is further behind than that is no reason to wait for ever.
    private static final long PATIENCE_MILLIS = 30_000;

    private final String plugin;
    private final Handle handle;
    private final Lister<Pod> pods;

    /// By uid of the preemptor.
    private final Map<String, Progress> underWay = new ConcurrentHashMap<>();

    /// How far an eviction has come.
    ///
    /// @param preemptor as it was when it began
    /// @param lastVictim null while it is not yet its turn; the last one that was deleted, once the
    ///   eviction is over
    /// @param isTurnedAway whether the gate was shut when it was last asked. What woke the
    ///   preemptor then may not happen again, so the end of the eviction has to wake it.
    /// @param overMillis since when no further victim is going to be deleted, 0 before. Kept until
    ///   the last one is seen to leave.
    private record Progress(
            Pod preemptor, @Nullable Pod lastVictim, boolean isTurnedAway, long overMillis) {
        static Progress begun(Pod preemptor) {
            return new Progress(preemptor, null, false, 0);
        }

        Progress at(Pod victim) {
            return new Progress(preemptor, victim, isTurnedAway, 0);
        }

        Progress turningAway(boolean isShut) {
            return new Progress(preemptor, lastVictim, isShut, overMillis);
        }

        Progress over(Pod awaited, long nowMillis) {
            return new Progress(preemptor, awaited, isTurnedAway, nowMillis);
        }

        boolean isOver() {
            return overMillis != 0;
        }
    }

    Eviction(String plugin, Handle handle) {
        this.plugin = plugin;
        this.handle = handle;
        this.pods = handle.listers().of(Kind.POD, Pod.class);
    }

    /// Whether the preemptor is to be kept out of the queue still.
    boolean isUnderWay(Pod preemptor) {
        return handle.outside(() -> isShutFor(preemptor));
    }

    private boolean isShutFor(Pod preemptor) {
        var progress = underWay.get(preemptor.uid());
        if (progress != null && progress.isTurnedAway != isShut(progress)) {
            progress = underWay.computeIfPresent(preemptor.uid(), (uid, now) -> ask(now));
        }
        return progress != null && progress.isTurnedAway;
    }

    private @Nullable Progress ask(Progress now) {
        boolean isShut = isShut(now);
        return now.isOver() && !isShut ? null : now.turningAway(isShut);
    }

    /// Whether a preemptor that was turned away waits for just this pod to go.
    boolean isAwaited(Pod gone, Pod preemptor) {
        return handle.outside(() -> {
            var progress = underWay.get(preemptor.uid());
            return progress != null
                    && progress.isOver()
                    && progress.lastVictim != null
                    && progress.lastVictim.uid().equals(gone.uid());
        });
    }

    private boolean isShut(Progress progress) {
        var lastVictim = progress.lastVictim;
        if (lastVictim == null) {
            return true;
        }
        if (progress.isOver() && handle.nowMillis() - progress.overMillis > PATIENCE_MILLIS) {
            return false;
        }
        var now = pods.get(lastVictim.namespace(), lastVictim.name());
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
        underWay.values().removeIf(this::isOfNoUse);
        underWay.put(preemptor.uid(), Progress.begun(preemptor));
        var bound = boundOf(victims);
        clearNominations(
                lesserNominated,
                candidate.node(),
                cleared ->
                        inBackground(
                                preemptor,
                                () -> run(preemptor, candidate, victims, bound, cleared)));
    }

    /// What is left of preemptors whose victims have been seen to leave, or that are gone or placed
    /// themselves. One that was turned away is woken by its last victim's end alone, so what it
    /// waits for is kept until then, though the gate would open now.
    private boolean isOfNoUse(Progress progress) {
        return progress.isOver()
                && (progress.isTurnedAway ? !isPending(progress.preemptor) : !isShut(progress));
    }

    private boolean isPending(Pod preemptor) {
        var now = pods.get(preemptor.namespace(), preemptor.name());
        return now != null && now.uid().equals(preemptor.uid()) && !now.isAssigned();
    }

    /// Where there is no thread for an eviction, it has failed: the gate must not stay shut.
    private void inBackground(Pod preemptor, Runnable eviction) {
        try {
            handle.background("preempt for " + preemptor.key(), eviction);
        } catch (Throwable refused) {
            handle.log()
                    .error(
                            refused,
                            "Error occurred during async preemption",
                            "preemptor",
                            preemptor.key());
            end(preemptor, null);
            handle.activate(List.of(preemptor));
        }
    }

    /// The uids of those of whose node the API server knows. The end of one that is still on its
    /// way there wakes nobody.
    private Set<String> boundOf(List<Pod> victims) {
        var bound = new HashSet<String>();
        for (var victim : victims) {
            var known = pods.get(victim.namespace(), victim.name());
            if (known != null && known.isAssigned()) {
                bound.add(victim.uid());
            }
        }
        return bound;
    }

    /// Whether the victim is on its way out already, so that its end is still to be heard of and
    /// there is nothing to do but wait. Evicting one again whose binding was stopped, but whose
    /// preparation goes on, would have the preemptor tried over and over.
    private boolean isLeaving(Pod victim) {
        return victim.isTerminating() || handle.isPreBindCancelled(victim.uid());
    }

    /// Pods of lesser priority that expect the node. A pod that is being tried or bound, the
    /// preemptor among them, is nominated by its name alone, so its priority is looked up.
    private List<Pod> lesserNominated(Pod preemptor, String node) {
        var lesser = new ArrayList<Pod>();
        for (var nominated : handle.nominations().on(node)) {
            var pod = pods.get(nominated.namespace(), nominated.name());
            if (pod != null
                    && pod.uid().equals(nominated.uid())
                    && !pod.uid().equals(preemptor.uid())
                    && pod.spec().priority() < preemptor.spec().priority()) {
                lesser.add(pod);
            }
        }
        return lesser;
    }

    /// Background.
    ///
    /// @param bound the uids of the victims whose leaving wakes pods
    /// @param cleared whether the nominations that the preemptor takes over are
    private void run(
            Pod preemptor,
            Candidate candidate,
            List<Pod> victims,
            Set<String> bound,
            boolean cleared) {
        var node = candidate.node();
        boolean succeeded = false;
        Pod awaited = null;
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
            for (int i = 0; i < victims.size(); i++) {
                var victim = victims.get(i);
                if (i == victims.size() - 1) {
                    failure = "Error occurred during async preemption of the last victim";
                    underWay.computeIfPresent(preemptor.uid(), (uid, now) -> now.at(victim));
                }
                if (evict(preemptor, node, victim) && bound.contains(victim.uid())) {
                    awaited = victim;
                }
            }
            succeeded = cleared;
        } catch (Throwable refused) {
            handle.log().error(refused, failure, "preemptor", preemptor.key(), "node", node);
        } finally {
            handle.metrics()
                    .evictionEnded(succeeded, (handle.nowMillis() - startMillis) * 1_000_000);
            boolean isTurnedAway = end(preemptor, awaited);
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

    /// @param awaited the victim whose leaving is seen last and wakes pods, if it has not been seen
    ///   already; null where there is none
    /// @return whether the gate was shut when it was last asked
    private boolean end(Pod preemptor, @Nullable Pod awaited) {
        var wasTurnedAway = new AtomicBoolean();
        underWay.computeIfPresent(
                preemptor.uid(),
                (uid, now) -> {
                    wasTurnedAway.setPlain(now.isTurnedAway);
                    return awaited == null ? null : now.over(awaited, handle.nowMillis());
                });
        return wasTurnedAway.getPlain();
    }

    /// What could not be cleared does not stop the eviction, but has the preemptor tried again.
    ///
    /// @param whenAllTried told on the engine thread whether everything is cleared
    private void clearNominations(List<Pod> pods, String node, Consumer<Boolean> whenAllTried) {
        var left = new ArrayDeque<>(pods);
        clearNext(left, node, true, whenAllTried);
    }

    private void clearNext(
            Deque<Pod> left, String node, boolean cleared, Consumer<Boolean> whenAllTried) {
        var pod = left.poll();
        if (pod == null) {
            whenAllTried.accept(cleared);
            return;
        }
        handle.nominate(
                pod,
                "",
                problem -> {
                    if (problem != null) {
                        tellNotCleared(pod, node, problem);
                    } else {
                        forgetUntold(pod, node);
                    }
                    clearNext(left, node, cleared && problem == null, whenAllTried);
                });
    }

    /// A nomination that the status has never told of is not seen to be cleared.
    private void forgetUntold(Pod pod, String node) {
        var latest = pods.get(pod.namespace(), pod.name());
        if (latest != null
                && latest.nominatedNodeName().isEmpty()
                && handle.nominations().nodeOf(pod.uid()).equals(Optional.of(node))) {
            handle.nominations().remove(pod);
        }
    }

    private void tellNotCleared(Pod pod, String node, String problem) {
        handle.log()
                .error(
                        null,
                        "Cannot clear 'NominatedNodeName' field from lower priority pods on the"
                                + " same target node",
                        "node",
                        node,
                        "pod",
                        pod.key(),
                        "err",
                        problem);
    }

    /// @return whether the victim's end is seen in the cluster, now or before: not where it was
    ///   sent back
    private boolean evict(Pod preemptor, String node, Pod victim) {
        if (sendBack(preemptor, node, victim)) {
            record(preemptor, node, victim, " (in kube-scheduler memory).");
            return false;
        }
        try {
            handle.writes()
                    .send(
                            Write.PatchStatus.of(
                                    victim,
                                    PodCondition.of(
                                            PodCondition.DISRUPTION_TARGET,
                                            "True",
                                            REASON,
                                            preemptor.spec().schedulerName()
                                                    + ": preempting to accommodate a higher"
                                                    + " priority pod"),
                                    null));
            handle.writes().send(new Write.Delete(victim));
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
