package io.berth.kube.lease;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/// Times with microseconds, as leases have them.
final class MicroTime {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private MicroTime() {}

    static String text(Instant time) {
        return FORMAT.format(time);
    }

    /// Null for what is no time.
    static @Nullable Instant parse(String text) {
        try {
            return text.isEmpty() ? null : Instant.parse(text);
        } catch (DateTimeException malformed) {
            return null;
        }
    }
}
