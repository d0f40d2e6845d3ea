package io.berth.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/// Durations as kubectl prints them: two units at most, fewer digits the longer it takes.
final class Durations {
    private Durations() {}

    /// The time since a timestamp, `<unknown>` if there is none.
    static String since(JsonNode timestamp, Instant now) {
        return instant(timestamp)
                .map(then -> human(Duration.between(then, now)))
                .orElse("<unknown>");
    }

    static Optional<Instant> instant(JsonNode timestamp) {
        if (!timestamp.isTextual()) {
            return Optional.empty();
        }
        try {
            return Optional.of(OffsetDateTime.parse(timestamp.textValue()).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    static String human(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 0) {
            return "0s";
        }
        long minutes = seconds / 60;
        long hours = minutes / 60;
        long days = hours / 24;
        if (seconds < 2 * 60) {
            return seconds + "s";
        }
        if (minutes < 10) {
            return two(minutes, "m", seconds % 60, "s");
        }
        if (minutes < 3 * 60) {
            return minutes + "m";
        }
        if (hours < 8) {
            return two(hours, "h", minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        if (days < 8) {
            return two(days, "d", hours % 24, "h");
        }
        if (days < 2 * 365) {
            return days + "d";
        }
        if (days < 8 * 365) {
            return two(days / 365, "y", days % 365, "d");
        }
        return days / 365 + "y";
    }

    private static String two(long first, String unit, long rest, String smaller) {
        return rest == 0 ? first + unit : first + unit + rest + smaller;
    }
}
