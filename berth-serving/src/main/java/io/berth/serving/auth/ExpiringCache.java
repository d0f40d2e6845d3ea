package io.berth.serving.auth;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Remembers answers for a while, the most recently used ones if there are too many. Thread-safe.
final class ExpiringCache<K, V> {
    private record Remembered<V>(V value, long untilNanos) {}

    private final LongSupplier nanos;
    private final Map<K, Remembered<V>> entries;

    ExpiringCache(int capacity, LongSupplier nanos) {
        this.nanos = nanos;
        this.entries =
                new LinkedHashMap<>(16, 0.75f, true) {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<K, Remembered<V>> eldest) {
                        return size() > capacity;
                    }
                };
    }

    synchronized Optional<V> get(K key) {
        Remembered<V> entry = entries.get(key);
        if (entry == null) {
            return Optional.empty();
        }
        if (nanos.getAsLong() - entry.untilNanos >= 0) {
            entries.remove(key);
            return Optional.empty();
        }
        return Optional.of(entry.value);
    }

    /// Does nothing for a duration of zero or less.
    synchronized void put(K key, V value, Duration timeToLive) {
        if (timeToLive.isPositive()) {
            entries.put(key, new Remembered<>(value, nanos.getAsLong() + timeToLive.toNanos()));
        }
    }
}
