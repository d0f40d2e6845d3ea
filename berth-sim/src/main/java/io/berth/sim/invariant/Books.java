package io.berth.sim.invariant;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.engine.Inspection;
import io.berth.engine.queue.QueuedPodInfo;
import io.berth.engine.queue.SubQueue;
import io.berth.sim.fault.Doorkeeper;
import io.berth.sim.fault.Porter;
import io.berth.sim.plain.Broken;
import org.jspecify.annotations.Nullable;

/// Looks into the engine's books between two steps: what is kept must equal what a recount gives,
/// and every pod that the engine was told of must be in exactly one place.
final class Books implements Invariant {
    private static final int RECOUNT_EVERY = Integer.getInteger("berth.sim.recount", 16);

    private final Watched watched;
    private int checks;

    Books(Watched watched) {
        this.watched = watched;
    }

    /// Recounting is dear, and a difference stays, so that is done every few times.
    @Override
    public void afterStep() {
        var engine = watched.engine();
        if (checks++ % RECOUNT_EVERY == 0) {
            recount();
        }
        if (Inspection.hasNews(engine)) {
            // What was told is compared once all of it is taken.
            return;
        }
        var told = watched.stream(Kind.POD);
        int assigned = 0;
        for (ClusterObject object : told.told()) {
            var pod = (Pod) object;
            if (pod.isAssigned()) {
                assigned++;
                checkAssigned(pod);
            } else if (engine.profiles().containsKey(pod.spec().schedulerName())) {
                checkPending(pod);
            }
        }
        Broken.require(
                Inspection.of(engine).state().podCount()
                        == assigned + Inspection.of(engine).state().assumedCount(),
                "the state holds %d pods, but %d have a node and %d are assumed",
                Inspection.of(engine).state().podCount(),
                assigned,
                Inspection.of(engine).state().assumedCount());
        Inspection.of(engine)
                .state()
                .pods()
                .forEach(pod -> checkHeld(pod, (Pod) told.told(pod.key())));
        Inspection.of(engine)
                .queue()
                .forEachPending(info -> {
                    checkNomination(info);
                    var known = (Pod) told.told(info.key());
                    Broken.require(
                            known != null
                                    && known.uid().equals(info.pod().uid())
                                    && !known.isAssigned(),
                            "%s is in the queue, but is gone or has a node: %s",
                            info,
                            known);
                    Broken.require(
                            known != null
                                    && known.resourceVersion().equals(info.pod().resourceVersion()),
                            "%s is in the queue in an old form",
                            info);
                });
        for (var node : watched.stream(Kind.NODE).told()) {
            var known = Inspection.of(engine).state().node(node.name());
            Broken.require(
                    node.equals(known), "the engine does not know %s as it was told", node.name());
        }
    }

    @Override
    public void atRest() {
        recount();
    }

    /// What is kept must equal what is worked out anew.
    private void recount() {
        var differences = Inspection.of(watched.engine()).state().recount();
        Broken.require(differences.isEmpty(), "the books are wrong: %s", differences);
    }

    /// A pod with a place expects no other. One that is being deleted has lost its place, unless it
    /// waits for a permit: then it is rejected first (E-71).
    private void checkHeld(Pod held, @Nullable Pod told) {
        var engine = watched.engine();
        Broken.require(
                Inspection.of(engine).queue().nominator().nodeOf(held.uid()).isEmpty(),
                "%s has a place, but is still nominated",
                held.key());
        boolean isThere = told != null && told.uid().equals(held.uid()) && !told.isTerminating();
        Broken.require(
                isThere
                        || !Inspection.of(engine).state().isAssumed(held.uid())
                        || Doorkeeper.concerns(held)
                        || Porter.concerns(held),
                "%s is assumed, though it is being deleted",
                held.key());
    }

    private void checkAssigned(Pod pod) {
        var engine = watched.engine();
        var held = Inspection.of(engine).state().podOf(pod.uid());
        Broken.require(
                held != null && held.nodeName().equals(pod.nodeName()),
                "%s is on %s, but the state holds it as %s",
                pod.key(),
                pod.nodeName(),
                held);
        Broken.require(
                !Inspection.of(engine).state().isAssumed(pod.uid()),
                "%s has a node but is still assumed",
                pod.key());
        Broken.require(
                Inspection.of(engine).queue().find(pod.key()) == null,
                "%s has a node but is in the queue",
                pod.key());
    }

    /// A pod that has not been tried yet is nominated as its status says; so are all that a new
    /// process finds. One that is being deleted may be in the queue for the second time; one that
    /// had to wait for its claims before it was let in was nominated by nobody (E-59).
    private void checkNomination(QueuedPodInfo info) {
        if (info.attempts() == 0
                && !info.isGated()
                && !info.pod().isTerminating()
                && info.pod().spec().resourceClaims().isEmpty()) {
            var node =
                    Inspection.of(watched.engine())
                            .queue()
                            .nominator()
                            .nodeOf(info.pod().uid())
                            .orElse("");
            Broken.require(
                    node.equals(info.pod().nominatedNodeName()),
                    "%s is nominated to '%s', but its status says '%s'",
                    info,
                    node,
                    info.pod().nominatedNodeName());
        }
    }

    private void checkPending(Pod pod) {
        var engine = watched.engine();
        var info = Inspection.of(engine).queue().find(pod.key());
        boolean isQueued =
                info != null
                        && info.pod().uid().equals(pod.uid())
                        && info.subQueue() != SubQueue.OUT;
        boolean isInFlight = Inspection.of(engine).queue().isInFlight(pod.uid());
        boolean isAssumed = Inspection.of(engine).state().isAssumed(pod.uid());
        Broken.require(
                !isQueued || !isInFlight && !isAssumed,
                "%s is in two places: queue %s, in flight %s, assumed %s",
                pod.key(),
                info,
                isInFlight,
                isAssumed);
        Broken.require(
                isQueued || isInFlight || isAssumed || pod.isTerminating(),
                "%s is forgotten: neither in the queue nor in flight nor assumed",
                pod.key());
        Broken.require(
                !isInFlight || isAssumed || pod.isTerminating(),
                "%s is in flight between two steps, but not assumed",
                pod.key());
    }
}
