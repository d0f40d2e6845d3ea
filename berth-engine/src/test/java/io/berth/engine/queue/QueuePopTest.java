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
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class QueuePopTest {
    private static final Listener FIT = Listener.of("Fit", on(ClusterEvent.NODE, Action.ADD));
    private static final QueueSettings PATIENT =
            new QueueSettings(
                    Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(5), false);

    private final QueueBed bed = new QueueBed(FIT);

    @Test
    @Tag("E-42")
    void emptyQueueHasNothingToPop() {
        assertThat(bed.queue.isReady()).isFalse();
        assertThat(bed.queue.pop()).isNull();
        assertThat(bed.queue.schedulingCycle()).isZero();
    }

    @Test
    @Tag("E-41")
    @Tag("E-182")
    void higherPriorityGoesFirstThenTheEarlier() {
        bed.add(pod("low", -1));
        bed.advance(1);
        bed.add(pod("first"));
        bed.advance(1);
        bed.add(pod("second"), pod("high", 5));

        assertThat(bed.popAll()).containsExactly("high", "first", "second", "low");
    }

    @Test
    @Tag("E-41")
    @Tag("E-182")
    void podsOfOneMillisecondLeaveInTheOrderTheyCame() {
        var names = new ArrayList<String>();
        for (int i = 0; i < 500; i++) {
            names.add("p" + i);
            bed.add(pod("p" + i));
        }

        assertThat(bed.popAll()).isEqualTo(names);
    }

    /// Two thousand pods that fit nowhere once kept all others waiting for five seconds, since
    /// their names came first.
    @Test
    @Tag("E-66")
    void namesDoNotDecideWhoseTurnItIsInTheFirstList() {
        var names = new ArrayList<String>();
        for (int i = 0; i < 500; i++) {
            names.add("hopeless-" + i);
        }
        for (int i = 0; i < 500; i++) {
            names.add("ready-" + i);
        }
        list(bed, names);
        var again = new QueueBed(FIT);
        list(again, names.reversed());

        var turns = bed.popAll();
        assertThat(turns).containsExactlyInAnyOrderElementsOf(names).isEqualTo(again.popAll());
        assertThat(turns.subList(0, 100))
                .filteredOn(name -> name.startsWith("ready"))
                .hasSizeBetween(30, 70);
    }

    private static void list(QueueBed bed, List<String> names) {
        bed.queue.listing(true);
        for (var name : names) {
            bed.add(pod(name));
            bed.advance(1);
        }
        bed.queue.listing(false);
    }

    @Test
    @Tag("E-66")
    @Tag("E-41")
    void podsOfTheFirstListGoByPriorityAndBeforeThoseThatComeLater() {
        bed.queue.listing(true);
        bed.add(pod("a"), pod("b"), pod("c"), pod("high", 5));
        bed.queue.listing(false);
        bed.add(pod("later"));
        bed.fail(bed.pop(), "Fit");

        var turns = bed.popAll();

        assertThat(bed.subQueueOf("high")).isEqualTo(SubQueue.PARKED);
        assertThat(turns).hasSize(4).endsWith("later");
    }

    @Test
    @Tag("E-6")
    @Tag("E-66")
    void howLongAPodTookIsCountedFromItsOwnArrivalInTheFirstList() {
        bed.queue.listing(true);
        bed.add(pod("a"));
        bed.advance(700);
        bed.add(pod("b"));

        assertThat(bed.find("b").timestampMillis()).isEqualTo(NOON);
        assertThat(bed.find("b").initialAttemptMillis()).hasValue(NOON + 700);
    }

    @Test
    @Tag("E-41")
    @Tag("E-6")
    void podThatCameBackGoesBehindThoseThatCameMeanwhile() {
        bed.add(pod("a"), pod("b"));
        var a = bed.pop();
        bed.advance(10);
        bed.fail(a, "Fit");
        bed.advance(20_000);
        // Moved into the active queue long after its timestamp, which stays.
        bed.queue.moveAll(NODE_ADDED, null, NODE);
        bed.add(pod("c"));

        assertThat(bed.popAll()).containsExactly("b", "a", "c");
    }

    @Test
    @Tag("E-42")
    @Tag("E-187")
    @Tag("E-182")
    void refusedPodIsTakenBeforeItsBackoffEndsWhenNothingElseIsReady() {
        bed.addRefused(pod("a"), "Fit");
        bed.queue.moveAll(NODE_ADDED, null, NODE);
        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.BACKOFF);

        assertThat(bed.queue.isReady()).isTrue();
        assertThat(bed.pop().pod().name()).isEqualTo("a");
        assertThat(bed.metrics.incoming)
                .containsExactly(
                        "active UnschedulablePodAdd",
                        "unschedulable ScheduleAttemptFailure",
                        "backoff NodeAdd",
                        "active PopFromBackoffQ");
    }

    @Test
    @Tag("E-42")
    void activePodGoesBeforeOneThatBacksOff() {
        bed.addRefused(pod("high", 9), "Fit");
        bed.queue.moveAll(NODE_ADDED, null, NODE);
        bed.add(pod("low", -9));

        assertThat(bed.popAll()).containsExactly("low", "high");
    }

    @Test
    @Tag("E-42")
    @Tag("E-51")
    @Tag("E-167")
    void brokenAttemptAlwaysWaitsOutItsBackoff() {
        bed.addRefused(pod("a"));
        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.ERROR_BACKOFF);

        assertThat(bed.queue.isReady()).isFalse();
        assertThat(bed.queue.pop()).isNull();
    }

    @Test
    @Tag("E-1")
    @Tag("E-42")
    void withTheGateOffNobodyIsTakenEarly() {
        var patient = new QueueBed(PATIENT, FIT);
        patient.addRefused(pod("a"), "Fit");
        patient.queue.moveAll(NODE_ADDED, null, NODE);

        assertThat(patient.subQueueOf("a")).isEqualTo(SubQueue.BACKOFF);
        assertThat(patient.queue.isReady()).isFalse();
        assertThat(patient.queue.pop()).isNull();
    }

    @Test
    @Tag("E-51")
    @Tag("E-182")
    void podsThatBackOffInOneSecondAreOrderedLikeActiveOnes() {
        bed.atMillis(100);
        bed.addRefused(pod("early", 1), "Fit");
        bed.atMillis(900);
        bed.addRefused(pod("late", 5), "Fit");
        bed.atMillis(1000);
        bed.addRefused(pod("next window", 9), "Fit");
        bed.queue.moveAll(NODE_ADDED, null, NODE);

        assertThat(bed.popAll()).containsExactly("late", "early", "next window");
    }

    @Test
    @Tag("E-43")
    void popCountsTheAttemptAndOpensACycle() {
        bed.addRefused(pod("a"), "Fit");
        assertThat(bed.metrics.refused).containsEntry("Fit", 1);
        bed.queue.moveAll(NODE_ADDED, null, NODE);

        var info = bed.pop();

        assertThat(info.attempts()).isEqualTo(2);
        assertThat(bed.queue.schedulingCycle()).isEqualTo(2);
        assertThat(info.schedulingCycle()).isEqualTo(2);
        assertThat(bed.queue.isInFlight("uid-a")).isTrue();
        assertThat(bed.metrics.refused).isEmpty();
        // Rejectors are forgotten when the next failure is handled, not here.
        assertThat(info.unschedulablePlugins()).containsExactly("Fit");
    }

    @Test
    @Tag("E-43")
    void podThatIsInFlightAlreadyIsDiscarded() {
        bed.add(pod("a"));
        bed.pop();
        bed.queue.add(pod("a"));
        bed.advance(1);
        bed.add(pod("b"));

        assertThat(bed.pop().pod().name()).isEqualTo("b");
        assertThat(bed.queue.schedulingCycle()).isEqualTo(2);
        assertThat(bed.log.errors())
                .containsExactly(
                        "Discarding the popped pod [err, the same pod is tracked in multiple places"
                                + " in the scheduler: ns/a]");
        assertThat(bed.queue.pending()).isEmpty();
    }

    @Test
    @Tag("E-6")
    void firstTimeActiveIsRemembered() {
        var gate = new Gate("Gate", on(ClusterEvent.NODE, Action.ADD));
        gate.closedFor.add("a");
        var gated = new QueueBed(gate);
        gated.add(pod("a"));
        var info = gated.find("a");
        assertThat(info.initialAttemptMillis()).isEmpty();
        assertThat(info.timestampMillis()).isEqualTo(NOON);

        gated.advance(5000);
        gate.closedFor.clear();
        gated.queue.moveAll(NODE_ADDED, null, NODE);
        assertThat(info.initialAttemptMillis()).hasValue(NOON + 5000);

        gated.fail(gated.pop(), "Gate");
        gated.advance(60_000);
        gated.queue.moveAll(NODE_ADDED, null, NODE);
        assertThat(info.subQueue()).isEqualTo(SubQueue.ACTIVE);
        assertThat(info.initialAttemptMillis()).hasValue(NOON + 5000);
        assertThat(info.timestampMillis()).isEqualTo(NOON + 5000);
    }

    @Test
    @Tag("E-64")
    void closedQueueGivesNothingOut() {
        bed.add(pod("a"), pod("b"));
        bed.pop();
        bed.queue.moveAll(NODE_ADDED, null, NODE);

        bed.queue.close();

        assertThat(bed.queue.isReady()).isFalse();
        assertThat(bed.queue.pop()).isNull();
        assertThat(bed.queue.inFlightUids()).isEqualTo(List.of());
        assertThat(bed.queue.inFlightEventCount()).isZero();
        assertThat(bed.metrics.inFlight).isEmpty();
        assertThat(bed.queue.nextDeadlineMillis()).isEqualTo(Long.MAX_VALUE);
        bed.queue.done("uid-a");
    }
}
