package io.berth.engine.queue;

import static io.berth.engine.queue.QueueBed.CLAIM_ADDED;
import static io.berth.engine.queue.QueueBed.NODE_ADDED;
import static io.berth.engine.queue.QueueBed.NODE_LABELLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.ClusterEvent;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-45")
class InFlightTest {
    private final RecordingMetrics metrics = new RecordingMetrics();
    private final InFlight inFlight = new InFlight(metrics, 4);

    private List<String> since(String uid) {
        var labels = new ArrayList<String>();
        assertThat(inFlight.eventsSince(uid, happened -> labels.add(happened.event().label())))
                .isTrue();
        return labels;
    }

    @Test
    void eventIsForgottenWhenNoPodIsInFlight() {
        inFlight.record(NODE_ADDED, null, null);

        assertThat(inFlight.eventCount()).isZero();
    }

    @Test
    void podSeesTheEventsAfterItsPop() {
        inFlight.add("a");
        inFlight.record(NODE_ADDED, null, null);
        inFlight.add("b");
        inFlight.record(NODE_LABELLED, null, null);

        assertThat(since("a")).containsExactly("NodeAdd", "NodeUpdateNodeLabel");
        assertThat(since("b")).containsExactly("NodeUpdateNodeLabel");
        assertThat(inFlight.eventsSince("c", happened -> true)).isFalse();
        assertThat(metrics.inFlight)
                .containsOnly(
                        java.util.Map.entry("PodPopped", 2),
                        java.util.Map.entry("NodeAdd", 1),
                        java.util.Map.entry("NodeUpdateNodeLabel", 1));
    }

    @Test
    void eventsInFrontOfTheFirstPodAreDropped() {
        inFlight.add("a");
        inFlight.record(NODE_ADDED, null, null);
        inFlight.add("b");
        inFlight.record(NODE_LABELLED, null, null);

        inFlight.done("a");

        assertThat(inFlight.eventCount()).isOne();
        assertThat(since("b")).containsExactly("NodeUpdateNodeLabel");
        assertThat(metrics.inFlight)
                .containsOnly(
                        java.util.Map.entry("PodPopped", 1),
                        java.util.Map.entry("NodeUpdateNodeLabel", 1));
    }

    @Test
    void podBehindKeepsNothingAliveForThePodInFront() {
        inFlight.add("a");
        inFlight.record(NODE_ADDED, null, null);
        inFlight.add("b");
        inFlight.record(NODE_LABELLED, null, null);

        inFlight.done("b");

        assertThat(since("a")).containsExactly("NodeAdd", "NodeUpdateNodeLabel");
    }

    @Test
    void nothingIsLeftWhenTheLastPodIsDone() {
        inFlight.add("a");
        inFlight.record(NODE_ADDED, null, null);
        inFlight.add("b");
        inFlight.record(NODE_LABELLED, null, null);
        inFlight.done("b");
        inFlight.done("a");
        inFlight.done("a");
        inFlight.done("never seen");

        assertThat(inFlight.eventCount()).isZero();
        assertThat(inFlight.isEmpty()).isTrue();
        assertThat(metrics.inFlight).isEmpty();
    }

    @Test
    void samePodIsNotAddedTwice() {
        assertThat(inFlight.add("a")).isTrue();
        assertThat(inFlight.add("a")).isFalse();
        assertThat(inFlight.uids()).containsExactly("a");
    }

    @Test
    void walkStopsWhenTold() {
        inFlight.add("a");
        inFlight.record(NODE_ADDED, null, null);
        inFlight.record(NODE_LABELLED, null, null);
        var seen = new ArrayList<ClusterEvent>();

        inFlight.eventsSince(
                "a",
                happened -> {
                    seen.add(happened.event());
                    return false;
                });

        assertThat(seen).containsExactly(NODE_ADDED);
    }

    @Test
    void tooManyEventsBecomeOneThatWakesAll() {
        inFlight.add("a");
        for (int i = 0; i < 4; i++) {
            inFlight.record(NODE_ADDED, null, null);
        }
        inFlight.add("b");
        inFlight.record(CLAIM_ADDED, null, null);

        assertThat(inFlight.eventCount()).isEqualTo(2);
        assertThat(since("a")).containsExactly("UnschedulableTimeout", "PersistentVolumeClaimAdd");
        assertThat(since("b")).containsExactly("UnschedulableTimeout", "PersistentVolumeClaimAdd");
        inFlight.done("a");
        inFlight.done("b");
        assertThat(metrics.inFlight).isEmpty();
        assertThat(inFlight.eventCount()).isZero();
    }
}
