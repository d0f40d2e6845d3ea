package io.berth.kube.write;

import io.berth.api.handle.Recorder;
import io.berth.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Recognises events that repeat, so that the server hears of a repetition and not of each
/// (contract rules P-162 to P-164).
///
/// The first of a kind is created; the second makes it a series; further ones only count. A series
/// is written again every 30 minutes, and a last time when it has been quiet for 6. Two events are
/// of a kind where all but note and time are equal; the pod's version is part of that.
///
/// Used by one thread.
final class EventSeries {
    static final Duration QUIET = Duration.ofMinutes(6);
    static final Duration REFRESH = Duration.ofMinutes(30);
    private static final int MAX_KINDS = 10_000;

    private record Key(
            String type,
            String action,
            String reason,
            String controller,
            String regarding,
            String related) {
        // By hand, since one is made for each event, and what the JDK makes for records is slow
        // until the second compiler has seen it. Hardly two that differ are about the same pod.
        @Override
        public int hashCode() {
            return regarding.hashCode();
        }
    }

    private static final class Entry {
        private final EventBody body;
        private int count = 1;
        private Instant lastObserved;

        Entry(EventBody body) {
            this.body = body;
            this.lastObserved = body.time();
        }

        EventBody.Series series() {
            return new EventBody.Series(count, lastObserved);
        }
    }

    /// Something to write.
    ///
    /// @param series null for an event that happened once
    record Write(EventBody body, EventBody.@Nullable Series series) implements EventWrite {
        @Override
        public String collection() {
            return body.collection();
        }

        @Override
        public String name() {
            return body.name();
        }

        @Override
        public byte[] create() {
            return body.create(series);
        }

        @Override
        public byte @Nullable [] patch() {
            return series == null ? null : body.patch(series);
        }
    }

    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final String host;
    private @Nullable Instant checkedAt;
    private @Nullable Instant refreshedAt;

    EventSeries(String host) {
        this.host = host;
    }

    /// What to write about an event; null where counting is enough.
    @Nullable Write add(Recorder.Event event, @Nullable Pod related, Instant now) {
        var key =
                new Key(
                        event.type().text(),
                        event.action(),
                        event.reason(),
                        event.controller(),
                        reference(event.about()),
                        related == null ? "" : reference(related));
        var known = entries.get(key);
        if (known == null) {
            var entry = new Entry(EventBody.of(event, related, host, now));
            entries.put(key, entry);
            if (entries.size() > MAX_KINDS) {
                entries.remove(entries.keySet().iterator().next());
            }
            return new Write(entry.body, null);
        }
        known.count++;
        known.lastObserved = now;
        return known.count == 2 ? new Write(known.body, known.series()) : null;
    }

    private static String reference(Pod pod) {
        return pod.namespace() + "/" + pod.name() + "/" + pod.uid() + "/" + pod.resourceVersion();
    }

    /// What is due because time has passed.
    List<Write> due(Instant now) {
        if (checkedAt == null || refreshedAt == null) {
            checkedAt = now;
            refreshedAt = now;
        }
        var result = new ArrayList<Write>();
        if (!now.isBefore(refreshedAt.plus(REFRESH))) {
            refreshedAt = now;
            for (var entry : entries.values()) {
                if (entry.count > 1) {
                    result.add(new Write(entry.body, entry.series()));
                }
            }
        }
        if (!now.isBefore(checkedAt.plus(QUIET))) {
            checkedAt = now;
            entries.values()
                    .removeIf(entry -> {
                        boolean quiet = !now.isBefore(entry.lastObserved.plus(QUIET));
                        if (quiet && entry.count > 1) {
                            result.add(new Write(entry.body, entry.series()));
                        }
                        return quiet;
                    });
        }
        return result;
    }

    int size() {
        return entries.size();
    }
}
