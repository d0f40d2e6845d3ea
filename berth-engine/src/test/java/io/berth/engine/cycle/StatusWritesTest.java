package io.berth.engine.cycle;

import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.ClusterException;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.write.Departure;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.engine.message.Message;
import io.berth.testkit.NotedLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// One order per pod over everything that is said in its status, and its binding.
@Tag("E-108")
final class StatusWritesTest {
    private final List<String> happened = new ArrayList<>();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean isRefusing;
    private Runnable whileSent = () -> {};

    private final Errands errands =
            new Errands((name, task) -> tasks.add(task), this::ended, new NotedLog());
    private final StatusWrites statuses = new StatusWrites(this::send, errands, new NotedLog());

    private void ended(Message outcome) {
        errands.ended((Message.Outcome) outcome);
    }

    private Receipt send(Write write, Departure departure) {
        if (!departure.leaves()) {
            return Receipt.WITHDRAWN;
        }
        if (isRefusing) {
            throw new ClusterException(ClusterException.Kind.REFUSED, "no");
        }
        whileSent.run();
        var patch = (Write.PatchStatus) write;
        var condition = patch.condition();
        happened.add(
                "%s: %s ->%s%s"
                        .formatted(
                                patch.pod().name(),
                                condition == null ? "" : condition.message(),
                                patch.nominatedNodeName(),
                                patch.isLate() ? "" : " at once"));
        return Receipt.SENT;
    }

    private void fail(Pod pod, String message) {
        statuses.write(
                pod, PodCondition.of("PodScheduled", "False", "Unschedulable", message), null);
    }

    private void nominate(Pod pod, String node) {
        statuses.nominate(
                pod, node, failure -> happened.add("told " + (failure == null ? "" : failure)));
    }

    private void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    /// The binding overtook what was still to be said of earlier attempts, and a bound pod ended as
    /// unschedulable.
    @Test
    void whatWasNotSentBeforeTheBindingNeverIs() {
        var web = pod("web").build();
        fail(web, "0/1");
        fail(web, "0/2");
        statuses.beforeBinding(web, () -> happened.add("bind"));
        runTasks();
        assertThat(happened).containsExactly("bind");
        assertThat(statuses.underWay()).isZero();
    }

    @Test
    void theBindingWaitsForTheEndOfWhatIsSent() {
        var web = pod("web").build();
        fail(web, "0/1");
        fail(web, "0/2");
        whileSent = () -> statuses.beforeBinding(web, () -> happened.add("bind"));
        runTasks();
        assertThat(happened).containsExactly("web: 0/1 ->null", "bind");
        assertThat(statuses.underWay()).isZero();
    }

    /// A preemption cleared the nomination of a pod that was about to be bound, and what the pod
    /// had lacked before was said along with it, after the binding.
    @Test
    void aNominationTakenBackBesideTheBindingDoesNotBringBackOldWords() {
        var web = pod("web").build().toBuilder().nominatedNodeName("n").build();
        fail(web, "0/1");
        statuses.beforeBinding(web, () -> happened.add("bind"));
        nominate(web, "");
        runTasks();
        assertThat(happened).containsExactly("bind", "web:  -> at once", "told ");
        assertThat(statuses.underWay()).isZero();
    }

    @Test
    void anotherPodsWriteKeepsNoBindingWaiting() {
        fail(pod("other").build(), "0/1");
        whileSent = () -> statuses.beforeBinding(pod("web").build(), () -> happened.add("bind"));
        runTasks();
        assertThat(happened).containsExactly("bind", "other: 0/1 ->null");
    }

    @Test
    void whatWaitsIsDroppedWithItsPod() {
        var web = pod("web").build();
        fail(web, "0/1");
        statuses.drop(web.uid());
        runTasks();
        assertThat(happened).isEmpty();
        assertThat(statuses.underWay()).isZero();
    }

    @Test
    void fewGoAtOnceAndTheNewestWordPerPod() {
        for (int round = 1; round <= 3; round++) {
            for (int i = 0; i < 2 * StatusWrites.MOST_AT_ONCE; i++) {
                fail(pod("p" + i).build(), "round " + round);
            }
        }
        assertThat(tasks).hasSize(StatusWrites.MOST_AT_ONCE);
        runTasks();
        // Those that had begun say their first word and then their last; the others the last only.
        assertThat(happened).hasSize(3 * StatusWrites.MOST_AT_ONCE);
        assertThat(happened.stream().filter(line -> line.contains("round 2"))).isEmpty();
        assertThat(happened.stream().filter(line -> line.contains("round 3")))
                .hasSize(2 * StatusWrites.MOST_AT_ONCE);
        assertThat(statuses.underWay()).isZero();
    }

