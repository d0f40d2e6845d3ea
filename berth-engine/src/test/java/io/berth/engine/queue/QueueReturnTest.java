package io.berth.engine.queue;

import static io.berth.engine.queue.QueueBed.NODE;
import static io.berth.engine.queue.QueueBed.NODE_ADDED;
import static io.berth.engine.queue.QueueBed.NODE_LABELLED;
import static io.berth.engine.queue.QueueBed.NOON;
import static io.berth.engine.queue.QueueBed.on;
import static io.berth.engine.queue.QueueBed.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.label.Labels;
import io.berth.engine.queue.QueueBed.Listener;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class QueueReturnTest {
    private final Listener fit = Listener.of("Fit", on(ClusterEvent.NODE, Action.ADD));
    private final Listener labels =
            Listener.of("Labels", on(ClusterEvent.NODE, Action.UPDATE_NODE_LABEL));
    private final Listener own = Listener.of("Own", on(ClusterEvent.POD, Action.UPDATE_POD_LABEL));
    private final QueueBed bed = new QueueBed(fit, labels, own);

    @Test
    @Tag("E-56")
    @Tag("E-167")
    @Tag("E-167a")
    void refusedPodIsParked() {
        var info = bed.addRefused(pod("a"), "Fit", "Labels");

        assertThat(info.subQueue()).isEqualTo(SubQueue.PARKED);
        assertThat(bed.metrics.refused).containsEntry("Fit", 1).containsEntry("Labels", 1);
        assertThat(bed.metrics.incoming).contains("unschedulable ScheduleAttemptFailure");
        assertThat(bed.queue.inFlightUids()).isEmpty();
        assertThat(bed.log.infos())
                .contains(
                        "Pod moved to an internal scheduling queue [pod, ns/a, event,"
                                + " ScheduleAttemptFailure, queue, Unschedulable, schedulingCycle,"
                                + " 1, hint, SKIP, unschedulable plugins, [Fit, Labels]]");
    }

    @Test
    @Tag("E-56")
    @Tag("E-167a")
    void brokenAttemptBacksOffAmongTheErrors() {
        var info = bed.addRefused(pod("a"));

        assertThat(info.subQueue()).isEqualTo(SubQueue.ERROR_BACKOFF);
        assertThat(bed.metrics.incoming).contains("backoff ScheduleAttemptFailure");
    }

    @Test
    @Tag("E-6")
    @Tag("E-56")
    void failuresAreCounted() {
        var info = bed.addRefused(pod("a"), "Fit");
        assertThat(List.of(info.unschedulableCount(), info.consecutiveErrors()))
                .containsExactly(1, 0);
        assertThat(info.timestampMillis()).isEqualTo(NOON);

        for (int errors = 1; errors <= 2; errors++) {
            bed.advance(60_000);
            bed.queue.flushBackoffCompleted();
            bed.queue.moveAll(NODE_ADDED, null, NODE);
            bed.fail(bed.pop());
            assertThat(List.of(info.unschedulableCount(), info.consecutiveErrors()))
                    .containsExactly(1, errors);
            assertThat(info.timestampMillis()).isEqualTo(NOON + errors * 60_000L);
        }

        bed.advance(60_000);
        bed.queue.flushBackoffCompleted();
        bed.fail(bed.pop(), "Fit");
        assertThat(List.of(info.unschedulableCount(), info.consecutiveErrors()))
                .containsExactly(2, 0);
        assertThat(info.attempts()).isEqualTo(4);
    }

    @Test
    @Tag("E-45")
    @Tag("E-56")
    void eventWhileInFlightBringsThePodToBackoff() {
        bed.add(pod("a"));
        var info = bed.pop();
        bed.queue.moveAll(NODE_ADDED, null, NODE);

        bed.fail(info, "Fit");

        assertThat(info.subQueue()).isEqualTo(SubQueue.BACKOFF);
        assertThat(bed.queue.inFlightEventCount()).isZero();
    }

    @Test
    @Tag("E-45")
    @Tag("E-56")
    void eventOfAnotherPluginDoesNot() {
        bed.add(pod("a"));
        var info = bed.pop();
        bed.queue.moveAll(NODE_LABELLED, NODE, NODE);

        bed.fail(info, "Fit");

        assertThat(info.subQueue()).isEqualTo(SubQueue.PARKED);
    }

    @Test
    @Tag("E-45")
    @Tag("E-56")
    void eventBeforeThePopDoesNot() {
        bed.add(pod("a"), pod("b"));
        var a = bed.pop();
        bed.queue.moveAll(NODE_ADDED, null, NODE);
        var b = bed.pop();

        bed.fail(b, "Fit");
        bed.fail(a, "Fit");

        assertThat(b.subQueue()).isEqualTo(SubQueue.PARKED);
        assertThat(a.subQueue()).isEqualTo(SubQueue.BACKOFF);
    }

    @Test
    @Tag("E-56")
    @Tag("E-167")
    void pendingPodReturnsStraightToActiveByALaterEvent() {
        bed.add(pod("a"));
        var info = bed.pop();
        bed.queue.moveAll(NODE_ADDED, null, NODE);
        bed.queue.moveAll(NODE_LABELLED, NODE, NODE);

        bed.failPending(info, List.of("Fit"), List.of("Labels"));

        assertThat(info.subQueue()).isEqualTo(SubQueue.ACTIVE);
    }

    @Test
    @Tag("E-56")
    void podWithoutAnInFlightEntryBacksOffAndIsReported() {
        bed.add(pod("a"));
        var info = bed.pop();
        bed.queue.done("uid-a");

        bed.fail(info, "Fit");

        assertThat(info.subQueue()).isEqualTo(SubQueue.BACKOFF);
        assertThat(bed.log.errors())
                .singleElement()
                .asString()
                .startsWith("Error getting cluster events for pod [pod, ns/a");
    }

    @Test
    @Tag("E-46")
    @Tag("E-167a")
    void bindingThatFailedAfterItWasDoneIsOrdinary() {
        bed.add(pod("a"));
        var info = bed.pop();
        bed.queue.done("uid-a");

        bed.fail(info);

        assertThat(info.subQueue()).isEqualTo(SubQueue.ERROR_BACKOFF);
        assertThat(bed.log.errors()).isEmpty();
    }

    @Test
    @Tag("E-46")
    @Tag("E-56")
    void podOfThatNameInTheQueueIsNotReplaced() {
        var gate = new Gate("Gate");
        var other = new QueueBed(gate, fit);
        other.add(pod("a"));
        var info = other.pop();
        var twin = pod("a").toBuilder().uid("uid-twin").build();

        other.queue.add(twin);
        assertThat(other.queue.returnFailed(info))
                .hasValue("Pod ns/a is already present in the active queue");

        assertThat(other.queue.isInFlight("uid-a")).isFalse();
        other.fail(other.pop());
        assertThat(other.queue.returnFailed(info))
                .hasValue("Pod ns/a is already present in the backoff queue");

        other.queue.delete(twin);
        gate.closedFor.add("a");
        other.queue.add(twin);
        assertThat(other.queue.returnFailed(info))
                .hasValue("Pod ns/a is already present in unschedulable queue");
        assertThat(info.unschedulableCount()).isZero();
    }

    @Test
    @Tag("E-45")
    @Tag("E-60")
    void ownChangeWhileInFlightIsJudgedAtTheReturn() {
        bed.add(pod("a"));
        var info = bed.pop();
        var labelled = pod("a").toBuilder().labels(Labels.of("x", "y")).build();

        bed.update(pod("a"), labelled);
        assertThat(bed.queue.find("ns/a")).isNull();
        info.replacePod(labelled);
        bed.fail(info, "Own");

        assertThat(info.subQueue()).isEqualTo(SubQueue.BACKOFF);
        assertThat(info.pod()).isEqualTo(labelled);
    }

    @Test
    @Tag("E-57")
    void activatedInFlightPodComesBackAfterItsBackoff() {
        bed.add(pod("a"), pod("b"));
        var a = bed.pop();
        var b = bed.pop();

        bed.queue.activate(List.of(pod("a")));
        bed.fail(a, "Fit");
        bed.fail(b, "Fit");

        assertThat(a.subQueue()).isEqualTo(SubQueue.BACKOFF);
        assertThat(b.subQueue()).isEqualTo(SubQueue.PARKED);
    }

    @Test
    @Tag("E-6")
    void rejectorsOfAWaitingPodAreNotForTheHandlerToChange() {
        var info = bed.addRefused(pod("a"), "Fit");

        assertThatThrownBy(info::clearRejectors).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> info.replacePod(pod("a")))
                .isInstanceOf(IllegalStateException.class);
    }
}
