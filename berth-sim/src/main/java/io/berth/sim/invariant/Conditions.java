package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.write.Write;
import io.berth.sim.plain.Broken;

/// A pod that was bound does not say that it could not be.
///
/// What was sent by a process that is no more, or that has given up waiting for the answer, may
/// arrive at any time; nobody can take it back.
final class Conditions implements Invariant {
    private final Watched watched;
    private final Bindings bindings;

    Conditions(Watched watched, Bindings bindings) {
        this.watched = watched;
        this.bindings = bindings;
    }

    @Override
    public void atEffect(Write write, boolean isLate) {
        if (isLate && write instanceof Write.OfPod ofPod) {
            watched.doubtful().add(ofPod.pod().uid());
        }
    }

    @Override
    public void atRest() {
        for (var pod : watched.server().pods()) {
            if (bindings.hasBound(pod.uid()) && !watched.doubtful().contains(pod.uid())) {
                check(pod);
            }
        }
    }

    private static void check(Pod pod) {
        var condition = pod.condition(PodCondition.POD_SCHEDULED);
        Broken.require(
                condition != null
                        && condition.status().equals("True")
                        && condition.message().isEmpty(),
                "%s is on %s, but its status says %s",
                pod.key(),
                pod.nodeName(),
                condition);
        Broken.require(
                pod.nominatedNodeName().isEmpty(),
                "%s is on %s, but its status says that it expects %s",
                pod.key(),
                pod.nodeName(),
                pod.nominatedNodeName());
    }
}
