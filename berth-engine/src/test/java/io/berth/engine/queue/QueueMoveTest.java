package io.berth.engine.queue;

import static io.berth.engine.queue.QueueBed.CLAIM_ADDED;
import static io.berth.engine.queue.QueueBed.NODE;
import static io.berth.engine.queue.QueueBed.NODE_ADDED;
import static io.berth.engine.queue.QueueBed.NODE_LABELLED;
import static io.berth.engine.queue.QueueBed.on;
import static io.berth.engine.queue.QueueBed.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.event.Registration.HintFunction;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.engine.queue.QueueBed.Listener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-55")
class QueueMoveTest {
    private final List<String> asked = new ArrayList<>();
    private Hint answer = Hint.QUEUE;
    private final HintFunction hint =
            (waiting, before, after) -> {
                asked.add(waiting.name());
                return answer;
            };
    private final Listener fit =
            Listener.of("Fit", Registration.of(ClusterEvent.NODE, Action.ADD, hint));
    private final Listener labels =
            Listener.of("Labels", on(ClusterEvent.NODE, Action.UPDATE_NODE_LABEL));
    private final Listener volumes =
            Listener.of(
                    "Volumes",
                    on(ClusterEvent.PERSISTENT_VOLUME_CLAIM, Action.ADD),
                    on(ClusterEvent.NODE, Action.ADD));
    private final QueueBed bed = new QueueBed(fit, labels, volumes);

