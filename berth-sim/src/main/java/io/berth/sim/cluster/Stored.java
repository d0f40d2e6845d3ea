package io.berth.sim.cluster;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;

/// An object in the API server.
///
/// @param uid tells an object from a later one of the same name
public record Stored(ClusterObject object, String uid, long revision) {
    Kind kind() {
        return object.kind();
    }

    String key() {
        return object.key();
    }

    /// Whether watches tell of it: they leave finished pods out.
    boolean isWatched() {
        return !(object instanceof Pod pod && pod.isTerminal());
    }
}
