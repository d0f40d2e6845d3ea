package io.berth.api.event;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import org.jspecify.annotations.Nullable;

/// An event that may make pods schedulable which a plugin has refused, with a closer look at
/// whether it does.
public record Registration(ClusterEvent event, HintFunction hint) {
    /// @param resource one that [ClusterEvent] names, or `<plural>.<version>.<group>`, such as
    ///   `services.v1.` and `replicasets.v1.apps`, of which plain updates are told
    public static Registration of(String resource, int actions, HintFunction hint) {
        return new Registration(ClusterEvent.of(resource, actions), hint);
    }

    /// Registers without a closer look: the event always wakes.
    public static Registration of(String resource, int actions) {
        return of(resource, actions, HintFunction.ALWAYS);
    }

    /// Judges whether a change may make a waiting pod schedulable. One that throws counts as
    /// [Hint#QUEUE], so that no pod is lost.
    @FunctionalInterface
    public interface HintFunction {
        HintFunction ALWAYS = (waiting, before, after) -> Hint.QUEUE;

        /// @param before null for an addition
        /// @param after null for a deletion
        Hint judge(Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after);
    }

    /// Whether to try the waiting pod again.
    public enum Hint {
        QUEUE,
        SKIP
    }
}
