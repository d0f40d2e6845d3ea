package io.berth.engine.port;

import io.berth.api.explain.Decision;
import io.berth.api.explain.ScoreSheet;
import io.berth.api.model.Pod;
import java.util.List;
import java.util.function.Supplier;

/// Watches attempts, on the engine thread. Must not change anything, nor take long.
public interface AttemptObserver {
    /// Looks away.
    AttemptObserver NONE = new AttemptObserver() {};

    /// The search for a node has come to its end, and nothing has been changed by it yet.
    ///
    /// @param decision to be asked for at once, by those who want it
    default void decided(Pod pod, String profile, Supplier<Decision> decision) {}

    /// The attempt came to nothing, now or after a node was found, and the pod is back in the queue
    /// unless it is gone.
    ///
    /// @param message what users read
    default void failed(Pod pod, String profile, String message) {}

    /// A place that was taken in our books is given back.
    default void givenBack(Pod pod, String node) {}

    /// Whether single scores are wanted in the next attempt. They cost time.
    default boolean wantsScores() {
        return false;
    }

    /// What the plugins gave each node, before extenders add to it. Only where wanted.
    default void scored(Pod pod, ScoreSheet sheet) {}

    /// The sums that the choice is made by, extenders included. Only where wanted.
    ///
    /// @param totals in the order of the sheet's nodes
    default void summed(Pod pod, List<String> nodes, List<Long> totals) {}
}
