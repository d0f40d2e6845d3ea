package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// A wall clock that somebody sets changes nothing for those who wait.
final class SystemTimeTest {
    private static final long HOUR_MILLIS = 3_600_000;

    private final AtomicLong wallMillis = new AtomicLong(1_000_000_000_000L);
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5_000_000);
    private final SystemTime time = new SystemTime(wallMillis::get, nanos::get);

    @Test
    void beginsWithTheWallClockAndGoesOnEvenly() {
        assertThat(time.nowMillis()).isEqualTo(wallMillis.get());
        // The counter of the machine may overflow.
        nanos.addAndGet(1_500_000_000L);
        wallMillis.addAndGet(-HOUR_MILLIS);
        assertThat(time.nowMillis()).isEqualTo(1_000_000_001_500L);
        assertThat(time.wallMillis()).isEqualTo(1_000_000_000_000L - HOUR_MILLIS);
    }
}
