package io.berth.serving.metrics;

import java.io.IOException;

/// Something that a registry writes.
public interface Metric {
    Definition definition();

    /// Writes head and series; nothing where there are no series.
    void write(TextOutput out) throws IOException;

    default void reset() {}
}
