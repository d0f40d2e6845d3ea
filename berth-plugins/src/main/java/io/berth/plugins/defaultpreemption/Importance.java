package io.berth.plugins.defaultpreemption;

import io.berth.api.model.Pod;
import java.util.Comparator;

/// Which of two pods is rather kept: the one of higher priority, then the one that runs for longer
/// (rule E-157).
final class Importance {
    private Importance() {}

    /// The more important first.
    ///
    /// @param nowMillis stands in for the start of pods that have not started
    static Comparator<Pod> first(long nowMillis) {
        return (a, b) -> {
            int byPriority = Integer.compare(b.spec().priority(), a.spec().priority());
            return byPriority != 0
                    ? byPriority
                    : Long.compare(startMillis(a, nowMillis), startMillis(b, nowMillis));
        };
    }

    static long startMillis(Pod pod, long nowMillis) {
        return pod.startedAt() == null ? nowMillis : pod.startedAt().toEpochMilli();
    }
}
