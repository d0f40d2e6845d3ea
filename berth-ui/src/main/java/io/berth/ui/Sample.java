package io.berth.ui;

import io.berth.engine.port.ClusterImage;
import io.berth.lab.explain.QueueFacts;
import java.util.Map;

/// What a cluster is like at one moment.
///
/// @param queue what a scheduler's queue says of pods, by `namespace/name`; empty where none was
///   asked
public record Sample(ClusterImage image, Map<String, QueueFacts> queue) {
    public Sample {
        queue = Map.copyOf(queue);
    }

    public static Sample of(ClusterImage image) {
        return new Sample(image, Map.of());
    }
}
