package io.berth.api.relax;

/// Who has to act for a change to come about, the nearest to the pod first.
public enum Who {
    /// Nobody: it comes with time.
    NOBODY,
    /// Whoever wrote the pod.
    OWNER,
    /// Whoever runs the cluster.
    ADMIN,
    /// The owners of other pods lose something.
    VICTIMS,
    /// Whoever or whatever adds nodes.
    NEW_NODE
}
