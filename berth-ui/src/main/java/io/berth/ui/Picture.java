package io.berth.ui;

import io.berth.engine.port.ClusterImage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What is to be seen of a cluster after a look at it.
///
/// @param image null before the first look
/// @param problem why it could not be looked at; empty where all is well
record Picture(
        NodeMap map,
        @Nullable ClusterImage image,
        int pods,
        int pending,
        long queueVersion,
        Instant time,
        String problem) {
    static final Picture NONE =
            new Picture(NodeMap.empty(), null, 0, 0, 0, Instant.EPOCH, "not looked at yet");

    Picture withProblem(String sentence) {
        return new Picture(map, image, pods, pending, queueVersion, time, sentence);
    }
}