    @Test
    void aNominationDoesNotStandInLine() {
        for (int i = 0; i < 2 * StatusWrites.MOST_AT_ONCE; i++) {
            fail(pod("p" + i).build(), "0/1");
        }
        nominate(pod("web").build(), "n");
        assertThat(tasks).hasSize(StatusWrites.MOST_AT_ONCE + 1);
        runTasks();
        assertThat(happened).contains("web:  ->n at once", "told ");
    }

    @Test
    void aNominationTakesWhatWaitsAlong() {
        var web = pod("web").build();
        fail(web, "0/1");
        nominate(web, "n");
        runTasks();
        assertThat(happened).containsExactly("web: 0/1 ->n at once", "told ");
    }

    /// A preemptor clears the nominations of lesser pods; an older write that was still waiting set
    /// them again.
    @Test
    void anOlderNominationDoesNotComeBack() {
        var lesser = pod("lesser").build();
        fail(lesser, "0/1");
        whileSent =
                () -> {
                    whileSent = () -> {};
                    statuses.write(
                            lesser,
                            PodCondition.of("PodScheduled", "False", "Unschedulable", "0/2"),
                            "n");
                    nominate(lesser, "");
                };
        runTasks();
        assertThat(happened)
                .containsExactly("lesser: 0/1 ->null", "lesser: 0/2 -> at once", "told ");
    }

    /// Found by the simulator: who was told that its word is said by now began to bind, which
    /// dropped what waits, which told it again.
    @Test
    void whoWaitsIsToldOnce() {
        var web = pod("web").build();
        nominate(web, "n");
        whileSent =
                () -> {
                    whileSent = () -> {};
                    statuses.nominate(
                            web,
                            "n",
                            failure -> statuses.beforeBinding(web, () -> happened.add("bind")));
                };
        runTasks();
        assertThat(happened).containsExactly("web:  ->n at once", "told ", "bind");
    }

    @Test
    void aRefusalIsToldToWhoWaits() {
        isRefusing = true;
        nominate(pod("web").build(), "n");
        runTasks();
        assertThat(happened).singleElement().asString().startsWith("told ").contains("no");
    }

    @Test
    void aNominationThatIsThereAlreadyIsDoneAtOnce() {
        nominate(pod("web").build().toBuilder().nominatedNodeName("n").build(), "n");
        assertThat(happened).containsExactly("told ");
        assertThat(tasks).isEmpty();
    }

    /// Found by the simulator: a nomination was cleared for a pod whose newest form did not show it
    /// yet. What differed from that form was nothing, so the nomination stayed.
    @Test
    void whatAFormFromBeforeTheLastWriteSaysIsNotTrusted() {
        var web = pod("web").build();
        nominate(web, "n");
        runTasks();
        nominate(web, "");
        runTasks();
        assertThat(happened)
                .containsExactly("web:  ->n at once", "told ", "web:  -> at once", "told ");
    }

    /// Found by the simulator: a failure said that the pod expects no node, which it did not, and
    /// took its time. Meanwhile others nominated the pod, and its next failure had nothing to say,
    /// as if the first had cleared that.
    @Test
    void whatOthersSayWhileNothingIsClearedIsClearedAfterThat() {
        var web = pod("web").build();
        var condition = PodCondition.of("PodScheduled", "False", "Unschedulable", "0/1");
        statuses.write(web, condition, "");
        whileSent =
                () -> {
                    whileSent = () -> {};
                    var nominated = web.toBuilder().nominatedNodeName("n").build();
                    statuses.write(nominated, condition, "");
                };
        runTasks();
        assertThat(happened).containsExactly("web: 0/1 ->", "web: 0/1 ->");
    }

    /// The watch may be quicker than the answer. Then every later attempt wrote the same again.
    @Test
    void whatWasSeenBeforeItsAnswerIsTrusted() {
        var web = pod("web").build();
        var said = web.toBuilder().nominatedNodeName("n").build();
        whileSent = () -> statuses.seen(said);
        nominate(web, "n");
        runTasks();
        nominate(said, "n");
        assertThat(tasks).isEmpty();
        assertThat(happened).containsExactly("web:  ->n at once", "told ", "told ");
    }

    /// Whether a write that was refused came about, nobody knows.
    @Test
    void whatMayNotHaveBeenWrittenIsSaidAgain() {
        var web = pod("web").build();
        var said = web.toBuilder().nominatedNodeName("n").build();
        isRefusing = true;
        nominate(web, "n");
        runTasks();
        isRefusing = false;
        happened.clear();
        nominate(said, "n");
        runTasks();
        assertThat(happened).containsExactly("web:  ->n at once", "told ");
    }

    @Test
    void whatWaitsForAPlaceIsNotCountedAsSent() {
        for (int i = 0; i < 2 * StatusWrites.MOST_AT_ONCE; i++) {
            fail(pod("p" + i).build(), "0/1");
        }
        assertThat(statuses.sent()).isZero();
        whileSent = () -> assertThat(statuses.sent()).isOne();
        runTasks();
    }
}
