package io.berth.engine.queue;

import java.util.List;

/// A pod's place among the active ones.
///
/// @param position from 1
/// @param ahead the first pods that come before it, by `namespace/name`
public record Turn(int position, List<String> ahead) {
    public Turn {
        ahead = List.copyOf(ahead);
    }
}
