package io.berth.up.scenario;

import io.berth.api.model.Pod;
import java.util.function.Predicate;

/// What is seen of a cluster's pods.
public interface View {
    /// How many pods there are that are not on their way out.
    ///
    /// @param wanted which pods count
    /// @param zone where pods count that have a node; empty for anywhere
    Counts count(Predicate<Pod> wanted, String zone);

    /// @param pending without a node
    /// @param placed with a node
    /// @param running of those with a node
    record Counts(int pending, int placed, int running) {}
}
