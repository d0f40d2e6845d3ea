package io.berth.apiserver.store;

import org.jspecify.annotations.Nullable;

/// One step of history.
///
/// @param object the state after the step; for a deletion the last state, under the deletion's
///   revision
/// @param previous the state before the step, absent for a new object
public record Change(Kind kind, StoredObject object, @Nullable StoredObject previous) {
    /// What happened to the object.
    public enum Kind {
        ADDED,
        MODIFIED,
        DELETED
    }

    public long revision() {
        return object.revision();
    }

    int sizeBytes() {
        return object.json().length;
    }
}
