package io.berth.kube.codec.wire;

import io.berth.api.amount.Quantity;
import io.berth.api.label.Labels;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Objects of the API, read value by value; readers see JSON and protobuf alike, with the names of
/// the former.
///
/// Every reading method expects to stand at the beginning of a value and leaves at its end. `null`
/// reads like an absent field; a value of another type than asked for is an [UnreadableException].
/// Broken input is an IOException. Used by one thread.
public abstract sealed class ObjectInput implements AutoCloseable permits JsonInput, ProtobufInput {
    private final Shared shared;
    private String[] pairs = new String[32];

    ObjectInput(Shared shared) {
        this.shared = shared;
    }

    public final Shared shared() {
        return shared;
    }

    /// Enters an object or a map; false for null.
    public abstract boolean beginObject();

    /// Enters an array; false for null.
    public abstract boolean beginArray();

    /// Goes to the value of the next field and returns the field's name; null at the object's end.
    public abstract @Nullable String nextField() throws IOException;

    /// Goes to the next element; false at the array's end.
    public abstract boolean nextElement() throws IOException;

    public abstract void skip() throws IOException;

    public abstract boolean isNull();

    /// A text that hardly repeats, such as a uid.
    public abstract String text() throws IOException;

    /// A text that repeats in other objects.
    public abstract String sharedText() throws IOException;

    public abstract boolean flag();

    public abstract long number() throws IOException;

    public abstract @Nullable Instant time() throws IOException;

    /// An amount; null for null.
    public abstract @Nullable Quantity quantity() throws IOException;

    /// A value that nobody here reads, as JSON; empty for null.
    public abstract String json() throws IOException;

    /// How deep the current value lies; see [#leave].
    public abstract int depth();

    /// Skips to the end of the object that was entered at this depth.
    public abstract void leave(int depth) throws IOException;

    /// What to throw for a value of another type.
    public abstract UnreadableException wrongType(String wanted);

    @Override
    public abstract void close() throws IOException;

    /// Reads the value of a field.
    public interface Reading {
        void read() throws IOException;
    }

    /// Reads one field of an object and passes over the others.
    public final void only(String wanted, Reading reading) throws IOException {
        if (!beginObject()) {
            return;
        }
        for (String field = nextField(); field != null; field = nextField()) {
            if (field.equals(wanted)) {
                reading.read();
            } else {
                skip();
            }
        }
    }

    public final int integer() throws IOException {
        long value = number();
        if (value != (int) value) {
            throw wrongType("a 32-bit integer");
        }
        return (int) value;
    }

    /// Amounts by resource name; empty for null.
    public final Map<String, Quantity> resources() throws IOException {
        if (!beginObject()) {
            return Map.of();
        }
        var result = new HashMap<String, Quantity>(4);
        for (String name = nextField(); name != null; name = nextField()) {
            var amount = quantity();
            result.put(name, amount == null ? Quantity.ZERO : amount);
        }
        return Map.copyOf(result);
    }

    /// Labels or annotations, shared with equal ones; null for null.
    public final @Nullable Labels labels() throws IOException {
        if (!beginObject()) {
            return null;
        }
        int count = 0;
        for (String key = nextField(); key != null; key = nextField()) {
            if (count + 2 > pairs.length) {
                pairs = Arrays.copyOf(pairs, 2 * pairs.length);
            }
            pairs[count++] = key;
            pairs[count++] = sharedText();
        }
        return shared.labels(Labels.of(Arrays.copyOf(pairs, count)));
    }

    public final Labels labelsOrEmpty() throws IOException {
        var labels = labels();
        return labels == null ? Labels.EMPTY : labels;
    }

    /// Texts that repeat; empty for null. Null elements are left out.
    public final List<String> texts() throws IOException {
        if (!beginArray()) {
            return List.of();
        }
        var result = new ArrayList<String>(4);
        while (nextElement()) {
            if (!isNull()) {
                result.add(sharedText());
            }
        }
        return List.copyOf(result);
    }
}
