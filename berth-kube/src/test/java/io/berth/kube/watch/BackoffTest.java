package io.berth.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How long a watch waits before it tries again.
@Tag("P-144")
class BackoffTest {
    private static final RandomGenerator NO_JITTER =
            new Random() {
                private static final long serialVersionUID = 1L;

                @Override
                public double nextDouble() {
                    return 0;
                }
            };

    @Test
    void pausesDoubleFromEightHundredMillisecondsToThirtySeconds() {
        var backoff = new Backoff(WatchTimes.DEFAULT, NO_JITTER);
        long now = 0;
        var expected = new long[] {800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000};
        for (long millis : expected) {
            var pause = backoff.next(now);
            assertThat(pause).isEqualTo(Duration.ofMillis(millis));
            now += pause.toNanos();
        }
    }

    @Test
    void jitterAddsUpToAsMuchAgain() {
        for (int seed = 0; seed < 100; seed++) {
            assertThat(new Backoff(WatchTimes.DEFAULT, new Random(seed)).next(0))
                    .isBetween(Duration.ofMillis(800), Duration.ofMillis(1_600));
        }
    }

    @Test
    void afterTwoMinutesWithoutFailureTheyStartOver() {
        var backoff = new Backoff(WatchTimes.DEFAULT, NO_JITTER);
        long now = backoff.next(0).toNanos();
        now += backoff.next(now).toNanos();
        assertThat(backoff.next(now + Duration.ofSeconds(119).toNanos()))
                .isEqualTo(Duration.ofMillis(3_200));
        now += Duration.ofMinutes(4).plusMillis(3_200).toNanos();
        assertThat(backoff.next(now)).isEqualTo(Duration.ofMillis(800));
    }
}
