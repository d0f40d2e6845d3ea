package io.berth.engine.query;

import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.ObjectStore;

/// What an engine keeps, as it is: it changes with every step. Engine thread only.
///
/// @param objects all objects but nodes, as last seen
public record Books(ClusterState state, ObjectStore objects, SchedulingQueue queue) {
    /// Changes with what is kept.
    public long version() {
        return state.version() + objects.version() + queue.version();
    }
}
