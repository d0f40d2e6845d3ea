package io.berth.engine.state;

import io.berth.api.model.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which objects came, changed and went last, so that whoever looked before hears of these alone.
/// Somebody who looked too long ago has to look at everything.
public final class ObjectLog {
    private static final int LENGTH = 4096;

    private final @Nullable Entry[] ring = new Entry[LENGTH];
    private long version;

    /// What happened to an object.
    ///
    /// @param isGone whether it went; else it came or changed
    public record Entry(Kind kind, String namespace, String name, boolean isGone) {}

    /// Grows with every entry.
    public long version() {
        return version;
    }

    void add(Kind kind, String namespace, String name, boolean isGone) {
        ring[(int) (version % LENGTH)] = new Entry(kind, namespace, name, isGone);
        version++;
    }

    /// What happened after a version, in order; null where that is not known any more.
    public @Nullable List<Entry> since(long known) {
        if (version - known > LENGTH) {
            return null;
        }
        var entries = new ArrayList<Entry>();
        for (long at = known; at < version; at++) {
            var entry = ring[(int) (at % LENGTH)];
            if (entry != null) {
                entries.add(entry);
            }
        }
        return entries;
    }
}
