package io.berth.engine.port;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;

/// Where the Kubernetes edge reports what it sees. Calls may come from any thread; those about one
/// kind come in order. A call blocks while the engine is behind, so a flood slows its source down
/// instead of filling memory.
public interface ClusterFeed {
    /// An object exists in this form: new, changed, or unchanged after a relist.
    void seen(ClusterObject object);

    /// An object is gone. The engine knows its last form.
    void gone(Kind kind, String namespace, String name);

    /// The first complete list of a kind has been delivered.
    void synced(Kind kind);
}
