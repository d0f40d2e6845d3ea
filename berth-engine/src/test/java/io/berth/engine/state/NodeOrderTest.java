package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.AVOIDS_PODS;
import static io.berth.engine.state.StateFixtures.PREFERS_PODS;
import static io.berth.engine.state.StateFixtures.asking;
import static io.berth.engine.state.StateFixtures.names;
import static io.berth.engine.state.StateFixtures.node;
import static io.berth.engine.state.StateFixtures.nodeIn;
import static io.berth.engine.state.StateFixtures.pod;
import static io.berth.engine.state.StateFixtures.state;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeOrderTest {
    private final ClusterState state = state();

    @AfterEach
    void stateEqualsRecount() {
        assertThat(state.recount()).isEmpty();
    }

    @Test
    @Tag("E-184")
    @Tag("E-29")
    @Tag("E-30")
    void zonesTakeTurns() {
        for (var name : List.of("a", "b", "c")) {
            state.addNode(nodeIn("z1", name));
        }
        state.addNode(nodeIn("z2", "d"));
        state.addNode(nodeIn("z3", "e"));
        state.addNode(nodeIn("z3", "f"));
        assertThat(ordered()).containsExactly("a", "d", "e", "b", "f", "c");

        state.removeNode(nodeIn("z2", "d"));
        assertThat(ordered()).containsExactly("a", "e", "b", "f", "c");

        state.addNode(nodeIn("z2", "g"));
        assertThat(ordered()).containsExactly("a", "e", "g", "b", "f", "c");
    }

    @Test
    void slotsAndPositionsAgreeWithTheList() {
        state.addPod(pod("p", "ghost"));
        for (var name : List.of("a", "b", "c")) {
            state.addNode(node(name));
        }
        state.refresh();

        assertThat(state.orderCount()).isEqualTo(3);
        for (int i = 0; i < 3; i++) {
            assertThat(state.view(state.order()[i]).name())
                    .isEqualTo(state.nodes().all().get(i).name());
            assertThat(state.orderOf(state.order()[i])).isEqualTo(i);
        }
        assertThat(state.orderOf(0)).as("the ghost").isEqualTo(-1);
    }

    @ParameterizedTest
    @Tag("E-29")
    @CsvSource(
            nullValues = "-",
            value = {
                "-, -, -, -, ''",
                "eu, z1, -, -, eu|z1",
                "-, z1, -, -, |z1",
                "eu, -, -, -, eu|",
                "eu, z1, us, z9, us|z9",
                "eu, z1, -, z9, eu|z9",
                "eu, z1, '', '', ''",
            })
    void zoneKeyPrefersTheOldLabels(
            @Nullable String region,
            @Nullable String zone,
            @Nullable String oldRegion,
            @Nullable String oldZone,
            String key) {
        var labels = Labels.EMPTY;
        labels = region == null ? labels : labels.with(Node.REGION_LABEL, region);
        labels = zone == null ? labels : labels.with(Node.ZONE_LABEL, zone);
        labels =
                oldRegion == null
                        ? labels
                        : labels.with("failure-domain.beta.kubernetes.io/region", oldRegion);
        labels =
                oldZone == null
                        ? labels
                        : labels.with("failure-domain.beta.kubernetes.io/zone", oldZone);

        assertThat(NodeTree.zoneKey(node("n").toBuilder().labels(labels).build()))
                .isEqualTo(key.replace("|", ":\0:"));
    }

    @Nested
    @Tag("E-32")
    @Tag("E-182")
    class TheOrderIsStale {
        @Test
        void afterAChangeOfZoneUntilAnotherNodeComes() {
            state.addNode(nodeIn("z1", "a"));
            state.addNode(nodeIn("z1", "b"));
            state.addNode(nodeIn("z2", "c"));
            assertThat(ordered()).containsExactly("a", "c", "b");

            state.updateNode(nodeIn("z2", "a"));
            assertThat(ordered()).containsExactly("a", "c", "b");

            state.addNode(nodeIn("z1", "d"));
            assertThat(ordered()).containsExactly("b", "c", "d", "a");
        }

        @Test
        void afterANodeLeftAndCameBack() {
            for (var name : List.of("a", "b", "c")) {
                state.addNode(node(name));
            }
            assertThat(ordered()).containsExactly("a", "b", "c");

            state.removeNode(node("a"));
            state.removeNode(node("b"));
            state.addNode(node("a"));
            state.addNode(node("b"));
            assertThat(ordered()).containsExactly("a", "b", "c");

            state.removeNode(node("c"));
            assertThat(ordered()).containsExactly("a", "b");
        }

        @Test
        void notWhenTheAbsenceWasNoticed() {
            for (var name : List.of("a", "b")) {
                state.addNode(node(name));
            }
            state.removeNode(node("a"));
            assertThat(ordered()).containsExactly("b");

            state.addNode(node("a"));
            assertThat(ordered()).containsExactly("b", "a");
        }

        @Test
        void notAfterANodeThatCameAndWentUnseen() {
            state.addNode(nodeIn("z1", "a"));
            state.addNode(nodeIn("z2", "b"));
            assertThat(ordered()).containsExactly("a", "b");

            state.updateNode(nodeIn("z2", "a"));
            state.addNode(nodeIn("z1", "c"));
            state.removeNode(nodeIn("z1", "c"));
            assertThat(ordered()).containsExactly("a", "b");
        }
    }

    @Test
    @Tag("E-33")
    void nodesWithAffinityPodsAreListedInTheMainOrder() {
        for (var name : List.of("a", "b", "c")) {
            state.addNode(node(name));
        }
        state.refresh();
        var onC = pod("p", "c", asking("1").affinity(PREFERS_PODS));
        var onA = pod("q", "a", asking("1").affinity(AVOIDS_PODS));
        state.addPod(onC);
        state.addPod(onA);
        state.addPod(pod("r", "b"));

        assertThat(names(state.nodes().withAffinityPods())).containsExactly("a", "c");
        assertThat(names(state.nodes().withRequiredAntiAffinityPods())).containsExactly("a");

        state.removePod(onA);
        assertThat(names(state.nodes().withAffinityPods())).containsExactly("c");
        assertThat(state.nodes().withRequiredAntiAffinityPods()).isEmpty();
    }

    @Test
    void nodeOfAGhostsAffinityPodsIsListedOnlyWhileItIsKnown() {
        state.addPod(pod("p", "x", asking("1").affinity(AVOIDS_PODS)));
        state.refresh();
        assertThat(state.nodes().withAffinityPods()).isEmpty();

        state.addNode(node("x"));
        state.refresh();
        assertThat(names(state.nodes().withRequiredAntiAffinityPods())).containsExactly("x");

        state.removeNode(node("x"));
        assertThat(state.nodes().withAffinityPods()).isEmpty();

        state.addNode(node("x"));
        assertThat(names(state.nodes().withAffinityPods())).containsExactly("x");
    }

    /// Two nodes left, and one came back in the slot that the other had. The list had it once; the
    /// recount wanted it at the place of the other, too.
    @Test
    @Tag("E-33")
    void nodeThatCameBackInTheSlotOfAnotherIsListedOnce() {
        for (var name : List.of("a", "b", "c")) {
            state.addNode(node(name));
        }
        state.addPod(pod("p", "c", asking("1").affinity(AVOIDS_PODS)));
        state.refresh();
        int slot = state.order()[0];

        state.removeNode(node("b"));
        state.removeNode(node("a"));
        state.addNode(node("b"));
        state.addPod(pod("q", "b", asking("1").affinity(AVOIDS_PODS)));

        assertThat(state.columns().slotOf("b")).as("the slot that a had").isEqualTo(slot);
        assertThat(names(state.nodes().withAffinityPods())).containsExactly("b", "c");
        assertThat(state.recount()).isEmpty();
        assertThat(ordered()).containsExactly("c", "b");
    }

    private List<String> ordered() {
        state.refresh();
        return names(state.nodes().all());
    }
}