    @Test
    void eventOfInterestToNobodyIsForgotten() {
        bed.addRefused(pod("a"), "Fit");
        bed.add(pod("b"));
        bed.pop();

        bed.queue.moveAll(ClusterEvent.of(ClusterEvent.CSI_NODE, Action.ADD), null, null);

        assertThat(bed.queue.inFlightEventCount()).isZero();
        assertThat(bed.queue.moveRequestCycle()).isEqualTo(-1);
        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.PARKED);
    }

    @Test
    @Tag("E-39")
    void moveIsRememberedByCycleAndForPodsInFlight() {
        bed.add(pod("a"));
        assertThat(bed.queue.moveRequestCycle()).isEqualTo(-1);
        bed.pop();

        bed.queue.moveAll(NODE_ADDED, null, NODE);

        assertThat(bed.queue.moveRequestCycle()).isEqualTo(1);
        assertThat(bed.queue.inFlightEventCount()).isOne();
        assertThat(bed.metrics.inFlight).containsEntry("NodeAdd", 1);
    }

    @Test
    void hintsOfPluginsThatDidNotRefuseAreNotAsked() {
        bed.addRefused(pod("a"), "Labels");
        bed.addRefused(pod("b"), "Fit");

        bed.queue.moveAll(NODE_ADDED, null, NODE);

        assertThat(asked).containsExactly("b");
        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.PARKED);
        assertThat(bed.subQueueOf("b")).isEqualTo(SubQueue.BACKOFF);
        assertThat(bed.metrics.hints).containsExactly("Fit NodeAdd Queue");
    }

    @Test
    void skippedPodStays() {
        answer = Hint.SKIP;
        bed.addRefused(pod("a"), "Fit");

        bed.queue.moveAll(NODE_ADDED, null, NODE);

        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.PARKED);
        assertThat(bed.metrics.hints).containsExactly("Fit NodeAdd QueueSkip");
        assertThat(bed.metrics.incoming)
                .containsExactly(
                        "active UnschedulablePodAdd", "unschedulable ScheduleAttemptFailure");
    }

    @Test
    void oneRejectorThatSaysQueueIsEnough() {
        answer = Hint.SKIP;
        bed.addRefused(pod("a"), "Fit", "Volumes");

        bed.queue.moveAll(NODE_ADDED, null, NODE);

        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.BACKOFF);
    }

    @Test
    void podThatHasBackedOffBecomesActive() {
        bed.addRefused(pod("a"), "Fit");
        bed.atMillis(2000);

        bed.queue.moveAll(NODE_ADDED, null, NODE);

        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
        assertThat(bed.metrics.incoming).contains("active NodeAdd");
    }

    @Test
    @Tag("E-167")
    void pendingPluginWakesAtOnce() {
        bed.add(pod("a"));
        bed.failPending(bed.pop(), List.of(), List.of("Fit"));

        bed.queue.moveAll(NODE_ADDED, null, NODE);

        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
    }

    @Test
    void refusingPluginDoesNotHideThePendingOne() {
        bed.add(pod("a"));
        bed.failPending(bed.pop(), List.of("Fit"), List.of("Volumes"));
        bed.queue.moveAll(NODE_ADDED, null, NODE);
        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);

        bed.fail(bed.pop(), "Fit");
        assertThat(bed.find("a").pendingPlugins()).isEmpty();
    }

    @Test
    void refusingPluginAloneMeansBackoffEvenWhenAnotherIsPending() {
        bed.add(pod("a"));
        bed.failPending(bed.pop(), List.of("Fit"), List.of("Labels"));

        bed.queue.moveAll(NODE_ADDED, null, NODE);

        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.BACKOFF);
    }

    @Test
    @Tag("G-6")
    void hintThatThrowsCountsAsQueueAndIsReportedOnce() {
        var broken =
                Listener.of(
                        "Broken",
                        Registration.of(
                                ClusterEvent.NODE,
                                Action.ADD,
                                (waiting, before, after) -> {
                                    throw new IllegalStateException("oops");
                                }));
        var other = new QueueBed(broken);
        for (int i = 0; i < 50; i++) {
            other.addRefused(pod("p" + i), "Broken");
        }

        other.queue.moveAll(NODE_ADDED, null, NODE);

        assertThat(other.queue.counts().backoff()).isEqualTo(50);
        assertThat(other.log.errors())
                .containsExactly(
                        "QueueingHintFn returns error [event, NodeAdd, plugin, Broken, pod, ns/p0]");
        // The first sixteen are timed; the others would tell nothing new.
        assertThat(other.metrics.hints).hasSize(16).containsOnly("Broken NodeAdd Error");
    }

    @Test
    void wildcardEventWakesAll() {
        answer = Hint.SKIP;
        bed.addRefused(pod("a"), "Fit");
        bed.addRefused(pod("b"), "nobody's");

        bed.queue.moveAll(ClusterEvent.UNSCHEDULABLE_TIMEOUT, null, null);

        assertThat(bed.queue.counts().backoff()).isEqualTo(2);
        assertThat(asked).isEmpty();
    }

    @Test
    void wildcardEventWithAPodWakesThatPodAlone() {
        bed.addRefused(pod("a"), "Fit");
        bed.addRefused(pod("b"), "Fit");

        bed.queue.moveAll(ClusterEvent.FORCE_ACTIVATE, null, pod("b"));
        bed.queue.moveAll(ClusterEvent.FORCE_ACTIVATE, null, NODE);

        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.PARKED);
        assertThat(bed.subQueueOf("b")).isEqualTo(SubQueue.BACKOFF);
    }

    @Test
    void podOfAnUnknownProfileIsWoken() {
        var stray =
                Pod.builder("ns", "stray")
                        .spec(PodSpec.builder().schedulerName("other").build())
                        .build();
        bed.addRefused(stray, "Fit");

        bed.queue.moveAll(CLAIM_ADDED, null, null);

        assertThat(bed.subQueueOf("stray")).isEqualTo(SubQueue.BACKOFF);
        assertThat(bed.log.errors())
                .containsExactly(
                        "No QueueingHintMap is registered for this profile"
                                + " [profile, other, pod, ns/stray]");
    }

    @Test
    void onlyCandidatesAreLookedAt() {
        bed.addRefused(pod("low", 1), "Fit");
        bed.addRefused(pod("high", 9), "Fit");
        bed.add(pod("flying", 9));
        bed.pop();

        bed.queue.moveAll(NODE_ADDED, null, NODE, waiting -> waiting.spec().priority() <= 1);

        assertThat(asked).containsExactly("low");
        assertThat(bed.subQueueOf("high")).isEqualTo(SubQueue.PARKED);
        assertThat(bed.queue.inFlightEventCount()).isOne();
    }

    @Test
    @Tag("E-181")
    void parkedPodsAreLookedAtInTheOrderOfParking() {
        var names = new ArrayList<String>();
        for (int i = 0; i < 40; i++) {
            names.add("p" + i);
            // Two groups, interleaved.
            bed.addRefused(pod("p" + i), i % 2 == 0 ? "Fit" : "Labels", "Fit");
        }
        answer = Hint.SKIP;

        bed.queue.moveAll(NODE_ADDED, null, NODE);

        assertThat(asked).isEqualTo(names);
        assertThat(bed.queue.pending()).extracting(info -> info.pod().name()).isEqualTo(names);
    }

    @Test
    void tenThousandParkedPodsCostNothingToEventsOfOthers() {
        for (int i = 0; i < 10_000; i++) {
            bed.addRefused(pod("p" + i), "Fit");
        }
        bed.addRefused(pod("other"), "Labels");

        bed.queue.moveAll(NODE_LABELLED, NODE, NODE);
        assertThat(asked).isEmpty();
        assertThat(bed.subQueueOf("other")).isEqualTo(SubQueue.BACKOFF);

        bed.queue.moveAll(NODE_ADDED, null, NODE);
        assertThat(asked).hasSize(10_000);
        assertThat(bed.queue.counts().backoff()).isEqualTo(10_001);
    }
}
