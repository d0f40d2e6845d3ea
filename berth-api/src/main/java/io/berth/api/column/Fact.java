package io.berth.api.column;

/// What a node-local judgement reads besides the pod's spec, so that the engine knows when a kept
/// result is out of date.
public enum Fact {
    /// The node object: labels, taints, allocatable resources, images.
    NODE,
    /// The pods on the node: requests, ports, counts. Changes with every placement.
    PODS,
    /// The number of nodes in the cluster.
    NODE_COUNT
}
