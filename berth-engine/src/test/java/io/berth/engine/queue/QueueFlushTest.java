package io.berth.engine.queue;

import static io.berth.engine.queue.QueueBed.NODE;
import static io.berth.engine.queue.QueueBed.NODE_ADDED;
import static io.berth.engine.queue.QueueBed.NOON;
import static io.berth.engine.queue.QueueBed.on;
import static io.berth.engine.queue.QueueBed.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.engine.queue.QueueBed.Listener;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class QueueFlushTest {
    private final Listener fit = Listener.of("Fit", on(ClusterEvent.NODE, Action.ADD));
    private final QueueBed bed = new QueueBed(fit);

    @Test
    @Tag("E-50")
    @Tag("E-187")
    void backoffEndsAtTheWholeSecondAfterItsWindow() {
        bed.atMillis(700);
        bed.addRefused(pod("refused"), "Fit");
        bed.addRefused(pod("broken"));
        bed.queue.moveAll(NODE_ADDED, null, NODE);
        assertThat(bed.queue.nextDeadlineMillis()).isEqualTo(NOON + 2000);

        bed.atMillis(1999);
        bed.queue.flushBackoffCompleted();
        assertThat(bed.queue.counts().active()).isZero();

        bed.atMillis(2000);
        bed.queue.flushBackoffCompleted();
        assertThat(bed.queue.counts().active()).isEqualTo(2);
        assertThat(bed.metrics.incoming)
                .endsWith("active BackoffComplete", "active BackoffComplete");
    }

    @Test
    @Tag("E-50")
    void laterBackoffStays() {
        bed.addRefused(pod("once"));
        bed.atMillis(500);
        var twice = bed.addRefused(pod("twice"));
        bed.atMillis(2000);
        bed.queue.flushBackoffCompleted();
        bed.fail(bed.pop());
        bed.fail(bed.pop());
        assertThat(twice.consecutiveErrors()).isEqualTo(2);

        assertThat(bed.queue.nextDeadlineMillis()).isEqualTo(NOON + 5000);
        bed.atMillis(4999);
        bed.queue.flushBackoffCompleted();
        assertThat(bed.queue.counts().active()).isZero();
        bed.atMillis(5000);
        bed.queue.flushBackoffCompleted();
        assertThat(bed.queue.counts().active()).isEqualTo(2);
    }

    @Test
    @Tag("E-50")
    @Tag("E-1")
    void withTheGateOffPodsLeaveAtTicksFromTheStart() {
        var settings =
                new QueueSettings(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(5),
                        false);
        var exact = new QueueBed(settings, fit);
        exact.atMillis(700);
        exact.addRefused(pod("a"));
        assertThat(exact.queue.nextDeadlineMillis()).isEqualTo(NOON + 2000);

        exact.atMillis(1900);
        exact.queue.flushBackoffCompleted();
        assertThat(exact.subQueueOf("a")).isEqualTo(SubQueue.ERROR_BACKOFF);
        exact.atMillis(2000);
        exact.queue.flushBackoffCompleted();
        assertThat(exact.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
    }

    @Test
    @Tag("E-58")
    void podParkedForMoreThanFiveMinutesIsTriedAgain() {
        bed.atMillis(1);
        var info = bed.addRefused(pod("a"), "Fit");
        assertThat(bed.queue.nextDeadlineMillis()).isEqualTo(NOON + 330_000);

        bed.atMillis(300_000);
        bed.queue.flushLeftovers();
        assertThat(info.subQueue()).isEqualTo(SubQueue.PARKED);
        assertThat(info.wasFlushed()).isFalse();

        // Old enough, but nobody looks before the next half minute.
        bed.atMillis(301_000);
        bed.queue.flushLeftovers();
        assertThat(info.subQueue()).isEqualTo(SubQueue.PARKED);

        bed.atMillis(330_000);
        bed.queue.flushLeftovers();
        assertThat(info.subQueue()).isEqualTo(SubQueue.ACTIVE);
        assertThat(info.wasFlushed()).isTrue();
        assertThat(info.flushedAtMillis()).hasValue(NOON + 330_000);
        assertThat(bed.metrics.incoming).endsWith("active UnschedulableTimeout");
    }

    @Test
    @Tag("E-58")
    void lookThatComesLateIsAsIfItHadBeenOnTime() {
        bed.atMillis(15_000);
        var info = bed.addRefused(pod("a"), "Fit");

        // Five minutes old now, but not at the tick that is due.
        bed.atMillis(329_000);
        bed.queue.flushLeftovers();
        assertThat(info.subQueue()).isEqualTo(SubQueue.PARKED);
        assertThat(bed.queue.nextDeadlineMillis()).isEqualTo(NOON + 330_000);

        bed.atMillis(359_000);
        bed.queue.flushLeftovers();
        assertThat(info.subQueue()).isEqualTo(SubQueue.ACTIVE);
    }

    @Test
    @Tag("E-58")
    void exactlyFiveMinutesAreNotEnough() {
        var info = bed.addRefused(pod("a"), "Fit");
        bed.atMillis(300_000);

        bed.queue.flushLeftovers();

        assertThat(info.subQueue()).isEqualTo(SubQueue.PARKED);
        assertThat(bed.queue.nextDeadlineMillis()).isEqualTo(NOON + 330_000);
    }

    @Test
    @Tag("E-58")
    @Tag("E-6")
    void failureClearsTheMarksOfAFlush() {
        var info = bed.addRefused(pod("a"), "Fit");
        bed.atMillis(330_000);
        bed.queue.flushLeftovers();

        bed.fail(bed.pop(), "Fit");

        assertThat(info.wasFlushed()).isFalse();
        assertThat(info.flushedAtMillis()).isEmpty();
        assertThat(info.subQueue()).isEqualTo(SubQueue.PARKED);
    }

    @Test
    @Tag("E-58")
    void gatedPodIsTestedAtEachFlush() {
        var gate = new Gate("Gate");
        gate.closedFor.add("a");
        var other = new QueueBed(gate);
        other.add(pod("a"));
        gate.asked.clear();

        other.atMillis(330_000);
        other.queue.flushLeftovers();
        assertThat(gate.asked).containsExactly("a");
        // Counts from the flush, though the pod's timestamp is as old as ever.
        assertThat(other.queue.nextDeadlineMillis()).isEqualTo(NOON + 660_000);

        other.atMillis(630_000);
        other.queue.flushLeftovers();
        assertThat(gate.asked).containsExactly("a");

        gate.closedFor.clear();
        other.atMillis(660_000);
        other.queue.flushLeftovers();
        assertThat(other.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
    }

    @Test
    @Tag("E-58")
    void flushIsAnEventForPodsInFlight() {
        bed.addRefused(pod("a"), "Fit");
        bed.atMillis(329_000);
        bed.add(pod("b"));
        var b = bed.pop();
        bed.atMillis(330_000);
        bed.queue.flushLeftovers();

        bed.fail(b, "Fit");

        assertThat(b.subQueue()).isEqualTo(SubQueue.BACKOFF);
    }

    @Test
    @Tag("E-58")
    void deadlineIsNeverLateThoughTheOldestPodLeft() {
        bed.addRefused(pod("a"), "Fit");
        bed.atMillis(100_000);
        bed.addRefused(pod("b"), "Fit");
        bed.queue.delete(pod("a"));

        // Early: the time of the pod that left. Nothing happens then, and the estimate improves.
        assertThat(bed.queue.nextDeadlineMillis()).isEqualTo(NOON + 330_000);
        bed.atMillis(330_000);
        bed.queue.flushLeftovers();
        assertThat(bed.subQueueOf("b")).isEqualTo(SubQueue.PARKED);
        assertThat(bed.queue.nextDeadlineMillis()).isEqualTo(NOON + 420_000);
    }

    @Test
    void queueWithNothingToWaitForHasNoDeadline() {
        bed.add(pod("a"));

        assertThat(bed.queue.nextDeadlineMillis()).isEqualTo(Long.MAX_VALUE);
    }
}
