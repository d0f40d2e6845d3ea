package io.berth.engine.queue;

import static io.berth.engine.queue.QueueBed.NODE;
import static io.berth.engine.queue.QueueBed.NODE_ADDED;
import static io.berth.engine.queue.QueueBed.on;
import static io.berth.engine.queue.QueueBed.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.label.Labels;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Toleration;
import io.berth.engine.queue.QueueBed.Listener;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Adding, changing, deleting and activating pods.
class QueueLifeTest {
    private final Gate gate = new Gate("Gate");
    private final Listener fit = Listener.of("Fit", on(ClusterEvent.NODE, Action.ADD));
    private final Listener own =
            Listener.of(
                    "Own",
                    on(ClusterEvent.POD, Action.UPDATE_POD_LABEL),
                    Registration.of(
                            ClusterEvent.POD,
                            Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED,
                            (waiting, before, after) ->
                                    after instanceof Pod changed
                                                    && changed.uid().equals(waiting.uid())
                                            ? Hint.QUEUE
                                            : Hint.SKIP));
    private final QueueBed bed = new QueueBed(gate, fit, own);

    private static Pod labelled(Pod pod) {
        return pod.toBuilder().labels(Labels.of("x", "y")).build();
    }

    private static Pod nominated(Pod pod, String node) {
        return pod.toBuilder().nominatedNodeName(node).build();
    }

    @Nested
    @Tag("E-59")
    class Add {
        @Test
        void newPodIsActive() {
            bed.add(pod("a"));

            assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
            assertThat(bed.metrics.incoming).containsExactly("active UnschedulablePodAdd");
        }

        @Test
        void nominationInTheStatusIsTakenOver() {
            var pod = nominated(pod("a"), "n1");
            bed.add(pod);

            assertThat(bed.queue.nominator().on("n1")).containsExactly(pod);
        }

        @Test
        void gatedPodIsNotNominated() {
            gate.closedFor.add("a");
            bed.add(nominated(pod("a"), "n1"));

            assertThat(bed.queue.nominator().on("n1")).isEmpty();
        }

        @Test
        void podOfTheSameNameReplacesTheOldOne() {
            bed.add(nominated(pod("a"), "n1"));
            bed.add(pod("a").toBuilder().uid("another").build());

            assertThat(bed.queue.pending())
                    .singleElement()
                    .satisfies(info -> assertThat(info.pod().uid()).isEqualTo("another"));
            assertThat(bed.queue.nominator().isEmpty()).isTrue();
        }
    }

    @Nested
    @Tag("E-60")
    class Update {
        @Test
        void activePodIsReplacedAndReordered() {
            bed.add(pod("a", 1), pod("b", 2));
            gate.asked.clear();

            bed.update(pod("a", 1), pod("a", 3));

            assertThat(gate.asked).isEmpty();
            assertThat(bed.metrics.incoming).hasSize(2);
            assertThat(bed.popAll()).containsExactly("a", "b");
        }

        @Test
        void podThatBacksOffIsReplacedAndReordered() {
            bed.addRefused(pod("a", 1), "Fit");
            bed.addRefused(pod("b", 2), "Fit");
            bed.addRefused(pod("broken", 2));
            bed.queue.moveAll(NODE_ADDED, null, NODE);

            bed.update(pod("a", 1), labelled(pod("a", 3)));
            bed.update(pod("broken", 2), labelled(pod("broken", 9)));

            assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.BACKOFF);
            assertThat(bed.subQueueOf("broken")).isEqualTo(SubQueue.ERROR_BACKOFF);
            assertThat(bed.popAll()).containsExactly("a", "b");
            assertThat(bed.find("broken").pod()).isEqualTo(labelled(pod("broken", 9)));
        }

