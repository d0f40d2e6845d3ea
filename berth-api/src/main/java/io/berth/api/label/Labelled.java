package io.berth.api.label;

/// An object of the cluster with a name and labels, by which selectors find it.
public interface Labelled {
    String name();

    Labels labels();
}
