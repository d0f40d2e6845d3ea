package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("E-138")
final class PoolWorkersTest {
    @ParameterizedTest
    @Tag("E-189")
    @CsvSource({
        "0, 16, 1",
        "1, 16, 1",
        "10, 16, 1",
        "100, 16, 7",
        "1000, 16, 31",
        "100, 1, 10",
        "5000, 16, 70",
        "20, 2, 4"
    })
    void chunkIsTheRootOfTheCountOrAFairShare(int count, int parallelism, int chunk) {
        assertThat(PoolWorkers.chunk(count, parallelism)).isEqualTo(chunk);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void everyIndexIsCalledOnce(int parallelism) {
        try (var workers = new PoolWorkers(parallelism)) {
            for (int count : new int[] {0, 1, 15, 16, 17, 1_000}) {
                var calls = new AtomicIntegerArray(count);
                workers.forEach(count, calls::incrementAndGet);
                for (int i = 0; i < count; i++) {
                    assertThat(calls.get(i)).isOne();
                }
            }
        }
    }

    /// Closing dropped helpers that had not begun, and whoever had asked for them waited for ever.
    @Test
    void whoWaitsForAHelperThatNeverBeganGoesOnWhenThePoolIsClosed() throws Exception {
        var release = new CountDownLatch(1);
        var busy = new CountDownLatch(2);
        var workers = new PoolWorkers(2);
        var first =
                Thread.ofPlatform()
                        .daemon()
                        .start(() ->
                                workers.forEach(
                                        2,
                                        i -> {
                                            busy.countDown();
                                            await(release);
                                        }));
        await(busy);
        var done = new AtomicIntegerArray(2);
        var second =
                Thread.ofPlatform().daemon().start(() -> workers.forEach(2, done::incrementAndGet));
        Awaitility.await().until(() -> second.getState() == Thread.State.WAITING);
        workers.close();
        assertThat(second.join(Duration.ofSeconds(60))).isTrue();
        assertThat(done.get(0) + done.get(1)).isEqualTo(2);
        release.countDown();
        assertThat(first.join(Duration.ofSeconds(60))).isTrue();
    }

    /// An error on a helper thread ended that thread alone, and what it had left undone counted as
    /// done.
    @Test
    void errorOnAHelperThreadIsThrown() {
        var engineThread = Thread.currentThread();
        var isBroken = new CountDownLatch(1);
        try (var workers = new PoolWorkers(2)) {
            assertThatThrownBy(() ->
                            workers.forEach(
                                    100,
                                    i -> {
                                        if (!Thread.currentThread().equals(engineThread)) {
                                            isBroken.countDown();
                                            throw new StackOverflowError("deep");
                                        }
                                        await(isBroken);
                                    }))
                    .isInstanceOf(StackOverflowError.class)
                    .hasMessage("deep");
        }
    }

    @Test
    void errorInACallThatMostlyWaitsIsThrown() {
        try (var workers = new PoolWorkers(2)) {
            assertThatThrownBy(() ->
                            workers.waitForEach(
                                    3,
                                    i -> {
                                        throw new AssertionError("at " + i);
                                    }))
                    .isInstanceOf(AssertionError.class)
                    .hasMessage("at 0");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void firstFailureByIndexIsThrown(int parallelism) {
        try (var workers = new PoolWorkers(parallelism)) {
            assertThatThrownBy(() ->
                            workers.forEach(
                                    500,
                                    i -> {
                                        if (i % 100 == 42) {
                                            throw new IllegalStateException("at " + i);
                                        }
                                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("at 42");
        }
    }

    /// Each call waits until all others are there too.
    @Test
    @Tag("E-101")
    void callsThatWaitWaitSideBySide() {
        try (var workers = new PoolWorkers(1)) {
            var all = new CountDownLatch(5);
            workers.waitForEach(
                    5,
                    i -> {
                        all.countDown();
                        try {
                            assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
                        } catch (InterruptedException stop) {
                            throw new IllegalStateException(stop);
                        }
                    });
            assertThat(all.getCount()).isZero();
        }
    }

    @Test
    void firstFailureOfCallsThatWaitIsThrown() {
        try (var workers = new PoolWorkers(2)) {
            assertThatThrownBy(() ->
                            workers.waitForEach(
                                    4,
                                    i -> {
                                        throw new IllegalStateException("at " + i);
                                    }))
                    .hasMessage("at 0");
        }
    }
}
