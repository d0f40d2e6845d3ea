package io.berth.api.model;

/// A controller of pods (replication controller, replica set, stateful set); default spreading
/// takes its selector.
public record Workload(Kind kind, String namespace, String name, LabelSelector selector)
        implements ClusterObject {}
