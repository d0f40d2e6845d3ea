package io.berth.kube.codec.wire;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Remembers what was made of a text, so that texts which repeat (label values, node names, image
/// names, amounts) become one object and cost no allocation.
///
/// A table of fixed size, two places per text. A newcomer takes the first place and pushes what was
/// there into the second; what falls out is merely made again the next time. So memory is bounded
/// whatever comes in, and there is nothing to clean up.
///
/// Thread-safe without locks: entries are immutable, and a lost race loses an entry, not a fact.
public final class TextCache<T> {
    private static final int MAX_LENGTH = 256;

    private record Entry<T>(String text, T value) {}

    private final @Nullable Entry<T>[] entries;
    private final Function<String, T> make;

    /// @param bits the table has 2^bits places
    public TextCache(int bits, Function<String, T> make) {
        this.entries = table(1 << bits);
        this.make = make;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type has no other form
    private static <T> @Nullable Entry<T>[] table(int size) {
        return (Entry<T>[]) new Entry[size];
    }

    public T of(char[] buffer, int offset, int length) {
        if (length > MAX_LENGTH) {
            return make.apply(new String(buffer, offset, length));
        }
        int hash = 0;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + buffer[i];
        }
        int first = (hash ^ hash >>> 15) & entries.length - 1;
        int second = first ^ 1;
        var entry = entries[first];
        if (entry != null && matches(entry.text, hash, buffer, offset, length)) {
            return entry.value;
        }
        var other = entries[second];
        if (other != null && matches(other.text, hash, buffer, offset, length)) {
            return other.value;
        }
        String text = new String(buffer, offset, length);
        T value = make.apply(text);
        entries[second] = entry;
        entries[first] = new Entry<>(text, value);
        return value;
    }

    private static boolean matches(String text, int hash, char[] buffer, int offset, int length) {
        if (text.length() != length || text.hashCode() != hash) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != buffer[offset + i]) {
                return false;
            }
        }
        return true;
    }
}
