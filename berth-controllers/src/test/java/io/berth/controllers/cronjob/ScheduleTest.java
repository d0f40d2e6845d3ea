package io.berth.controllers.cronjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The times of cron expressions.
final class ScheduleTest {
    private static final ZoneId UTC = ZoneId.of("UTC");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * *      | 2026-01-01T00:00:30Z | 2026-01-01T00:01:00Z",
                "*/15 * * * *   | 2026-01-01T00:01:00Z | 2026-01-01T00:15:00Z",
                "0 4 * * *      | 2026-01-01T04:00:00Z | 2026-01-02T04:00:00Z",
                "30 8 1 * *     | 2026-01-02T00:00:00Z | 2026-02-01T08:30:00Z",
                "0 0 29 2 *     | 2026-01-01T00:00:00Z | 2028-02-29T00:00:00Z",
                "0 12 * * mon   | 2026-01-01T00:00:00Z | 2026-01-05T12:00:00Z",
                "0 12 * * 7     | 2026-01-01T00:00:00Z | 2026-01-04T12:00:00Z",
                "0 0 13 * 5     | 2026-01-01T00:00:00Z | 2026-01-02T00:00:00Z",
                "0 9-17/4 * * * | 2026-01-01T10:00:00Z | 2026-01-01T13:00:00Z",
                "5,35 1 * jan * | 2026-01-31T01:10:00Z | 2026-01-31T01:35:00Z",
                "@daily         | 2026-01-01T10:00:00Z | 2026-01-02T00:00:00Z"
            })
    void nextTimeIs(String text, String from, String next) {
        assertThat(Schedule.parse(text.strip(), UTC).after(ZonedDateTime.parse(from.strip())))
                .map(ZonedDateTime::toInstant)
                .contains(ZonedDateTime.parse(next.strip()).toInstant());
    }

    @Test
    void dayThatNeverComesIsNone() {
        var schedule = Schedule.parse("0 0 31 2 *", UTC);
        assertThat(schedule.after(ZonedDateTime.parse("2026-01-01T00:00:00Z"))).isEmpty();
    }

    @Test
    void lastTimeIsTheNewestThatWasMissed() {
        var schedule = Schedule.parse("*/10 * * * *", UTC);
        var now = ZonedDateTime.parse("2026-01-01T01:05:00Z");
        assertThat(schedule.last(now.minusHours(1), now))
                .map(ZonedDateTime::toInstant)
                .contains(ZonedDateTime.parse("2026-01-01T01:00:00Z").toInstant());
        assertThat(schedule.last(now.minusMinutes(2), now)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * *",
                "61 * * * *",
                "* * 0 * *",
                "a * * * *",
                "5-1 * * * *",
                "*/0 * * * *"
            })
    void nonsenseIsRefused(String text) {
        assertThatThrownBy(() -> Schedule.parse(text, UTC))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
