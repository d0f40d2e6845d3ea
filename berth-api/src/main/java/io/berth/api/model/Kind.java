package io.berth.api.model;

/// The kinds of objects that the engine follows.
public enum Kind {
    POD,
    NODE,
    NAMESPACE,
    SERVICE,
    REPLICATION_CONTROLLER,
    REPLICA_SET,
    STATEFUL_SET,
    POD_DISRUPTION_BUDGET
}
