package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.asking;
import static io.berth.engine.state.StateFixtures.node;
import static io.berth.engine.state.StateFixtures.nodeIn;
import static io.berth.engine.state.StateFixtures.pod;
import static io.berth.engine.state.StateFixtures.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Node;
import io.berth.api.spec.Taint;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// That the check of the other tests can fail.
class RecountTest {
    private final ClusterState state = state();

    @BeforeEach
    void aPodOnANode() {
        state.addNode(nodeIn("z", "a"));
        state.addPod(pod("p", "a", asking("1")));
        assertThat(state.recount()).isEmpty();
    }

    @Test
    void wrongSumIsFound() {
        state.columns().requestedCpuMillis()[0]++;

        assertThat(state.recount()).containsExactly("a: requested cpu is 1001, but should be 1000");
    }

    @Test
    void wrongLabelIsFound() {
        state.columns().label(Node.ZONE_LABEL).valueIds()[0] = 0;

        assertThat(state.recount())
                .containsExactly("a: label topology.kubernetes.io/zone is null, but should be z");
    }

    @Test
    void leftoverInAFreeSlotIsFound() {
        state.columns().podCounts()[3] = 1;

        assertThat(state.recount()).containsExactly("free slot 3: pod count is 1, but should be 0");
    }

    @Test
    void wrongTaintsAreFound() {
        state.addNode(node("b").toBuilder().taint(new Taint("k", "v", "NoSchedule")).build());
        state.columns().taintSetIds()[1] = 0;

        assertThat(state.recount()).singleElement().asString().startsWith("b: taints is []");
    }
}
