package io.berth.api.model;

import java.util.List;

/// A container image that a node has on its disk.
public record NodeImage(List<String> names, long sizeBytes) {
    public NodeImage {
        names = List.copyOf(names);
    }
}
