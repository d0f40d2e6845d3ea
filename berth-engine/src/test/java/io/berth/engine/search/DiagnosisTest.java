package io.berth.engine.search;

import static io.berth.testkit.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Log;
import io.berth.api.verdict.Refusal;
import io.berth.engine.framework.Rejection;
import io.berth.engine.state.ClusterState;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class DiagnosisTest {
    private final ClusterState state = new ClusterState(Log.NONE);

    @BeforeEach
    void twelveNodes() {
        for (int i = 0; i < 12; i++) {
            state.addNode(node("n" + i).build());
        }
        state.refresh();
    }

    private NodeView at(int i) {
        return state.nodes().all().get(i);
    }

    private static Rejection by(String plugin, Refusal refusal) {
        return new Rejection(plugin, refusal);
    }

    private static Refusal pending(String reason) {
        return new Refusal(List.of(reason), Refusal.Remedy.PENDING);
    }

    @Test
    @Tag("E-109")
    @Tag("E-192")
    void reasonsAreCountedAndSortedAsText() {
        var diagnosis = new Diagnosis(12);
        for (int i = 0; i < 12; i++) {
            diagnosis.add(at(i), by("P", Refusal.mayPreempt(i < 10 ? "a" : "b")));
        }
        assertThat(diagnosis.message()).isEqualTo("0/12 nodes are available: 10 a, 2 b.");
    }

    @Test
    @Tag("E-109")
    void tenStandsBeforeTwo() {
        var diagnosis = new Diagnosis(12);
        for (int i = 0; i < 12; i++) {
            diagnosis.add(at(i), by("P", Refusal.mayPreempt(i < 10 ? "x" : "a")));
        }
        assertThat(diagnosis.message()).isEqualTo("0/12 nodes are available: 10 x, 2 a.");
    }

    @Test
    @Tag("E-109")
    void eachReasonOfANodeCounts() {
        var diagnosis = new Diagnosis(2);
        var both = new Refusal(List.of("cpu", "memory"), Refusal.Remedy.PREEMPTION_MAY_HELP);
        diagnosis.add(at(0), by("P", both));
        diagnosis.add(at(1), by("P", Refusal.mayPreempt("memory")));
        assertThat(diagnosis.message()).isEqualTo("0/2 nodes are available: 1 cpu, 2 memory.");
    }

    @Test
    @Tag("E-109")
    void reasonOfTheOthersCountsForAllThatAreNotNamed() {
        var diagnosis = new Diagnosis(12);
        diagnosis.add(at(0), by("P", Refusal.mayPreempt("full")));
        diagnosis.addOthers(Refusal.hopeless("elsewhere"), List.of());
        assertThat(diagnosis.message())
                .isEqualTo("0/12 nodes are available: 1 full, 11 elsewhere.");
    }

    @Test
    @Tag("E-109")
    void withoutReasonsNothingFollowsTheColon() {
        var diagnosis = new Diagnosis(2);
        assertThat(diagnosis.message()).isEqualTo("0/2 nodes are available:");
        diagnosis.postFilterMessage("not found");
        assertThat(diagnosis.message()).isEqualTo("0/2 nodes are available: not found");
    }

    @Test
    @Tag("E-109")
    void preFilterMessageStandsForAllNodes() {
        var diagnosis = new Diagnosis(2);
        diagnosis.addOthers(Refusal.mayPreempt("whole"), state.nodes().all());
        diagnosis.preFilterMessage("whole");
        diagnosis.postFilterMessage("no help");
        assertThat(diagnosis.message()).isEqualTo("0/2 nodes are available: whole. no help");
    }

    @Test
    @Tag("E-104")
    @Tag("E-192")
    void refusalOfTheChosenNodeIsASearchOverOneNode() {
        var diagnosis = Diagnosis.ofOneNode(by("P", Refusal.mayPreempt("taken")));
        assertThat(diagnosis.message()).isEqualTo("0/1 nodes are available: 1 taken.");
        assertThat(diagnosis.rejectors()).containsExactly("P");
    }

    @Test
    @Tag("E-22")
    void refusingPluginsAreCollectedAndPendingOnesTwice() {
        var diagnosis = new Diagnosis(4);
        diagnosis.add(at(0), by("A", Refusal.mayPreempt("a")));
        diagnosis.add(at(1), by("B", Refusal.hopeless("b")));
        diagnosis.add(at(2), by("C", pending("c")));
        diagnosis.add(at(3), by("", Refusal.mayPreempt("nobody")));
        assertThat(diagnosis.rejectors()).containsExactlyInAnyOrder("A", "B", "C");
        assertThat(diagnosis.pendingPlugins()).containsExactly("C");
    }

    @Test
    @Tag("E-23")
    void nodesThatWereNotJudgedAreHopelessUnlessSaidOtherwise() {
        var diagnosis = new Diagnosis(12);
        diagnosis.add(at(3), by("A", Refusal.mayPreempt("a")));
        diagnosis.add(at(1), by("A", Refusal.hopeless("b")));
        assertThat(diagnosis.ofOthers().remedy()).isEqualTo(Refusal.Remedy.NOTHING_HELPS);
        assertThat(diagnosis.of("n5")).isNull();
        assertThat(diagnosis.resolvableNodes()).extracting(NodeView::name).containsExactly("n3");
    }

    @Test
    @Tag("E-23")
    void wherePreFilterRefusedAllNodesMayBeHelped() {
        var diagnosis = new Diagnosis(12);
        diagnosis.addOthers(Refusal.mayPreempt("whole"), state.nodes().all());
        assertThat(diagnosis.resolvableNodes()).isEqualTo(state.nodes().all());
    }

    @Test
    @Tag("E-89")
    void nodeThatIsJudgedTwiceCountsOnce() {
        var diagnosis = new Diagnosis(12);
        diagnosis.add(at(0), by("A", Refusal.mayPreempt("a")));
        diagnosis.addAgain(at(0), by("B", Refusal.mayPreempt("b")));
        diagnosis.addAgain(at(1), by("B", Refusal.mayPreempt("b")));
        assertThat(diagnosis.explicitCount()).isEqualTo(2);
        assertThat(diagnosis.message()).isEqualTo("0/12 nodes are available: 2 b.");
        assertThat(diagnosis.rejectors()).containsExactly("A", "B");
    }
}