        @Test
        void parkedPodStaysWhenTheChangeDoesNotHelp() {
            bed.addRefused(pod("a"), "Fit");
            int incoming = bed.metrics.incoming.size();

            bed.update(pod("a"), labelled(pod("a")));

            assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.PARKED);
            assertThat(bed.find("a").pod()).isEqualTo(labelled(pod("a")));
            assertThat(bed.metrics.incoming).hasSize(incoming);
        }

        @Test
        void parkedPodMovesWhenTheChangeHelps() {
            bed.addRefused(pod("a"), "Own");
            bed.update(pod("a"), labelled(pod("a")));

            assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.BACKOFF);
            assertThat(bed.metrics.incoming).endsWith("backoff UnschedulablePodUpdatePodLabel");
        }

        @Test
        void parkedPodThatHasBackedOffBecomesActive() {
            bed.addRefused(pod("a"), "Own");
            bed.advance(60_000);
            bed.update(pod("a"), labelled(pod("a")));

            assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
        }

        @Test
        void changesAreTriedOneAfterTheOtherUntilOneHelps() {
            var tolerations =
                    Listener.of("Tolerations", on(ClusterEvent.POD, Action.UPDATE_POD_TOLERATION));
            var other = new QueueBed(own, tolerations);
            other.addRefused(pod("a"), "Tolerations");
            other.addRefused(pod("b"), "Own", "Tolerations");

            for (var before : List.of(pod("a"), pod("b"))) {
                var tolerant =
                        PodSpec.builder().toleration(new Toleration("t", "Exists", "", "")).build();
                other.update(before, labelled(before).toBuilder().spec(tolerant).build());
            }

            assertThat(other.metrics.incoming)
                    .endsWith(
                            "backoff UnschedulablePodUpdatePodToleration",
                            "backoff UnschedulablePodUpdatePodLabel");
        }

        @Test
        @Tag("E-47")
        void podIsFreedByTheRemovalOfItsOwnGate() {
            var gates =
                    new Gate(
                            "SchedulingGates",
                            Registration.of(
                                    ClusterEvent.POD,
                                    Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED));
            var other = new QueueBed(gates);
            gates.closedFor.add("a");
            var before =
                    pod("a").toBuilder()
                            .spec(PodSpec.builder().schedulingGate("g").build())
                            .nominatedNodeName("n1")
                            .build();
            other.add(before);
            gates.closedFor.clear();

            other.update(before, pod("a").toBuilder().nominatedNodeName("n1").build());

            assertThat(other.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
            assertThat(other.queue.nominator().on("n1")).hasSize(1);
            assertThat(other.metrics.incoming)
                    .endsWith("active UnschedulablePodUpdatePodSchedulingGatesEliminated");
        }

        @Test
        void podInFlightIsLeftAlone() {
            bed.add(pod("a"));
            var info = bed.pop();

            bed.update(pod("a"), nominated(labelled(pod("a")), "n1"));

            assertThat(info.pod()).isEqualTo(pod("a"));
            assertThat(bed.queue.pending()).isEmpty();
            assertThat(bed.queue.nominator().isEmpty()).isTrue();
            assertThat(bed.metrics.inFlight).containsEntry("UnschedulablePodUpdatePodLabel", 1);
        }

        @Test
        void unknownPodIsNew() {
            bed.update(pod("a"), nominated(pod("a"), "n1"));

            assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
            assertThat(bed.queue.nominator().on("n1")).hasSize(1);
            assertThat(bed.metrics.incoming).containsExactly("active UnschedulablePodUpdate");
        }

        @Test
        void anotherPodOfTheNameStartsAnew() {
            var info = bed.addRefused(pod("a"), "Fit");
            bed.update(pod("a"), pod("a").toBuilder().uid("another").build());

            assertThat(bed.find("a")).isNotSameAs(info);
            assertThat(bed.find("a").attempts()).isZero();
            assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
            assertThat(bed.metrics.refused).isEmpty();
        }
    }

    @Nested
    @Tag("E-61")
    class Delete {
        @Test
        void podLeavesWhereverItIs() {
            gate.closedFor.add("gated");
            bed.add(pod("gated"));
            bed.addRefused(pod("backoff"), "Fit");
            bed.queue.moveAll(NODE_ADDED, null, NODE);
            // Active before the others, so that these are not popped instead.
            bed.addRefused(pod("error", 1));
            bed.addRefused(pod("parked", 1), "Fit");
            bed.add(pod("active"));
            assertThat(bed.queue.counts()).isEqualTo(new SchedulingQueue.Counts(1, 2, 1, 1, 0));

            for (String name : List.of("active", "backoff", "error", "parked", "gated", "gone")) {
                bed.queue.delete(pod(name));
                assertThat(bed.subQueueOf(name)).isEqualTo(SubQueue.OUT);
            }

            assertThat(bed.queue.counts()).isEqualTo(new SchedulingQueue.Counts(0, 0, 0, 0, 0));
            assertThat(bed.queue.pop()).isNull();
            assertThat(bed.metrics.refused).isEmpty();
        }

        @Test
        void nominationGoesToo() {
            bed.add(nominated(pod("a"), "n1"));
            bed.queue.delete(pod("a"));

            assertThat(bed.queue.nominator().isEmpty()).isTrue();
        }

        @Test
        void podInFlightStaysInFlight() {
            bed.add(pod("a"));
            bed.pop();
            bed.queue.delete(pod("a"));

            assertThat(bed.queue.isInFlight("uid-a")).isTrue();
        }
    }

    @Nested
    @Tag("E-57")
    class Activate {
        @Test
        void parkedPodBecomesActiveAtOnce() {
            bed.addRefused(pod("a"), "Fit");
            bed.queue.activate(List.of(pod("a")));

            assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
            assertThat(bed.metrics.incoming).endsWith("active ForceActivate");
        }

        @Test
        void gatesOfAParkedPodAreTested() {
            bed.addRefused(pod("a"), "Fit");
            gate.closedFor.add("a");
            int incoming = bed.metrics.incoming.size();

            bed.queue.activate(List.of(pod("a")));

            assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.PARKED);
            assertThat(bed.queue.counts().gated()).isOne();
            assertThat(bed.metrics.incoming).hasSize(incoming);
        }

        @Test
        void podThatBacksOffBecomesActiveUntested() {
            bed.addRefused(pod("a"), "Fit");
            bed.addRefused(pod("broken"));
            bed.queue.moveAll(NODE_ADDED, null, NODE);
            gate.closedFor.addAll(List.of("a", "broken"));

            bed.queue.activate(List.of(pod("a"), pod("broken")));

            assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.ACTIVE);
            assertThat(bed.subQueueOf("broken")).isEqualTo(SubQueue.ACTIVE);
        }

        /// Found by simulation: a preemptor went and another pod of its name came, backing off,
        /// before the preemption failed.
        @Test
        void podMadeAnewUnderThatNameIsLeftAlone() {
            bed.addRefused(pod("a"), "Fit");

            bed.queue.activate(List.of(pod("a").toBuilder().uid("uid-before").build()));

            assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.PARKED);
        }

        @Test
        void unknownAndActivePodsAreIgnored() {
            bed.add(pod("active"));
            bed.queue.activate(List.of(pod("active"), pod("unknown")));

            assertThat(bed.metrics.incoming).hasSize(1);
            assertThat(bed.subQueueOf("unknown")).isEqualTo(SubQueue.OUT);
            assertThat(bed.queue.inFlightEventCount()).isZero();
        }
    }

    @Test
    @Tag("E-39")
    @Tag("E-62")
    void dumpsTellWhereEveryPodIs() {
        gate.closedFor.add("gated");
        bed.add(pod("gated"));
        bed.addRefused(pod("broken", 1));
        bed.addRefused(pod("parked", 1), "Own");
        bed.addRefused(pod("backoff", 1), "Fit");
        bed.queue.moveAll(NODE_ADDED, null, NODE);
        bed.add(pod("flying", 3), pod("second", 1), pod("first", 2));
        bed.pop();

        assertThat(bed.queue.summary()).isEqualTo("activeQ:2; backoffQ:2; unschedulablePods:2");
        assertThat(bed.queue.counts()).isEqualTo(new SchedulingQueue.Counts(2, 2, 1, 1, 1));
        assertThat(bed.queue.pending())
                .extracting(QueuedPodInfo::toString)
                .containsExactly(
                        "ns/first (ACTIVE)",
                        "ns/second (ACTIVE)",
                        "ns/backoff (BACKOFF)",
                        "ns/broken (ERROR_BACKOFF)",
                        "ns/gated (PARKED)",
                        "ns/parked (PARKED)");
        assertThat(bed.queue.inFlightUids()).containsExactly("uid-flying");
        assertThat(bed.log.infos())
                .contains(
                        "Pod moved to an internal scheduling queue"
                                + " [pod, ns/backoff, event, NodeAdd, queue, Backoff]",
                        "Pod moved to an internal scheduling queue, because the pod is gated"
                                + " [pod, ns/gated, event, UnschedulablePodAdd, queue,"
                                + " Unschedulable]",
                        "Pod moved to an internal scheduling queue"
                                + " [pod, ns/first, event, UnschedulablePodAdd, queue, Active]");
    }
}
