package io.berth.serving.metrics;

import java.util.Locale;

/// How far users may rely on a metric; the first word of its help text (P-270).
public enum Stability {
    ALPHA,
    BETA,
    STABLE,

    /// For metrics that come from a library upstream, and say nothing about it.
    UNSTATED;

    String prefix() {
        return this == UNSTATED ? "" : "[" + name().toUpperCase(Locale.ROOT) + "] ";
    }
}
