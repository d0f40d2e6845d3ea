package io.berth.controllers.cronjob;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// The times of a cron expression: minute, hour, day of month, month, day of week, or a word such
/// as `@hourly`.
final class Schedule {
    private static final Map<String, String> WORDS =
            Map.of(
                    "@yearly", "0 0 1 1 *",
                    "@annually", "0 0 1 1 *",
                    "@monthly", "0 0 1 * *",
                    "@weekly", "0 0 * * 0",
                    "@daily", "0 0 * * *",
                    "@midnight", "0 0 * * *",
                    "@hourly", "0 * * * *");
    private static final List<String> MONTHS =
            List.of(
                    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                    "dec");
    private static final List<String> DAYS =
            List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
    private static final int MOST_DAYS = 366 * 5;

    private final BitSet minutes;
    private final BitSet hours;
    private final BitSet days;
    private final BitSet months;
    private final BitSet weekdays;
    private final boolean everyDay;
    private final boolean everyWeekday;
    private final ZoneId zone;

    private Schedule(String[] fields, ZoneId zone) {
        minutes = field(fields[0], 0, 59, List.of());
        hours = field(fields[1], 0, 23, List.of());
        days = field(fields[2], 1, 31, List.of());
        months = field(fields[3], 1, 12, MONTHS);
        weekdays = field(fields[4], 0, 7, DAYS);
        if (weekdays.get(7)) {
            weekdays.set(0);
        }
        everyDay = isStar(fields[2]);
        everyWeekday = isStar(fields[4]);
        this.zone = zone;
    }

    private static boolean isStar(String field) {
        return field.startsWith("*") || field.startsWith("?");
    }

    /// @throws IllegalArgumentException with a sentence if the text is no schedule
    static Schedule parse(String text, ZoneId zone) {
        String plain = WORDS.getOrDefault(text.strip().toLowerCase(Locale.ROOT), text.strip());
        String[] fields = plain.split("\\s+", -1);
        if (fields.length != 5) {
            throw new IllegalArgumentException(
                    "schedule \"%s\" has %d fields, not minute, hour, day, month and weekday"
                            .formatted(text, fields.length));
        }
        return new Schedule(fields, zone);
    }

    private static BitSet field(String text, int from, int to, List<String> names) {
        var bits = new BitSet();
        for (String part : text.split(",", -1)) {
            String[] halves = part.split("/", 2);
            int step = halves.length == 2 ? number(halves[1], List.of(), 0) : 1;
            int low = from;
            int high = to == 7 ? 6 : to;
            if (!isStar(halves[0])) {
                String[] ends = halves[0].split("-", 2);
                low = number(ends[0], names, from);
                high = ends.length == 2 ? number(ends[1], names, from) : low;
                high = ends.length == 1 && halves.length == 2 ? to : high;
            }
            if (low < from || high > to || low > high || step < 1) {
                throw new IllegalArgumentException(
                        "\"%s\" is not within %d and %d".formatted(part, from, to));
            }
            for (int i = low; i <= high; i += step) {
                bits.set(i);
            }
        }
        return bits;
    }

    private static int number(String text, List<String> names, int first) {
        int name = names.indexOf(text.toLowerCase(Locale.ROOT));
        if (name >= 0) {
            return name + first;
        }
        if (!text.matches("[0-9]{1,4}")) {
            throw new IllegalArgumentException("\"" + text + "\" is no number");
        }
        return Integer.parseInt(text);
    }

    /// The first time after another one; none where none comes within years.
    Optional<ZonedDateTime> after(ZonedDateTime time) {
        LocalDateTime from =
                time.withZoneSameInstant(zone)
                        .toLocalDateTime()
                        .truncatedTo(ChronoUnit.MINUTES)
                        .plusMinutes(1);
        LocalDateTime day = from.truncatedTo(ChronoUnit.DAYS);
        for (int i = 0; i < MOST_DAYS; i++, day = day.plusDays(1)) {
            if (!isDay(day)) {
                continue;
            }
            for (int hour = hours.nextSetBit(0); hour >= 0; hour = hours.nextSetBit(hour + 1)) {
                for (int minute = minutes.nextSetBit(0);
                        minute >= 0;
                        minute = minutes.nextSetBit(minute + 1)) {
                    LocalDateTime candidate = day.withHour(hour).withMinute(minute);
                    if (!candidate.isBefore(from)) {
                        return Optional.of(candidate.atZone(zone));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /// Days by number and by weekday: where both are given, one of them is enough.
    private boolean isDay(LocalDateTime day) {
        boolean byNumber = days.get(day.getDayOfMonth());
        boolean byWeekday = weekdays.get(day.getDayOfWeek().getValue() % 7);
        boolean fits = everyDay || everyWeekday ? byNumber && byWeekday : byNumber || byWeekday;
        return months.get(day.getMonthValue()) && fits;
    }

    /// The last time up to now, no earlier than a start.
    Optional<ZonedDateTime> last(ZonedDateTime start, ZonedDateTime now) {
        Optional<ZonedDateTime> found = Optional.empty();
        ZonedDateTime from = start;
        // Far behind, the near past is enough: times that were missed are not made up for.
        if (Duration.between(from, now).toDays() > 2) {
            ZonedDateTime near = now.minusDays(2);
            from = after(near).filter(next -> !next.isAfter(now)).isPresent() ? near : from;
        }
        for (Optional<ZonedDateTime> next = after(from);
                next.isPresent() && !next.get().isAfter(now);
                next = after(next.get())) {
            found = next;
        }
        return found;
    }
}
