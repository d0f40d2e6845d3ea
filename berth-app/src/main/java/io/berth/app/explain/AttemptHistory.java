package io.berth.app.explain;

import io.berth.api.model.Pod;
import io.berth.engine.port.AttemptObserver;
import io.berth.lab.explain.QueueFacts.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// What the last failed attempts of each pod came to, within a bound of memory: whoever failed
/// longest ago is forgotten first. Attempts in a row that say the same are one entry.
///
/// Owned by the engine thread.
public final class AttemptHistory implements AttemptObserver {
    static final int MOST_ATTEMPTS = 8;
    private static final int LONGEST = 1024;

    /// About what a pod and an entry take beside their texts.
    private static final int POD_BYTES = 300;

    private static final int ATTEMPT_BYTES = 100;

    /// A pod that has not failed for so long has a node or is gone.
    private static final Duration MEMORY = Duration.ofMinutes(10);

    private final long mostBytes;
    private final long memoryMillis;
    private final LongSupplier wallMillis;

    /// By uid, the pod that failed longest ago first.
    private final Map<String, Kept> pods = new LinkedHashMap<>();

    private long bytes;

    private record Kept(List<Attempt> attempts, long lastMillis, int bytes) {}

    /// @param mostBytes about how much memory it may take; 0 for none
    /// @param maxTimeParked the longest time between two attempts of a pod that waits
    public AttemptHistory(long mostBytes, Duration maxTimeParked, LongSupplier wallMillis) {
        this.mostBytes = mostBytes;
        this.memoryMillis = maxTimeParked.plus(MEMORY).toMillis();
        this.wallMillis = wallMillis;
    }

    @Override
    public void failed(Pod pod, String profile, String message) {
        if (mostBytes == 0) {
            return;
        }
        long now = wallMillis.getAsLong();
        var before = pods.remove(pod.uid());
        bytes -= before == null ? 0 : before.bytes;
        var text = message.length() <= LONGEST ? message : message.substring(0, LONGEST - 1) + "…";
        var attempts =
                with(before == null ? List.of() : before.attempts, Instant.ofEpochMilli(now), text);
        int size = POD_BYTES;
        for (var attempt : attempts) {
            size += ATTEMPT_BYTES + attempt.message().length();
        }
        pods.put(pod.uid(), new Kept(attempts, now, size));
        bytes += size;
        trim(now);
    }

    private static List<Attempt> with(List<Attempt> before, Instant time, String message) {
        var attempts = new ArrayList<>(before);
        if (!before.isEmpty() && before.getLast().message().equals(message)) {
            attempts.set(
                    attempts.size() - 1,
                    new Attempt(time, before.getLast().times() + 1, before.getLast().message()));
        } else {
            attempts.add(new Attempt(time, 1, message));
            if (attempts.size() > MOST_ATTEMPTS) {
                attempts.removeFirst();
            }
        }
        return List.copyOf(attempts);
    }

    private void trim(long now) {
        var eldest = pods.values().iterator();
        while (eldest.hasNext()) {
            var kept = eldest.next();
            if (bytes <= mostBytes && now - kept.lastMillis <= memoryMillis) {
                return;
            }
            bytes -= kept.bytes;
            eldest.remove();
        }
    }

    /// What is known of a pod, the latest last.
    List<Attempt> of(String uid) {
        var kept = pods.get(uid);
        return kept == null ? List.of() : kept.attempts;
    }

    /// About how much memory it takes.
    long bytes() {
        return bytes;
    }
}
