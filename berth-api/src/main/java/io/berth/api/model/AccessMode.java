package io.berth.api.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How a volume may be mounted, or a claim wants to.
public enum AccessMode {
    READ_WRITE_ONCE("ReadWriteOnce", 1),
    READ_ONLY_MANY("ReadOnlyMany", 2),
    READ_WRITE_MANY("ReadWriteMany", 4),
    READ_WRITE_ONCE_POD("ReadWriteOncePod", 8);

    // There are few sets and many volumes, so all of one set share it.
    private static final List<Set<AccessMode>> SETS = sets();

    private final String text;
    private final int bit;

    AccessMode(String text, int bit) {
        this.text = text;
        this.bit = bit;
    }

    /// As the API writes it.
    public String text() {
        return text;
    }

    /// The mode that the API writes so; null for one that is not known.
    public static @Nullable AccessMode of(String text) {
        for (var mode : values()) {
            if (mode.text.equals(text)) {
                return mode;
            }
        }
        return null;
    }

    /// The one set of these modes.
    public static Set<AccessMode> setOf(Collection<AccessMode> modes) {
        int bits = 0;
        for (var mode : modes) {
            bits |= mode.bit;
        }
        return SETS.get(bits);
    }

    private static List<Set<AccessMode>> sets() {
        var result = new ArrayList<Set<AccessMode>>();
        for (int bits = 0; bits < 1 << values().length; bits++) {
            var set = EnumSet.noneOf(AccessMode.class);
            for (var mode : values()) {
                if ((bits & mode.bit) != 0) {
                    set.add(mode);
                }
            }
            result.add(Set.copyOf(set));
        }
        return List.copyOf(result);
    }
}
