package io.berth.apiserver.store;

import java.util.List;

/// The objects of a range of one type at one revision, in the order of their paths.
public record Page(long revision, List<StoredObject> objects) {
    public Page {
        objects = List.copyOf(objects);
    }
}
