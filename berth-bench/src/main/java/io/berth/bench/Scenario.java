package io.berth.bench;

import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.testkit.TestScheduler;
import java.util.Set;
import java.util.function.IntFunction;

/// A cluster and a stream of pods to place in it.
///
/// @param limitMicros what the engine is to need at most per pod, with 5,000 nodes
/// @param node the i-th node
/// @param boundPods how many pods run before the measuring begins
/// @param bound the i-th of these, without a node; the scenario spreads them evenly
/// @param pod the i-th pod to place
/// @param surroundings what there is besides nodes and pods
record Scenario(
        String name,
        double limitMicros,
        IntFunction<Node> node,
        int boundPods,
        IntFunction<Pod> bound,
        IntFunction<Pod> pod,
        Surroundings surroundings) {
    Scenario(
            String name,
            double limitMicros,
            IntFunction<Node> node,
            int boundPods,
            IntFunction<Pod> bound,
            IntFunction<Pod> pod) {
        this(name, limitMicros, node, boundPods, bound, pod, Surroundings.NONE);
    }

    /// What others do in a cluster. Not measured; what the engine makes of it is.
    interface Surroundings {
        Surroundings NONE = new Surroundings() {};

        /// The feature gates that are on.
        default Set<String> features() {
            return Set.of();
        }

        /// Before anything else.
        ///
        /// @param nodes how many there are
        default void furnish(TestScheduler scheduler, int nodes) {}

        /// Before a pod comes.
        default void prepare(TestScheduler scheduler, Pod pod) {}

        /// After the scheduler has done with a pod what it could alone.
        ///
        /// @return whether the pod still waits, for another second
        default boolean answer(TestScheduler scheduler, Pod pod) {
            return false;
        }
    }
}
