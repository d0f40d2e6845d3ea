package io.berth.engine.cycle;

import io.berth.api.model.Pod;
import io.berth.api.plugin.Log;
import io.berth.engine.framework.Placement;
import io.berth.engine.framework.Rejection;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.StateException;

/// Gives a pod its place in our books: assume, reserve, permit (rule E-104). From here on other
/// pods see the place taken, while the binding is still under way.
///
/// Owned by the engine thread.
public final class Reservation {
    private final SchedulingQueue queue;
    private final ClusterState state;
    private final Log log;
    private final Unplaced unplaced;
    private final BindingCycle bindings;

    public Reservation(Unplaced unplaced, BindingCycle bindings, Workplace at) {
        this.unplaced = unplaced;
        this.bindings = bindings;
        this.queue = at.queue();
        this.state = at.state();
        this.log = at.log();
    }

    void take(Attempt attempt, Placement.Found found) {
        var node = found.node().name();
        var assumed = attempt.pod().onNode(node);
        try {
            state.assumePod(assumed);
        } catch (StateException broken) {
            unplaced.handle(attempt, Failure.broken(broken), "");
            return;
        }
        queue.nominator().remove(assumed);
        var placement =
                new Placed(attempt, assumed, node, found.evaluatedNodes(), found.feasibleNodes());
        try {
            var refused = attempt.profile().reserve(attempt.cycle(), assumed, node);
            if (refused != null) {
                giveBack(placement, Failure.refusedPlace(refused));
                return;
            }
            var permission = attempt.profile().permit(attempt.cycle(), assumed, node);
            Rejection rejection = permission.rejection();
            if (rejection != null) {
                giveBack(placement, Failure.refusedPlace(rejection));
                return;
            }
            queue.activate(attempt.cycle().takePodsToActivate());
            bindings.start(placement, permission.waits());
        } catch (RuntimeException | LinkageError | StackOverflowError broken) {
            giveBack(placement, Failure.broken(broken));
        }
    }

    private void giveBack(Placed placed, Failure failure) {
        undo(placed, state, log);
        unplaced.handle(placed.attempt(), failure, "");
    }

    /// Gives the place back.
    ///
    /// @return whether the state had the pod as assumed
    static boolean undo(Placed placed, ClusterState state, Log log) {
        var attempt = placed.attempt();
        Pod assumed = placed.pod();
        attempt.profile()
                .unreserve(
                        attempt.cycle(),
                        assumed,
                        placed.node(),
                        (plugin, cause) ->
                                log.error(
                                        cause,
                                        "Unreserve failed",
                                        "pod",
                                        assumed.key(),
                                        "plugin",
                                        plugin));
        try {
            state.forgetPod(assumed);
            return true;
        } catch (StateException broken) {
            log.error(broken, "ForgetPod failed", "pod", assumed.key());
            return false;
        }
    }
}
