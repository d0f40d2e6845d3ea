package io.berth.app.explain;

import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Pod;
import io.berth.lab.explain.QueueFacts.Attempt;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class AttemptHistoryTest {
    private static final Duration PARKED = Duration.ofMinutes(5);
    private static final Pod POD = pod("p").uid("p").build();

    private final AtomicLong now = new AtomicLong();
    private final AttemptHistory history = new AttemptHistory(20_000, PARKED, now::get);

    private void failed(Pod pod, String message) {
        now.addAndGet(1000);
        history.failed(pod, "default-scheduler", message);
    }

    @Test
    void attemptsThatSayTheSameAreOneEntry() {
        failed(POD, "no room");
        failed(POD, "no room");
        failed(POD, "no node");
        assertThat(history.of("p"))
                .extracting(Attempt::message)
                .containsExactly("no room", "no node");
        assertThat(history.of("p")).extracting(Attempt::times).containsExactly(2, 1);
        assertThat(history.of("p").getFirst().time().toEpochMilli()).isEqualTo(2000);
    }

    @Test
    void onlyTheLastOnesAreKept() {
        for (int i = 0; i < 20; i++) {
            failed(POD, "reason " + i);
        }
        assertThat(history.of("p")).hasSize(AttemptHistory.MOST_ATTEMPTS);
        assertThat(history.of("p").getLast().message()).isEqualTo("reason 19");
        assertThat(history.of("p").getFirst().message()).isEqualTo("reason 12");
    }

    @Test
    void longTextsAreCut() {
        failed(POD, "x".repeat(5000));
        assertThat(history.of("p").getFirst().message()).hasSize(1024).endsWith("…");
    }

    @Test
    void whoeverFailedLongestAgoIsForgottenForWantOfMemory() {
        for (int i = 0; i < 1000; i++) {
            failed(pod("p" + i).uid("p" + i).build(), "y".repeat(500));
            assertThat(history.bytes()).isBetween(1L, 20_000L);
        }
        assertThat(history.of("p0")).isEmpty();
        assertThat(history.of("p999")).isNotEmpty();
        for (int i = 0; i < 40; i++) {
            failed(pod("p999").uid("p999").build(), "again");
            failed(pod("q" + i).uid("q" + i).build(), "y".repeat(500));
        }
        assertThat(history.of("p999")).as("fails all the time").isNotEmpty();
    }

    @Test
    void podThatDoesNotFailAnyMoreIsForgotten() {
        failed(POD, "no room");
        now.addAndGet(Duration.ofMinutes(16).toMillis());
        failed(pod("q").uid("q").build(), "no room");
        assertThat(history.of("p")).isEmpty();
    }

    @Test
    void nothingIsKeptWithoutMemory() {
        var none = new AttemptHistory(0, PARKED, now::get);
        none.failed(POD, "default-scheduler", "no room");
        assertThat(none.of("p")).isEmpty();
    }
}
