package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.testkit.NotedLog;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An engine that does not come to the end of a step is noticed.
@Timeout(120)
final class EngineWatchdogTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String STALLED = "The engine has not finished a step for long";
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final BusyEngine busy = new BusyEngine();
    private final NotedLog log = new NotedLog();
    private final EngineWatchdog watchdog = new EngineWatchdog(busy.thread, LIMIT, log);

    @AfterEach
    void close() {
        watchdog.close();
        busy.close();
    }

    /// Looks every second.
    private void lookFor(int seconds, long fromSecond) {
        for (long second = fromSecond; second < fromSecond + seconds; second++) {
            watchdog.look(second * SECOND);
        }
    }

    @Test
    void hangingStepIsAProblemToldOnceWithTheStackUntilItEnds() throws InterruptedException {
        busy.hang();
        lookFor(20, 0);
        assertThat(watchdog.problem()).as("19 seconds after the first look").isEmpty();
        lookFor(10, 20);
        assertThat(watchdog.problem())
                .contains("the engine has not finished a step for 20 seconds");
        assertThat(log.sentences()).containsExactly(STALLED);
        assertThat(log.detail(STALLED)).contains("seconds=20", "\"engine\" WAITING", "Keeper");

        busy.mayGoOn.countDown();
        await().atMost(PATIENCE)
                .until(() -> {
                    watchdog.look(31 * SECOND);
                    return watchdog.problem().isEmpty();
                });
    }

    /// SIGSTOP and SIGCONT, a suspended machine, a long collection of garbage: everybody stood
    /// still.
    @Test
    void pauseOfTheWholeProcessIsNoStall() throws InterruptedException {
        busy.hang();
        lookFor(10, 0);
        watchdog.look(3600 * SECOND);
        assertThat(watchdog.problem()).isEmpty();
        lookFor(5, 3601);
        assertThat(watchdog.problem()).isEmpty();
        lookFor(10, 3606);
        assertThat(watchdog.problem()).isPresent();
    }

    @Test
    void idleEngineIsWell() {
        lookFor(3, 0);
        long rounds = busy.thread.rounds();
        await().atMost(PATIENCE).until(() -> busy.thread.rounds() > rounds);
        lookFor(19, 3);
        assertThat(watchdog.problem()).isEmpty();
    }

    /// An idle engine naps for up to a second. With a limit below that it was taken for one that
    /// hangs.
    @Test
    void engineThatNapsForLongerThanTheLimitIsWell() {
        // Looks that all fall into one nap: the engine comes round once a second.
        await().atMost(PATIENCE)
                .until(() -> {
                    long rounds = busy.thread.rounds();
                    lookFor(30, 0);
                    boolean isIdle = busy.thread.isIdle();
                    watchdog.look(30 * SECOND);
                    return isIdle && busy.thread.rounds() == rounds;
                });
        assertThat(watchdog.problem()).isEmpty();
    }

    @Test
    void engineThatDiedIsAProblemAtOnce() {
        assertThat(watchdog.problem()).isEmpty();
        busy.breakNextStep(new InternalError("the machine is broken"));
        await().atMost(PATIENCE).until(() -> watchdog.problem().isPresent());
        assertThat(watchdog.problem()).contains("the engine thread has ended");
    }

    @Test
    void engineThatWasClosedIsNone() throws InterruptedException {
        busy.close();
        assertThat(busy.thread.awaitEnd(PATIENCE)).isTrue();
        assertThat(watchdog.problem()).isEmpty();
    }

    @Test
    void looksByItself() throws InterruptedException {
        try (var quick = new EngineWatchdog(busy.thread, Duration.ofMillis(50), log)) {
            quick.start();
            busy.hang();
            await().atMost(PATIENCE).until(() -> quick.problem().isPresent());
            busy.mayGoOn.countDown();
        }
    }
}
