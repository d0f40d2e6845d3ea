package io.berth.lab.explain;

/// Where the facts of an explanation come from.
///
/// @param sentence the same for people, such as `cluster, 12 nodes and 80 pods read in 0.2 s`
/// @param stateVersion of the pods' list; empty where it has none
/// @param configHash of the configuration that was judged by
public record Source(
        Kind kind,
        String sentence,
        String stateVersion,
        long ageMillis,
        String configHash,
        String berthVersion) {
    /// The kinds of sources.
    public enum Kind {
        SCHEDULER,
        CLUSTER,
        DUMP
    }
}
