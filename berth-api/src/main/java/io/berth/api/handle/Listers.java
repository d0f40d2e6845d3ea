package io.berth.api.handle;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;

/// All objects of the cluster but nodes, as last seen. For the engine thread.
public interface Listers {
    /// The objects of a kind. What comes back is the same object each time and stays right, so it
    /// may be kept.
    ///
    /// @param type what all objects of the kind are
    /// @throws IllegalArgumentException for nodes, which are in the columns
    <T extends ClusterObject> Lister<T> of(Kind kind, Class<T> type);
}
