package io.berth.kube.codec.wire;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Makes equal values one object for as long as anybody uses it.
///
/// The table holds its values weakly: when the last pod of a template is forgotten, its spec goes
/// too, and the entry is dropped at one of the next calls. So the table is never larger than what
/// is in use, and needs no bound of its own. Thread-safe.
final class WeakInterner<T> {
    private final ConcurrentHashMap<Object, Known<T>> table = new ConcurrentHashMap<>();
    private final ReferenceQueue<T> dropped = new ReferenceQueue<>();

    /// The object that stands for all equal to `value`.
    T intern(T value) {
        return intern(value, UnaryOperator.identity());
    }

    /// Likewise; a value seen for the first time is put into its final form, which must be equal.
    T intern(T value, UnaryOperator<T> finish) {
        var found = find(value);
        if (found != null) {
            return found;
        }
        expunge();
        T finished = finish.apply(value);
        var entry = new Known<>(finished, dropped);
        while (true) {
            var other = table.putIfAbsent(entry, entry);
            if (other == null) {
                return finished;
            }
            T known = other.get();
            if (known != null) {
                return known;
            }
            table.remove(other, other);
        }
    }

    int size() {
        expunge();
        return table.size();
    }

    private @Nullable T find(T value) {
        var known = table.get(new Sought(value));
        return known == null ? null : known.get();
    }

    private void expunge() {
        for (var gone = dropped.poll(); gone != null; gone = dropped.poll()) {
            table.remove(gone);
        }
    }

    /// A key for looking up.
    private static final class Sought {
        private final Object value;

        Sought(Object value) {
            this.value = value;
        }

        @Override
        public int hashCode() {
            return value.hashCode();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Known<?> known && value.equals(known.get());
        }
    }

    /// An entry: key and value in one.
    private static final class Known<T> extends WeakReference<T> {
        private final int hash;

        Known(T value, ReferenceQueue<T> queue) {
            super(value, queue);
            this.hash = value.hashCode();
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            T value = get();
            return value != null && other instanceof Known<?> that && value.equals(that.get());
        }
    }
}
