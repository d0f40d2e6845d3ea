package io.berth.kube.client;

import static io.berth.kube.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.berth.kube.connection.ConfigException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Who may send, and when.
@Tag("P-124")
class RateLimiterTest {
    private final AtomicLong now = new AtomicLong();
    private final List<String> gone = new CopyOnWriteArrayList<>();

    private static final long SECOND = 1_000_000_000;

    @Test
    void theRateIsABurstAndThenItsPace() {
        var bucket = new TokenBucket(10, 3, now::get);
        takeAll(bucket, 3);
        assertThat(bucket.waitNanos()).isEqualTo(SECOND / 10);
        now.addAndGet(SECOND / 10);
        takeAll(bucket, 1);
        assertThat(bucket.waitNanos()).isEqualTo(SECOND / 10);
        now.addAndGet(10 * SECOND);
        // However long it rests, no more than the burst gathers.
        takeAll(bucket, 3);
        assertThat(bucket.waitNanos()).isPositive();
    }

    private static void takeAll(TokenBucket bucket, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(bucket.waitNanos()).isZero();
            bucket.take();
        }
    }

    @Test
    void aRateNeedsABurst() {
        var failure = catchThrowableOfType(ConfigException.class, () -> RateLimiter.of(5, 0));
        assertThat(failure).hasMessageStartingWith("burst is required to be greater than 0");
    }

    @Test
    void withoutARateNobodyWaits() throws InterruptedException {
        var limiter = RateLimiter.of(-1, 0);
        for (int i = 0; i < 1000; i++) {
            limiter.acquire(Lane.LATE);
        }
        assertThat(limiter.waiting()).isZero();
    }

    /// A binding behind 2,000 status patches was answered after 38 seconds, whatever they were
    /// about.
    @ParameterizedTest
    @EnumSource(names = "FIRST", mode = EnumSource.Mode.EXCLUDE)
    void bindingsGoFirst(Lane other) throws InterruptedException {
        goesBefore(Lane.FIRST, other);
    }

    @Test
    void whatIsOrdinaryGoesBeforeWhatMayBeLate() throws InterruptedException {
        goesBefore(Lane.ORDINARY, Lane.LATE);
    }

    private void goesBefore(Lane one, Lane crowd) throws InterruptedException {
        var limiter = RateLimiter.of(20, 1);
        limiter.acquire(one);
        for (int i = 0; i < 20; i++) {
            start(limiter, crowd, "crowd");
        }
        await().until(() -> limiter.waiting() + gone.size() == 20);
        int before = gone.size();
        start(limiter, one, "one");
        await().until(() -> gone.contains("one"));
        assertThat(gone.indexOf("one")).isLessThan(before + 5);
        await().until(() -> gone.size() == 21);
    }

    @Test
    void whatARequestDoesSaysWhereItGoes() {
        byte[] body = {};
        var pod = "/api/v1/namespaces/default/pods/web";
        assertThat(ApiRequest.create(pod + "/binding", body).lane()).isEqualTo(Lane.FIRST);
        assertThat(ApiRequest.delete(pod, null).lane()).isEqualTo(Lane.FIRST);
        var status = ApiRequest.patch(pod + "/status", ApiRequest.STRATEGIC_MERGE_PATCH, body);
        assertThat(status.lane()).isEqualTo(Lane.ORDINARY);
        assertThat(status.late().lane()).isEqualTo(Lane.LATE);
    }

    @Test
    void laterLanesAreSlowAndNotStopped() throws InterruptedException {
        var limiter = RateLimiter.of(100, 1);
        limiter.acquire(Lane.FIRST);
        for (int i = 0; i < 40; i++) {
            start(limiter, Lane.FIRST, "binding");
        }
        start(limiter, Lane.ORDINARY, "ordinary");
        start(limiter, Lane.LATE, "late");
        await().until(() -> gone.size() == 42);
        assertThat(gone.indexOf("ordinary")).isLessThan(31);
        assertThat(gone.indexOf("late")).isLessThan(31);
    }

    @Test
    void whoIsInterruptedLeavesTheLineToOthers() throws InterruptedException {
        var limiter = RateLimiter.of(20, 1, now::get);
        limiter.acquire(Lane.ORDINARY);
        var first = start(limiter, Lane.ORDINARY, "first");
        await().until(() -> limiter.waiting() == 1);
        start(limiter, Lane.ORDINARY, "second");
        await().until(() -> limiter.waiting() == 2);
        first.interrupt();
        await().until(() -> limiter.waiting() == 1);
        now.addAndGet(SECOND);
        await().until(() -> gone.contains("second"));
        assertThat(limiter.waiting()).isZero();
    }

    private Thread start(RateLimiter limiter, Lane lane, String name) {
        return Thread.ofVirtual()
                .start(() -> {
                    try {
                        limiter.acquire(lane);
                        gone.add(name);
                    } catch (InterruptedException stop) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    /// As client-go: all long waits in detail, the very long ones now and then to everybody.
    @Test
    void longWaitsAreToldNowAndThen() {
        var waits = new LongWaits(now::get);
        assertThat(waits.verbosity(SECOND / 10)).isEqualTo(3);
        assertThat(waits.verbosity(2 * SECOND)).isZero();
        assertThat(waits.verbosity(2 * SECOND)).isEqualTo(2);
        assertThat(waits.verbosity(2 * SECOND)).isEqualTo(3);
        now.addAndGet(SECOND);
        assertThat(waits.verbosity(2 * SECOND)).isEqualTo(2);
        now.addAndGet(10 * SECOND);
        assertThat(waits.verbosity(2 * SECOND)).isZero();
    }
}
