package io.berth.bench;

import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import java.util.function.IntFunction;

/// A cluster and a stream of pods to place in it.
///
/// @param limitMicros what the engine is to need at most per pod, with 5,000 nodes
/// @param node the i-th node
/// @param boundPods how many pods run before the measuring begins
/// @param bound the i-th of these, without a node; the scenario spreads them evenly
/// @param pod the i-th pod to place
record Scenario(
        String name,
        double limitMicros,
        IntFunction<Node> node,
        int boundPods,
        IntFunction<Pod> bound,
        IntFunction<Pod> pod) {}
