package io.berth.api.handle;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.write.Departure;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;

/// The way to the API server for everything that the scheduler changes. Every call blocks until the
/// server has answered, so it belongs on a binding or background thread, never on the engine
/// thread.
///
/// A call that fails throws a [ClusterException], whose kind says whether trying again may help.
public interface ClusterWrites {
    /// Sends a write, unless it is withdrawn before that.
    Receipt send(Write write, Departure departure);

    /// An object as it is now, for whoever was told that it is no longer as it was looked at.
    /// Blocks as a write does.
    default ClusterObject read(Kind kind, String namespace, String name) {
        throw new ClusterException(
                ClusterException.Kind.REFUSED, kind + " " + name + " cannot be read here");
    }

    /// Sends a write.
    default Receipt send(Write write) {
        return send(write, new Departure());
    }
}
