package io.berth.engine.queue;

import io.berth.api.model.Pod;
import org.jspecify.annotations.Nullable;

/// The pods as last seen on the watch.
@FunctionalInterface
public interface KnownPods {
    /// @param key `namespace/name`
    @Nullable Pod pod(String key);
}
