package io.berth.engine.queue;

import static io.berth.engine.queue.QueueBed.CLAIM_ADDED;
import static io.berth.engine.queue.QueueBed.NODE;
import static io.berth.engine.queue.QueueBed.NODE_ADDED;
import static io.berth.engine.queue.QueueBed.NODE_LABELLED;
import static io.berth.engine.queue.QueueBed.NOON;
import static io.berth.engine.queue.QueueBed.on;
import static io.berth.engine.queue.QueueBed.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.engine.queue.QueueBed.Listener;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class QueueGatingTest {
    private final Gate first = new Gate("First", on(ClusterEvent.NODE, Action.ADD));
    private final Gate second =
            new Gate("Second", on(ClusterEvent.PERSISTENT_VOLUME_CLAIM, Action.ADD));
    private final Listener fit =
            Listener.of("Fit", on(ClusterEvent.NODE, Action.UPDATE_NODE_LABEL));
    private final QueueBed bed = new QueueBed(first, second, fit);

    @Test
    @Tag("E-47")
    void gatedPodIsParked() {
        second.closedFor.add("a");
        bed.add(pod("a"));

        var info = bed.find("a");
        assertThat(info.subQueue()).isEqualTo(SubQueue.PARKED);
        assertThat(info.isGated()).isTrue();
        assertThat(info.gatingPlugin()).isEqualTo("Second");
        assertThat(info.unschedulablePlugins()).containsExactly("Second");
        assertThat(bed.queue.counts()).isEqualTo(new SchedulingQueue.Counts(0, 0, 0, 1, 0));
        assertThat(bed.metrics.refused).containsEntry("Second", 1);
        assertThat(bed.metrics.incoming).containsExactly("unschedulable UnschedulablePodAdd");
        assertThat(bed.queue.pop()).isNull();
    }

    @Test
    @Tag("E-47")
    @Tag("E-181")
    void pluginsAreAskedInOrderUntilOneRefuses() {
        first.closedFor.add("a");
        bed.add(pod("a"));

        assertThat(first.asked).containsExactly("a");
        assertThat(second.asked).isEmpty();
        assertThat(bed.metrics.preEnqueue)
                .containsExactly("default-scheduler UnschedulableAndUnresolvable");
    }

    @Test
    @Tag("E-47")
    void pluginThatGatesIsAskedFirstTheNextTime() {
        second.closedFor.add("a");
        bed.add(pod("a"));
        first.asked.clear();
        second.asked.clear();

        bed.queue.moveAll(CLAIM_ADDED, null, null);

        assertThat(second.asked).containsExactly("a");
        assertThat(first.asked).isEmpty();
    }

    @Test
    @Tag("E-47")
    void refusalIsCountedOncePerPlugin() {
        second.closedFor.add("a");
        bed.add(pod("a"));
        bed.queue.moveAll(CLAIM_ADDED, null, null);
        assertThat(bed.metrics.refused).containsExactly(java.util.Map.entry("Second", 1));

        second.closedFor.clear();
        first.closedFor.add("a");
        bed.queue.moveAll(CLAIM_ADDED, null, null);

        assertThat(bed.find("a").gatingPlugin()).isEqualTo("First");
        assertThat(bed.metrics.refused).containsEntry("First", 1).containsEntry("Second", 1);
        assertThat(bed.queue.counts().gated()).isOne();
    }

    @Test
    @Tag("E-47")
    void openGatesLetThePodIn() {
        first.closedFor.add("a");
        bed.add(pod("a"));
        first.closedFor.clear();

        bed.queue.moveAll(NODE_ADDED, null, NODE);

        var info = bed.find("a");
        assertThat(info.subQueue()).isEqualTo(SubQueue.ACTIVE);
        assertThat(info.isGated()).isFalse();
        assertThat(bed.queue.counts()).isEqualTo(new SchedulingQueue.Counts(1, 0, 0, 0, 0));
    }

    @Test
    @Tag("E-47")
    void brokenPluginGatesAndIsReported() {
        first.broken = true;
        bed.add(pod("a"));

        assertThat(bed.find("a").gatingPlugin()).isEqualTo("First");
        assertThat(bed.log.errors())
                .containsExactly(
                        "Unexpected error running PreEnqueue plugin [pod, ns/a, plugin, First]");
        assertThat(bed.metrics.preEnqueue).containsExactly("default-scheduler Error");
    }

    @Test
    @Tag("E-47")
    void gatesAreTestedBeforeBackoffAndNotAgainAfterIt() {
        bed.addRefused(pod("a"), "Fit");
        first.asked.clear();
        bed.queue.moveAll(NODE_LABELLED, NODE, NODE);
        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.BACKOFF);
        assertThat(first.asked).containsExactly("a");

        first.closedFor.add("a");
        bed.atMillis(2000);
        bed.queue.flushBackoffCompleted();

        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
        assertThat(first.asked).containsExactly("a");
    }

    @Test
    @Tag("E-47")
    void gatedPodDoesNotEvenBackOff() {
        bed.addRefused(pod("a"), "Fit");
        first.closedFor.add("a");

        bed.queue.moveAll(NODE_LABELLED, NODE, NODE);

        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.PARKED);
        assertThat(bed.find("a").isGated()).isTrue();
    }

    @Test
    @Tag("E-47")
    @Tag("E-1")
    void withTheGateOffGatesAreTestedAfterBackoff() {
        var settings =
                new QueueSettings(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(5),
                        false);
        var patient = new QueueBed(settings, first, fit);
        patient.addRefused(pod("a"), "Fit");
        first.asked.clear();
        patient.queue.moveAll(NODE_LABELLED, NODE, NODE);
        assertThat(first.asked).isEmpty();

        first.closedFor.add("a");
        patient.atMillis(5000);
        patient.queue.flushBackoffCompleted();

        assertThat(first.asked).containsExactly("a");
        assertThat(patient.subQueueOf("a")).isEqualTo(SubQueue.PARKED);
    }

    @Test
    @Tag("E-48")
    void gatedPodIsNotTestedByEventsOfOtherPlugins() {
        bed.addRefused(pod("a"), "Fit");
        first.closedFor.add("a");
        bed.queue.moveAll(NODE_LABELLED, NODE, NODE);
        first.asked.clear();

        // Fit refused the pod and hears of labels, but the gate does not.
        bed.queue.moveAll(NODE_LABELLED, NODE, NODE);

        assertThat(first.asked).isEmpty();
    }

    @Test
    @Tag("E-48")
    void gatedPodIsTestedByWildcardEvents() {
        first.closedFor.add("a");
        bed.add(pod("a"));
        first.closedFor.clear();

        bed.queue.moveAll(ClusterEvent.UNSCHEDULABLE_TIMEOUT, null, null);

        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
    }

    @Test
    @Tag("E-48")
    @Tag("E-163")
    void hintThatAlwaysSkipsLeavesTheWakeUpToOthers() {
        var preemption =
                new Gate(
                        "Preemption",
                        new Registration(
                                ClusterEvent.of(ClusterEvent.POD, Action.DELETE),
                                (pod, before, after) -> Hint.SKIP));
        var ports = Listener.of("Ports", on(ClusterEvent.POD, Action.DELETE));
        var preempting = new QueueBed(preemption, ports);
        var deleted = ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.DELETE);
        preempting.add(pod("a"), pod("b"));
        preemption.closedFor.addAll(List.of("a", "b"));
        // Preemption has begun for both: they come back and are gated at the next wake-up.
        preempting.fail(preempting.pop(), "Ports");
        preempting.fail(preempting.pop(), "Preemption");
        preempting.queue.moveAll(deleted, pod("victim"), null);
        assertThat(preempting.find("a").isGated()).isTrue();

        preemption.closedFor.clear();
        preempting.queue.moveAll(deleted, pod("victim"), null);

        assertThat(preempting.subQueueOf("a")).isEqualTo(SubQueue.BACKOFF);
        assertThat(preempting.subQueueOf("b")).isEqualTo(SubQueue.PARKED);
    }

    @Test
    @Tag("E-6")
    @Tag("E-58")
    void gatingClearsTheFlushFlagButNotItsTime() {
        first.closedFor.add("a");
        bed.add(pod("a"));
        bed.atMillis(330_000);

        bed.queue.flushLeftovers();

        var info = bed.find("a");
        assertThat(info.isGated()).isTrue();
        assertThat(info.wasFlushed()).isFalse();
        assertThat(info.flushedAtMillis()).hasValue(NOON + 330_000);
    }
}
