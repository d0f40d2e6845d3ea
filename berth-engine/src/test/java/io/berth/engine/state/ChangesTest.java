package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.node;
import static io.berth.engine.state.StateFixtures.pod;
import static io.berth.engine.state.StateFixtures.state;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ChangesTest {
    private final ClusterState state = state();
    private final Changes changes = state.changes();

    @Test
    @Tag("E-16")
    void readerIsToldEachChangedSlotOnce() {
        state.addNode(node("a"));
        state.addNode(node("b"));
        state.addNode(node("c"));
        long known = changes.version();
        state.addPod(pod("p", "c"));
        state.addPod(pod("q", "a"));
        state.removePod(pod("p", "c"));
        state.updateNode(node("b"));

        assertThat(since(known, Changes.ANY)).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(since(known, Changes.PODS)).containsExactlyInAnyOrder(0, 2);
        assertThat(since(known, Changes.NODE)).containsExactly(1);
        assertThat(since(changes.version(), Changes.ANY)).isEmpty();
        assertThat(changes.changed(0, Changes.PODS, known)).isTrue();
        assertThat(changes.changed(0, Changes.NODE, known)).isFalse();
    }

    @Test
    void readerFarBehindIsToldTheSame() {
        state.addNode(node("a"));
        state.addNode(node("b"));
        long known = changes.version();
        for (int i = 0; i < 5000; i++) {
            state.updateNode(node("b"));
        }
        assertThat(since(known, Changes.ANY)).containsExactly(1);
        assertThat(since(known, Changes.PODS)).isEmpty();
        assertThat(since(0, Changes.ANY)).containsExactly(0, 1);
    }

    @Test
    void readerIsNotDisturbedByGrowth() {
        state.addNode(node("a"));
        long known = changes.version();
        state.addPod(pod("p", "a"));
        for (int i = 0; i < 2000; i++) {
            state.addNode(node("n" + i));
        }
        assertThat(since(known, Changes.ANY)).hasSize(2001);
        assertThat(since(known, Changes.PODS)).containsExactly(0);
    }

    @Test
    void tooShortAnArrayIsSaidSo() {
        state.addNode(node("a"));
        state.addNode(node("b"));

        assertThat(changes.since(0, Changes.ANY, new int[1])).isEqualTo(-1);
        assertThat(changes.since(0, Changes.ANY, new int[2])).isEqualTo(2);
    }

    @Test
    void whatAPluginSaysIsAChangeOfItsOwnKind() {
        changes.nodeChanged(1);
        long known = changes.version();
        changes.told(1);
        changes.told(0);
        assertThat(since(known, Changes.ANY)).containsExactlyInAnyOrder(0, 1);
        assertThat(since(known, Changes.NODE | Changes.PODS)).isEmpty();

        long all = changes.allToldVersion();
        changes.allTold();
        assertThat(changes.allToldVersion()).isGreaterThan(all);
    }

    @Test
    @Tag("E-16")
    void nodeCountHasItsOwnVersion() {
        long known = changes.nodeCountVersion();
        state.addNode(node("a"));
        assertThat(changes.nodeCountVersion()).isGreaterThan(known);

        known = changes.nodeCountVersion();
        state.updateNode(node("a"));
        state.addPod(pod("p", "ghost"));
        assertThat(changes.nodeCountVersion()).isEqualTo(known);

        state.removeNode(node("a"));
        assertThat(changes.nodeCountVersion()).isGreaterThan(known);
    }

    private int[] since(long known, int mask) {
        var slots = new int[state.columns().limit()];
        int count = changes.since(known, mask, slots);
        return Arrays.copyOf(slots, count);
    }
}
