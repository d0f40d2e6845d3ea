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
/// @param boundPods how many pods run before the measuring begins; below zero: so many on each node
/// @param bound the i-th of these, without a node; the scenario spreads them evenly
/// @param pod the i-th pod to place
/// @param surroundings what there is besides nodes and pods
/// @param outcome what becomes of the pods to place
record Scenario(
        String name,
        double limitMicros,
        IntFunction<Node> node,
        int boundPods,
        IntFunction<Pod> bound,
        IntFunction<Pod> pod,
        Surroundings surroundings,
        Outcome outcome) {
    /// What becomes of a pod.
    enum Outcome {
        PLACED,
        /// Once others have gone for it.
        PREEMPTS,
        FITS_NOWHERE
    }

    Scenario(
            String name,
            double limitMicros,
            IntFunction<Node> node,
            int boundPods,
            IntFunction<Pod> bound,
            IntFunction<Pod> pod) {
        this(name, limitMicros, node, boundPods, bound, pod, Surroundings.NONE, Outcome.PLACED);
    }

    Scenario in(Surroundings others) {
        return new Scenario(name, limitMicros, node, boundPods, bound, pod, others, outcome);
    }

    Scenario ending(Outcome end) {
        return new Scenario(name, limitMicros, node, boundPods, bound, pod, surroundings, end);
    }

    boolean preempts() {
        return outcome == Outcome.PREEMPTS;
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
