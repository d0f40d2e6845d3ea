package io.berth.engine.cycle;

import io.berth.api.model.Pod;

/// A pod that has its place in our books and is on the way to be bound.
///
/// @param pod the pod with its node
record Placed(Attempt attempt, Pod pod, String node, int evaluatedNodes, int feasibleNodes) {}
