package io.berth.api.label;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// An immutable set of labels, sorted by key. Equal content means equal objects, so label sets are
/// interned and compared cheaply.
public final class Labels {
    public static final Labels EMPTY = new Labels(new String[0], new String[0]);

    private final String[] keys;
    private final String[] values;
    private final int hash;

    private Labels(String[] keys, String[] values) {
        this.keys = keys;
        this.values = values;
        this.hash = 31 * Arrays.hashCode(keys) + Arrays.hashCode(values);
    }

    public static Labels of(Map<String, String> labels) {
        if (labels.isEmpty()) {
            return EMPTY;
        }
        SortedMap<String, String> sorted = new TreeMap<>(labels);
        return new Labels(
                sorted.keySet().toArray(String[]::new), sorted.values().toArray(String[]::new));
    }

    /// Labels from alternating keys and values, in any order; of a repeated key the last counts.
    public static Labels of(String... keysAndValues) {
        if (keysAndValues.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "keys and values alternate, but there are " + keysAndValues.length);
        }
        if (keysAndValues.length == 0) {
            return EMPTY;
        }
        String[] keys = new String[keysAndValues.length / 2];
        String[] values = new String[keys.length];
        int count = 0;
        // Decoders come here for every object, mostly with keys already in order.
        for (int i = 0; i < keysAndValues.length; i += 2) {
            String key = keysAndValues[i];
            int at = count;
            while (at > 0 && keys[at - 1].compareTo(key) > 0) {
                at--;
            }
            if (at > 0 && keys[at - 1].equals(key)) {
                values[at - 1] = keysAndValues[i + 1];
                continue;
            }
            System.arraycopy(keys, at, keys, at + 1, count - at);
            System.arraycopy(values, at, values, at + 1, count - at);
            keys[at] = key;
            values[at] = keysAndValues[i + 1];
            count++;
        }
        return count == keys.length
                ? new Labels(keys, values)
                : new Labels(Arrays.copyOf(keys, count), Arrays.copyOf(values, count));
    }

    /// The value of a key, or null where the key is absent.
    public @Nullable String value(String key) {
        int i = Arrays.binarySearch(keys, key);
        return i < 0 ? null : values[i];
    }

    public boolean has(String key) {
        return Arrays.binarySearch(keys, key) >= 0;
    }

    public int size() {
        return keys.length;
    }

    public boolean isEmpty() {
        return keys.length == 0;
    }

    public void forEach(BiConsumer<? super String, ? super String> consumer) {
        for (int i = 0; i < keys.length; i++) {
            consumer.accept(keys[i], values[i]);
        }
    }

    /// A copy as an ordinary map, in key order.
    public Map<String, String> toMap() {
        var map = new LinkedHashMap<String, String>();
        forEach(map::put);
        return map;
    }

    /// These labels with one more, or with another value for its key.
    public Labels with(String key, String value) {
        var map = toMap();
        map.put(key, value);
        return of(map);
    }

    public Labels without(String key) {
        var map = toMap();
        map.remove(key);
        return of(map);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof Labels that
                        && hash == that.hash
                        && Arrays.equals(keys, that.keys)
                        && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return toMap().toString();
    }
}
