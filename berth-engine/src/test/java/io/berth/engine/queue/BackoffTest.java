package io.berth.engine.queue;

import static io.berth.engine.queue.QueueBed.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
    private static final QueueSettings EXACT =
            new QueueSettings(
                    Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(5), false);

    private static Backoff of(int initialSeconds, int maxSeconds) {
        return new Backoff(
                new QueueSettings(
                        Duration.ofSeconds(initialSeconds),
                        Duration.ofSeconds(maxSeconds),
                        Duration.ofMinutes(5),
                        true),
                NOON);
    }

    private static QueuedPodInfo failedAt(long millis, int times) {
        var info = new QueuedPodInfo(QueueBed.pod("p"), NOON, 1);
        info.rejectedBy(java.util.List.of("P"), java.util.List.of());
        for (int i = 0; i < times; i++) {
            info.failed(millis, i);
        }
        return info;
    }

    @ParameterizedTest
    @Tag("E-2")
    @Tag("E-49")
    @CsvSource({
        "1, 10, 0, 0",
        "1, 10, 1, 1",
        "1, 10, 2, 2",
        "1, 10, 3, 4",
        "1, 10, 4, 8",
        "1, 10, 5, 10",
        "1, 10, 6, 10",
        "1, 10, 64, 10",
        "1, 10, 65, 10",
        "1, 10, 2147483647, 10",
        "1, 8, 4, 8",
        "1, 8, 5, 8",
        "3, 10, 2, 6",
        "3, 10, 3, 10",
        "20, 10, 1, 10",
        "1, 0, 3, 0"
    })
    void backoffDoublesUpToItsLimit(int initial, int max, int failures, int seconds) {
        assertThat(of(initial, max).durationMillis(failures)).isEqualTo(seconds * 1000L);
    }

    @ParameterizedTest
    @Tag("E-50")
    @Tag("E-187")
    @CsvSource({"1, 1, 2", "2, 2, 3", "4, 8, 9", "5, 10, 11", "9, 10, 11"})
    void podLeavesAtTheWholeSecondAfterItsWindow(int failures, int expires, int leaves) {
        var backoff = of(1, 10);
        var info = failedAt(NOON + 700, failures);

        assertThat(backoff.expirationMillis(info)).isEqualTo(NOON + expires * 1000L);
        assertThat(backoff.leavesAtMillis(backoff.expirationMillis(info)))
                .isEqualTo(NOON + leaves * 1000L);
        assertThat(backoff.isOver(info, NOON + leaves * 1000L - 1)).isFalse();
        assertThat(backoff.isBackingOff(info, NOON + leaves * 1000L - 1)).isTrue();
        assertThat(backoff.isOver(info, NOON + leaves * 1000L)).isTrue();
        assertThat(backoff.isBackingOff(info, NOON + leaves * 1000L)).isFalse();
    }

    @Test
    @Tag("E-50")
    void withoutWindowsEndsAreExactAndTicksCountFromTheStart() {
        var backoff = new Backoff(EXACT, NOON + 250);
        var info = failedAt(NOON + 700, 1);

        assertThat(backoff.expirationMillis(info)).isEqualTo(NOON + 1700);
        assertThat(backoff.isBackingOff(info, NOON + 1700)).isTrue();
        assertThat(backoff.isBackingOff(info, NOON + 1701)).isFalse();
        assertThat(backoff.leavesAtMillis(NOON + 1700)).isEqualTo(NOON + 2250);
        assertThat(backoff.isOver(info, NOON + 2249)).isFalse();
        assertThat(backoff.isOver(info, NOON + 2250)).isTrue();
    }

    @Test
    @Tag("E-49")
    void podThatNeverFailedDoesNotBackOff() {
        var info = new QueuedPodInfo(QueueBed.pod("p"), NOON, 1);

        assertThat(of(1, 10).isBackingOff(info, NOON)).isFalse();
        assertThat(info.backoffExpirationMillis()).isEmpty();
    }

    @Test
    @Tag("E-49")
    void noMaximumMeansNoBackoff() {
        assertThat(of(1, 0).isBackingOff(failedAt(NOON, 5), NOON)).isFalse();
    }

    @Test
    @Tag("E-49")
    void errorsInARowCountInsteadOfRefusals() {
        var info = failedAt(NOON, 3);
        info.clearRejectors();
        info.failed(NOON, 9);

        assertThat(of(1, 10).expirationMillis(info)).isEqualTo(NOON + 1000);
    }

    @Test
    @Tag("E-6")
    @Tag("E-50")
    void endIsWorkedOutOncePerFailure() {
        var backoff = of(1, 10);
        var info = failedAt(NOON, 1);
        backoff.expirationMillis(info);
        assertThat(info.backoffExpirationMillis()).hasValue(NOON + 1000);

        info.failed(NOON + 5000, 3);

        assertThat(info.backoffExpirationMillis()).isEmpty();
        assertThat(backoff.expirationMillis(info)).isEqualTo(NOON + 7000);
    }
}
