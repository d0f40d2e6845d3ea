package io.berth.controllers.garbage;

import io.berth.controllers.client.Resource;
import io.berth.controllers.object.Held;
import io.berth.controllers.object.Meta;

/// An object of any kind.
record Item(Resource kind, Meta meta) {
    static final String FOREGROUND = "foregroundDeletion";
    static final String ORPHAN = "orphan";

    static Item of(Resource kind, Held object) {
        return new Item(kind, object.meta());
    }

    /// The word by which it stands in a queue.
    String key() {
        return kind.apiVersion() + " " + kind.kind() + " " + meta.key();
    }

    /// It waits for those that it owns to go.
    boolean waitsForDependents() {
        return meta.isDeleting() && meta.finalizers().contains(FOREGROUND);
    }

    /// It waits for those that it owns to be set free.
    boolean waitsForOrphans() {
        return meta.isDeleting() && meta.finalizers().contains(ORPHAN);
    }

    /// How what this one owns is to be treated when it is deleted.
    String policy() {
        if (meta.finalizers().contains(ORPHAN)) {
            return "Orphan";
        }
        return meta.finalizers().contains(FOREGROUND) ? "Foreground" : "Background";
    }
}
