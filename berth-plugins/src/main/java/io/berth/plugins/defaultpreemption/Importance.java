package io.berth.plugins.defaultpreemption;

import io.berth.api.model.Pod;
import java.util.Comparator;
import java.util.List;

/// Which of two pods is rather kept: the one of higher priority, then the one that runs for longer
/// (rule E-157).
///
/// A pod that has not started counts as starting now. Upstream reads the clock anew for each of the
/// two, so of two such pods the one that is asked about first always seems the older, whichever it
/// is. Its sort of a short list compares each pod with the one before it and lets it pass, which
/// turns pods without a start round. We do the same, or other victims would be chosen.
final class Importance {
    /// Up to this length upstream's sort goes through the list pod by pod.
    static final int SHORT_LIST = 12;

    private Importance() {}

    /// Sorts the more important first. Equal pods of a long list keep their order, also those
    /// without a start.
    ///
    /// @param nowMillis stands in for the start of pods that have not started
    static void sort(List<Pod> pods, long nowMillis) {
        if (pods.size() > SHORT_LIST) {
            pods.sort(first(nowMillis));
            return;
        }
        for (int i = 1; i < pods.size(); i++) {
            for (int at = i; at > 0 && passes(pods.get(at), pods.get(at - 1), nowMillis); at--) {
                pods.set(at, pods.set(at - 1, pods.get(at)));
            }
        }
    }

    private static boolean passes(Pod pod, Pod before, long nowMillis) {
        int order = first(nowMillis).compare(pod, before);
        return order < 0 || order == 0 && before.startedAt() == null;
    }

    private static Comparator<Pod> first(long nowMillis) {
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
