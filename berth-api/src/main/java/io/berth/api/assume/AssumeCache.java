package io.berth.api.assume;

import io.berth.api.handle.Log;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Objects as they will be: as last seen, or as somebody has written them and not yet seen again
/// (rule E-36).
///
/// ```
///            seen (newer)             assume (not older)
///   absent ──────────────► seen ◄──────────────────────► assumed
///            gone ◄─────────┴── restore, seen (newer) ──────┘
/// ```
///
/// Versions are numbers here, since what a write returned must be told from what was seen before
/// it: the one place where the order of versions counts.
///
/// Owned by the engine thread. Handlers hear of all changes in their order and one at a time, so
/// they may call back; a call from a handler returns before its own change is told.
public final class AssumeCache<T> {
    /// Hears of changes.
    @FunctionalInterface
    public interface Handler<T> {
        /// @param before null for an addition
        /// @param after null for a deletion
        void changed(@Nullable T before, @Nullable T after);
    }

    private static final class Entry<T> {
        final T seen;
        @Nullable T assumed;

        Entry(T object) {
            seen = object;
        }

        T latest() {
            var known = assumed;
            return known == null ? seen : known;
        }
    }

    private final String description;
    private final Identity<T> identity;
    private final Log log;
    private final Map<String, Entry<T>> entries = new LinkedHashMap<>();
    private final List<Handler<T>> handlers = new ArrayList<>();
    private final Queue<Runnable> untold = new ArrayDeque<>();
    private boolean isTelling;

    /// @param description of the kind of objects, for messages, such as `ResourceClaim`
    public AssumeCache(String description, Identity<T> identity, Log log) {
        this.description = description;
        this.identity = identity;
        this.log = log;
    }

    /// From now on the handler hears of all changes, beginning with what there is.
    public void addHandler(Handler<T> handler) {
        handlers.add(handler);
        entries.values().forEach(entry -> tellLater(handler, null, entry.latest()));
        tell();
    }

    /// The object was seen. One that is not newer than what is kept is left aside.
    public void seen(T object) {
        var key = identity.keyOf(object);
        var entry = entries.get(key);
        if (entry == null) {
            entries.put(key, new Entry<>(object));
            tellLater(null, object);
        } else if (isNewer(key, object, entry.latest())) {
            tellLater(entry.latest(), object);
            entries.put(key, new Entry<>(object));
        }
        tell();
    }

    private boolean isNewer(String key, T object, T known) {
        try {
            return version(key, object) > version(key, known);
        } catch (AssumeException unreadable) {
            log.error(unreadable, "Add failed: couldn't get object version");
            return false;
        }
    }

    /// The object is gone, whatever was assumed of it.
    public void gone(String key) {
        var entry = entries.remove(key);
        if (entry != null) {
            tellLater(entry.latest(), null);
        }
        tell();
    }

    /// Counts with an object as it will be seen soon. What an API server returned from a write is
    /// safe to assume; an object changed in thought alone gives way to whatever is seen next.
    ///
    /// @throws AssumeException where the object is unknown, or known in a newer version
    public void assume(T object) {
        var key = identity.keyOf(object);
        var entry = entries.get(key);
        if (entry == null) {
            throw new AssumeException("could not find " + description + " " + quoted(key));
        }
        long version = version(key, object);
        long known = version(key, entry.latest());
        if (version < known) {
            throw new AssumeException(
                    "%s %s is out of sync (stored: %d, assume: %d)"
                            .formatted(description, quoted(key), known, version));
        }
        tellLater(entry.latest(), object);
        entry.assumed = object;
        tell();
    }

    /// Counts with the object as it was last seen. One that is unknown is no error.
    public void restore(String key) {
        var entry = entries.get(key);
        if (entry != null && entry.assumed != null) {
            tellLater(entry.assumed, entry.seen);
            entry.assumed = null;
        }
        tell();
    }

    /// The object as it will be; null where it is not known.
    public @Nullable T find(String key) {
        var entry = entries.get(key);
        return entry == null ? null : entry.latest();
    }

    /// The object as it was last seen; null where it was not.
    public @Nullable T findSeen(String key) {
        var entry = entries.get(key);
        return entry == null ? null : entry.seen;
    }

    /// All objects as they will be.
    public List<T> all() {
        return entries.values().stream().map(entry -> entry.latest()).toList();
    }

    private void tellLater(@Nullable T before, @Nullable T after) {
        handlers.forEach(handler -> tellLater(handler, before, after));
    }

    private void tellLater(Handler<T> handler, @Nullable T before, @Nullable T after) {
        untold.add(() -> handler.changed(before, after));
    }

    /// Tells what has not been told, unless somebody is at it already.
    private void tell() {
        for (var next = nextUntold(true); next != null; next = nextUntold(false)) {
            try {
                next.run();
            } catch (RuntimeException | LinkageError broken) {
                // The others shall hear of it all the same.
                log.error(broken, "Handler of assumed objects failed", "kind", description);
            }
        }
    }

    private @Nullable Runnable nextUntold(boolean isFirst) {
        if (isFirst && isTelling) {
            return null;
        }
        var next = untold.poll();
        isTelling = next != null;
        return next;
    }

    private long version(String key, T object) {
        var text = identity.versionOf(object);
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException unreadable) {
            throw new AssumeException(
                    "error parsing ResourceVersion %s for %s %s: strconv.ParseInt: parsing %s: %s"
                            .formatted(
                                    quoted(text),
                                    description,
                                    quoted(key),
                                    quoted(text),
                                    text.matches("[+-]?[0-9]+")
                                            ? "value out of range"
                                            : "invalid syntax"));
        }
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }
}
