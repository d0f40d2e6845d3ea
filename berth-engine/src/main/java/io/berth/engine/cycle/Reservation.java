package io.berth.engine.cycle;

import io.berth.api.model.Pod;
import io.berth.engine.framework.Rejection;
import io.berth.engine.journal.Decision;
import io.berth.engine.journal.Journal;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.search.SearchResult;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.StateException;

/// Gives a pod its place in our books: assume, reserve, permit (rule E-104). From here on other
/// pods see the place taken, while the binding is still under way.
///
/// Owned by the engine thread.
public final class Reservation {
    private final SchedulingQueue queue;
    private final ClusterState state;
    private final Journal journal;
    private final AttemptContext context;
    private final Unplaced unplaced;
    private final BindingCycle bindings;

    public Reservation(Unplaced unplaced, BindingCycle bindings, AttemptContext context) {
        this.unplaced = unplaced;
        this.bindings = bindings;
        this.queue = context.queue();
        this.state = context.state();
        this.journal = context.journal();
        this.context = context;
    }

    void take(Attempt attempt, SearchResult.Found found) {
        var node = found.node().name();
        var assumed = attempt.pod().onNode(node);
        try {
            state.assumePod(assumed);
        } catch (StateException broken) {
            unplaced.handle(attempt, Failure.broken(broken), "");
            return;
        }
        var placement =
                new Placed(attempt, assumed, node, found.evaluatedNodes(), found.feasibleNodes());
        note(placement);
        queue.nominator().remove(assumed);
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
            var work = bindings.begin(placement);
            if (work == null) {
                return;
            }
            if (permission.waits().isEmpty() && work.isEmpty()) {
                bindings.bind(placement);
            } else {
                bindings.prepare(placement, work, permission.waits());
            }
        } catch (Throwable broken) {
            giveBack(placement, Failure.broken(broken));
        }
    }

    private void note(Placed placed) {
        if (journal.isOn()) {
            journal.decided(
                    new Decision.Placed(
                            placed.attempt().number(),
                            placed.pod().key(),
                            placed.pod().uid(),
                            placed.node(),
                            placed.evaluatedNodes(),
                            placed.feasibleNodes()));
        }
    }

    private void giveBack(Placed placed, Failure failure) {
        undo(placed, context);
        unplaced.handle(placed.attempt(), failure, "");
    }

    /// Gives the place back.
    ///
    /// @return whether the state had the pod as assumed
    static boolean undo(Placed placed, AttemptContext context) {
        var attempt = placed.attempt();
        Pod assumed = placed.pod();
        attempt.profile()
                .unreserve(
                        attempt.cycle(),
                        assumed,
                        placed.node(),
                        (plugin, cause) ->
                                context.log()
                                        .error(
                                                cause,
                                                "Unreserve failed",
                                                "pod",
                                                assumed.key(),
                                                "plugin",
                                                plugin));
        context.observer().givenBack(assumed, placed.node());
        try {
            context.state().forgetPod(assumed);
            return true;
        } catch (StateException broken) {
            context.log().error(broken, "ForgetPod failed", "pod", assumed.key());
            return false;
        }
    }
}
