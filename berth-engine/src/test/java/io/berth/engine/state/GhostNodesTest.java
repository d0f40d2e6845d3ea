package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.names;
import static io.berth.engine.state.StateFixtures.node;
import static io.berth.engine.state.StateFixtures.nodeIn;
import static io.berth.engine.state.StateFixtures.pod;
import static io.berth.engine.state.StateFixtures.state;
import static io.berth.engine.state.StateFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-26")
class GhostNodesTest {
    private final ClusterState state = state();

    @AfterEach
    void stateEqualsRecount() {
        assertThat(state.recount()).isEmpty();
    }

    @Test
    void podOnAnUnknownNodeIsHeldButTheNodeIsNowhere() {
        state.addPod(pod("p", "x"));
        state.refresh();

        assertThat(state.nodeCountWithGhosts()).isEqualTo(1);
        assertThat(state.columns().nodeCount()).isZero();
        assertThat(state.columns().slotOf("x")).isEqualTo(-1);
        assertThat(state.nodes().all()).isEmpty();
        assertThat(state.nodes().byName("x")).isNull();
        assertThat(state.node("x")).isNull();
        assertThat(state.holdsNode(0)).isFalse();
        assertThatThrownBy(() -> state.view(0).node())
                .hasMessage("node x is not known, only pods on it");
    }

    @Test
    void nodeFindsThePodsThatCameBeforeIt() {
        state.addPod(pod("p", "x"));
        state.addNode(node("x"));

        assertThat(view(state, "x").pods()).hasSize(1);
        assertThat(view(state, "x").requested().cpuMillis()).isEqualTo(100);
        assertThat(view(state, "x").slot()).isZero();
    }

    @Test
    void removedNodeStaysAsAGhostUntilItsLastPodGoes() {
        state.addNode(node("x"));
        state.addPod(pod("p", "x"));
        state.removeNode(node("x"));
        state.refresh();

        assertThat(state.nodes().all()).isEmpty();
        assertThat(state.nodeCountWithGhosts()).isEqualTo(1);
        assertThat(state.columns().allocatableCpuMillis()[0]).isZero();
        assertThat(state.columns().requestedCpuMillis()[0]).isEqualTo(100);

        state.removePod(pod("p", "x"));

        assertThat(state.nodeCountWithGhosts()).isZero();
    }

    @Test
    void podUpdatesAreFollowedAfterTheNodeIsGone() {
        var p = pod("p", "x");
        state.addPod(p);
        state.updatePod(p, p.toBuilder().resourceVersion("2").build());

        assertThat(state.held(p).resourceVersion()).isEqualTo("2");
        assertThat(state.nodeCountWithGhosts()).isEqualTo(1);
    }

    @Test
    void removingAnUnknownNodeIsRefused() {
        assertThatThrownBy(() -> state.removeNode(node("x")))
                .isInstanceOf(StateException.class)
                .hasMessage("node x is not found");
    }

    @Test
    @Tag("E-29")
    void removingANodeThatIsOnlyAGhostIsRefusedWithItsZone() {
        state.addPod(pod("p", "x"));

        assertThatThrownBy(() -> state.removeNode(node("x")))
                .isInstanceOf(StateException.class)
                .hasMessage("node \"x\" in group \"\" was not found");
        var labels = Labels.of(Node.REGION_LABEL, "eu", Node.ZONE_LABEL, "z1");
        assertThatThrownBy(() -> state.removeNode(node("x").toBuilder().labels(labels).build()))
                .hasMessage("node \"x\" in group \"eu:\\x00:z1\" was not found");
    }

    @Test
    @Tag("E-27")
    void updateOfAnUnknownNodeAddsIt() {
        state.updateNode(nodeIn("z", "x"));
        state.refresh();

        assertThat(names(state.nodes().all())).containsExactly("x");
        assertThat(state.nodes().byName("x")).isSameAs(view(state, "x"));
    }
}
