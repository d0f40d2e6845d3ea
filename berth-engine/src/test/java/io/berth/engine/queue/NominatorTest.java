package io.berth.engine.queue;

import static io.berth.engine.queue.QueueBed.on;
import static io.berth.engine.queue.QueueBed.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.label.Labels;
import io.berth.api.model.Pod;
import io.berth.engine.queue.QueueBed.Listener;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-63")
class NominatorTest {
    private final QueueBed bed =
            new QueueBed(Listener.of("Fit", on(ClusterEvent.NODE, Action.ADD)));
    private final Nominator nominator = bed.queue.nominator();
    private final Pod a = pod("a", 7);
    private final Pod b = pod("b");

    private static Pod nominated(Pod pod, String node) {
        return pod.toBuilder().nominatedNodeName(node).build();
    }

    @BeforeEach
    void podsAreKnown() {
        bed.known.put(a.key(), a);
        bed.known.put(b.key(), b);
    }

    @Test
    void podsOfANodeComeInTheOrderOfNomination() {
        bed.add(b, a);
        nominator.nominate(a, "n1");
        nominator.nominate(b, "n1");

        assertThat(nominator.on("n1")).containsExactly(a, b);
        assertThat(nominator.on("n2")).isEmpty();
        assertThat(nominator.nodeOf("uid-a")).hasValue("n1");
    }

    @Test
    void newNominationReplacesTheOld() {
        nominator.nominate(a, "n1");
        nominator.nominate(b, "n1");
        nominator.nominate(a, "n2");
        nominator.nominate(a, "n1");

        assertThat(nominator.on("n1")).extracting(Pod::name).containsExactly("b", "a");
        assertThat(nominator.on("n2")).isEmpty();
    }

    /// The status was cleared before a preemption made room elsewhere, and tells of that only now.
    @Test
    void newsOfAnEarlierClearTakeNoNewerNominationAway() {
        var before = nominated(a, "n1");
        nominator.nominate(before, "n2");
        nominator.update(before, a);
        assertThat(nominator.nodeOf("uid-a")).hasValue("n2");

        nominator.update(a, nominated(a, "n2"));
        assertThat(nominator.nodeOf("uid-a")).hasValue("n2");
        nominator.update(nominated(a, "n2"), a);
        assertThat(nominator.nodeOf("uid-a")).as("cleared after it was told").isEmpty();
    }

    @Test
    void changeOfAPodWhoseStatusStillHasTheFormerNodeKeepsTheNewerNomination() {
        var before = nominated(a, "n1");
        nominator.nominate(before, "n2");
        nominator.update(before, nominated(a, "n1"));
        assertThat(nominator.nodeOf("uid-a")).hasValue("n2");
        nominator.update(before, nominated(a, "n3"));
        assertThat(nominator.nodeOf("uid-a")).as("somebody else's word").hasValue("n3");
    }

    @Test
    void emptyNodeTakesTheNominationAway() {
        nominator.nominate(a, "n1");
        nominator.nominate(a, "");

        assertThat(nominator.isEmpty()).isTrue();
        assertThat(nominator.on("")).isEmpty();
    }

    @Test
    void statusNominatesWhereItNamesANode() {
        nominator.nominateByStatus(a);
        assertThat(nominator.isEmpty()).isTrue();

        nominator.nominateByStatus(nominated(a, "n1"));
        assertThat(nominator.nodeOf("uid-a")).hasValue("n1");

        nominator.nominateByStatus(a);
        assertThat(nominator.isEmpty()).isTrue();
    }

    @Test
    void podThatIsGoneIsNotNominated() {
        nominator.nominate(a, "n1");
        bed.known.remove(a.key());
        nominator.nominate(a, "n2");

        assertThat(nominator.isEmpty()).isTrue();
        assertThat(bed.log.infos())
                .endsWith(
                        "Pod doesn't exist in podLister, aborted adding it to the nominator"
                                + " [pod, ns/a]");
    }

    @Test
    void podThatHasANodeIsNotNominated() {
        bed.known.put(a.key(), a.onNode("n9"));
        nominator.nominate(a, "n1");

        assertThat(nominator.isEmpty()).isTrue();
        assertThat(bed.log.infos())
                .endsWith(
                        "Pod is already scheduled to a node, aborted adding it to the nominator"
                                + " [pod, ns/a, node, n9]");
    }

    @Test
    void updateKeepsANominationThatTheStatusHasNotHeardOf() {
        nominator.nominate(a, "n1");
        var changed = a.toBuilder().labels(Labels.of("x", "y")).build();

        nominator.update(a, changed);

        assertThat(nominator.nodeOf("uid-a")).hasValue("n1");
    }

    @Test
    void updateFollowsTheStatus() {
        nominator.nominate(a, "n1");

        nominator.update(a, nominated(a, "n2"));
        assertThat(nominator.nodeOf("uid-a")).hasValue("n2");

        nominator.update(nominated(a, "n2"), nominated(a, "n3"));
        assertThat(nominator.nodeOf("uid-a")).hasValue("n3");

        nominator.update(nominated(a, "n3"), a);
        assertThat(nominator.nodeOf("uid-a")).isEmpty();
    }

    @Test
    void bodyComesFromWhereverThePodWaits() {
        bed.add(a);
        nominator.nominate(a, "n1");
        assertThat(nominator.on("n1")).containsExactly(a);

        var info = bed.pop();
        // In flight: only its identity is known.
        assertThat(nominator.on("n1"))
                .singleElement()
                .satisfies(bare -> {
                    assertThat(bare.uid()).isEqualTo("uid-a");
                    assertThat(bare.key()).isEqualTo("ns/a");
                    assertThat(bare.spec().priority()).isZero();
                });

        bed.fail(info, "Fit");
        assertThat(nominator.on("n1")).containsExactly(a);

        bed.queue.moveAll(QueueBed.NODE_ADDED, null, QueueBed.NODE);
        assertThat(bed.subQueueOf("a")).isEqualTo(SubQueue.BACKOFF);
        assertThat(nominator.on("n1")).containsExactly(a);
    }

    @Test
    void listIsACopy() {
        nominator.nominate(a, "n1");
        var before = nominator.on("n1");
        nominator.remove(a);

        assertThat(before).hasSize(1);
        assertThat(nominator.on("n1")).isEqualTo(List.of());
        nominator.remove(a);
    }
}
