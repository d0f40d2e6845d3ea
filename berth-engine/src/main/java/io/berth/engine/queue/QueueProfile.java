package io.berth.engine.queue;

import io.berth.api.plugin.PreEnqueue;
import java.util.List;

/// What the queue needs of a profile.
///
/// @param name the `spec.schedulerName` of its pods
/// @param preEnqueue the enabled PreEnqueue plugins; they are asked in this order (upstream leaves
///   the order open)
/// @param hints which events wake pods that its plugins refused
public record QueueProfile(String name, List<PreEnqueue> preEnqueue, HintMap hints) {
    public QueueProfile {
        preEnqueue = List.copyOf(preEnqueue);
    }
}
