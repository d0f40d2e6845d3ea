package io.berth.api.model;

import io.berth.api.label.Labels;

/// A namespace and its labels, which the namespace selectors of affinity terms read.
public record Namespace(String name, Labels labels) implements ClusterObject {
    @Override
    public Kind kind() {
        return Kind.NAMESPACE;
    }

    @Override
    public String namespace() {
        return "";
    }
}
