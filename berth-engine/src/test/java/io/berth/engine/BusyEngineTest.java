package io.berth.engine;

import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.engine.query.EngineQueries;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whoever has to tell the engine something other than news never waits for it: neither while more
/// news come than it can take, nor while a plugin keeps it. Once a thread that allowed a pod waited
/// for room in the mailbox while the engine waited for that very pod, and both for ever.
@Tag("E-3")
@Timeout(120)
final class BusyEngineTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final BusyEngine busy = new BusyEngine();

    @BeforeEach
    void aPodWaits() {
        busy.engine.seen(pod("member").build());
        await().atMost(PATIENCE).until(() -> busy.handle().waitingPod("default/member") != null);
    }

    @AfterEach
    void close() {
        busy.close();
    }

    private void fill() throws InterruptedException {
        busy.hang();
        busy.flood(2);
        await().atMost(PATIENCE).until(busy::isFull);
    }

    private void allowMember() {
        Objects.requireNonNull(busy.handle().waitingPod("default/member")).allow(BusyEngine.GANG);
    }

    /// @return whether it came to its end though the engine is kept
    private static boolean comesToItsEnd(Runnable call) throws InterruptedException {
        return Thread.ofPlatform().daemon(true).start(call).join(PATIENCE);
    }

    @Test
    @Tag("E-131")
    void permitIsGivenWhileTheMailboxIsFullAndThePodIsBoundAfterwards()
            throws InterruptedException {
        fill();
        assertThat(comesToItsEnd(this::allowMember)).isTrue();
        busy.mayGoOn.countDown();
        await().atMost(PATIENCE).until(() -> busy.bound.contains("member"));
    }

    @Test
    void questionsArePostedWhileTheMailboxIsFullAndAnsweredDuringTheFlood() throws Exception {
        fill();
        var isAnswered = new AtomicBoolean();
        assertThat(
                        comesToItsEnd(() -> {
                            var _ = busy.engine.ask(e -> e.isReady()).thenAccept(isAnswered::set);
                        }))
                .isTrue();
        busy.mayGoOn.countDown();
        await().atMost(PATIENCE).untilTrue(isAnswered);
        // The flood goes on; nobody is starved by it.
        for (int i = 0; i < 50; i++) {
            assertThat(busy.engine.ask(EngineQueries::isReady).get(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    /// A plugin that allows pods from a thread of its own, pods that come and go, and a flood.
    @Test
    void permitsPodsAndAFloodTogether() {
        busy.flood(2);
        var isOver = new AtomicBoolean();
        var allowed = new AtomicInteger();
        var plugin =
                Thread.ofPlatform()
                        .daemon(true)
                        .start(() -> {
                            while (!isOver.get()) {
                                for (var waiting : busy.handle().waitingPods()) {
                                    waiting.allow(BusyEngine.GANG);
                                    allowed.incrementAndGet();
                                }
                            }
                        });
        for (int i = 0; i < 200; i++) {
            busy.engine.seen(pod("p" + i).build());
        }
        await().atMost(PATIENCE).until(() -> busy.bound.size() == 201);
        isOver.set(true);
        assertThat(plugin).isNotNull();
        assertThat(busy.faults).isEmpty();
    }

    @Test
    @Tag("P-252")
    void hungEngineKeepsNeitherThoseWhoPauseNorThoseWhoDrainIt() throws InterruptedException {
        fill();
        assertThat(comesToItsEnd(() -> busy.engine.pause(true))).isTrue();
        var drained = new AtomicBoolean(true);
        assertThat(comesToItsEnd(() -> drained.set(busy.thread.drain(Duration.ofMillis(100)))))
                .isTrue();
        assertThat(drained).isFalse();
        assertThat(comesToItsEnd(busy.thread::close)).isTrue();
        await().atMost(PATIENCE).until(busy::haveWatchesEnded);
        assertThat(busy.thread.awaitEnd(Duration.ZERO)).isFalse();
    }
}
