package io.berth.sim.invariant;

import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.engine.Engine;
import io.berth.engine.Inspection;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.plain.Broken;

/// Looks at the pod that a play is about.
public final class PlayCheck {
    private final ApiServer server;
    private final Engine engine;

    public PlayCheck(ApiServer server, Engine engine) {
        this.server = server;
        this.engine = engine;
    }

    /// A pod that was tried and waits must say so in its status. One that waits for its claim for
    /// devices to be made is not tried.
    public void told(String key) {
        var pod = server.pod(key);
        if (pod == null || pod.isAssigned() || isGated(pod)) {
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

    private boolean isGated(Pod pod) {
        var info = Inspection.of(engine).queue().find(pod.key());
        return !pod.spec().schedulingGates().isEmpty()
                || info != null && info.isGated() && !pod.spec().resourceClaims().isEmpty();
    }

    /// The pod that was helped must have been tried again, and have made room for itself where it
    /// may. There is no excuse: nothing else happened.
    ///
    /// @param help what helped it, in words
    public void woken(String key, String help) {
        var info = Inspection.of(engine).queue().find(key);
        if (info != null) {
            var possible = Waiters.possibleNodes(engine, info.pod());
            Broken.require(
                    possible.isEmpty() && !info.pod().spec().mayPreempt(),
                    "%s waits, refused by %s, though %s lets it go to %s",
                    info.key(),
                    info.unschedulablePlugins(),
                    help,
                    possible);
        }
    }
}
