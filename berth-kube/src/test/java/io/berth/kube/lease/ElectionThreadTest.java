package io.berth.kube.lease;

import static io.berth.kube.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.Log;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a process hears of its election.
class ElectionThreadTest {
    private final SharedLease lease = new SharedLease(new TestClock());
    private final SharedLease.Lock lock = lease.new Lock();
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @Test
    @Tag("P-230")
    @Tag("P-226")
    void aLeaderHearsThatItStartsAndThatItStopped() {
        try (var _ = election()) {
            await().untilAsserted(() -> assertThat(heard).containsExactly("started"));
        }
        await().untilAsserted(() -> assertThat(heard).containsExactly("started", "stopped"));
        assertThat(lease.held().holder()).isEmpty();
    }

    @Test
    @Tag("P-232")
    void aStandbyHearsItsEndExactlyOnceEvenIfItNeverLed() {
        lease.set(new LeaseRecord("other", 15, null, null, 0, "", ""));
        try (var _ = election()) {
            await().until(() -> !lock.calls.isEmpty());
        }
        await().untilAsserted(() -> assertThat(heard).containsExactly("stopped"));
    }

    @Test
    @Tag("P-232")
    void aLossIsToldAsOne() {
        try (var _ = election()) {
            await().until(() -> heard.contains("started"));
            lease.set(new LeaseRecord("other", 15, null, null, 1, "", ""));
            await().untilAsserted(() -> assertThat(heard).containsExactly("started", "lost"));
        }
        assertThat(lease.held().holder()).isEqualTo("other");
    }

    @Test
    @Tag("P-232")
    void aLapseIsToldAsOne() {
        try (var _ = election()) {
            await().until(() -> heard.contains("started"));
            lock.down = true;
            await().until(() -> {
                lease.clock.advance(Duration.ofSeconds(1));
                return heard.contains("lapsed");
            });
        }
        assertThat(heard).containsExactly("started", "lapsed");
    }

    /// Handshakes of a crowd at the port once kept every carrier of virtual threads busy, and the
    /// lease ran out behind them.
    @Test
    @Tag("P-232")
    void goesOnWhileVirtualThreadsKeepAllProcessorsBusy() {
        var busy = new AtomicBoolean(true);
        var crowd = new ArrayList<Thread>();
        try (var _ = election()) {
            await().until(() -> heard.contains("started"));
            for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
                crowd.add(Thread.startVirtualThread(() -> spin(busy)));
            }
            int before = lock.calls.size();
            await().until(() -> lock.calls.size() > before + 5);
            lease.set(new LeaseRecord("other", 15, null, null, 1, "", ""));
            await().untilAsserted(() -> assertThat(heard).containsExactly("started", "lost"));
        } finally {
            busy.set(false);
        }
        crowd.forEach(ElectionThreadTest::join);
    }

    private static void spin(AtomicBoolean busy) {
        while (busy.get()) {
            Thread.onSpinWait();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private ElectionThread election() {
        var times =
                new ElectionTimes(
                        Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(20));
        var elector =
                new LeaderElector(
                        new ElectionSettings("ns", "l", "me", times, false),
                        lock,
                        lease.clock,
                        new Random(1),
                        ElectionObserver.NONE,
                        event -> {},
                        Log.NONE);
        var election =
                new ElectionThread(
                        elector,
                        new ElectionThread.Listener() {
                            @Override
                            public void startedLeading() {
                                heard.add("started");
                            }

                            @Override
                            public void stoppedLeading(LeaderElector.Phase last) {
                                heard.add(last.name().toLowerCase(Locale.ROOT));
                            }
                        });
        election.start();
        return election;
    }
}
