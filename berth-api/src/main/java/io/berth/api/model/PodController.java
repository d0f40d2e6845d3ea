package io.berth.api.model;

import io.berth.api.label.LabelSelector;

/// A controller of pods (replication controller, replica set, stateful set); default spreading
/// takes its selector.
public record PodController(Kind kind, String namespace, String name, LabelSelector selector)
        implements ClusterObject {}
