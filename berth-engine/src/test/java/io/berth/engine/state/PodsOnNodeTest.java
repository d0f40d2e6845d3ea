package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.AVOIDS_PODS;
import static io.berth.engine.state.StateFixtures.PREFERS_PODS;
import static io.berth.engine.state.StateFixtures.affinity;
import static io.berth.engine.state.StateFixtures.asking;
import static io.berth.engine.state.StateFixtures.node;
import static io.berth.engine.state.StateFixtures.pod;
import static io.berth.engine.state.StateFixtures.podNames;
import static io.berth.engine.state.StateFixtures.state;
import static io.berth.engine.state.StateFixtures.view;
import static io.berth.engine.state.StateFixtures.withClaims;
import static io.berth.engine.state.StateFixtures.withPorts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.amount.Quantity;
import io.berth.api.amount.Resources;
import io.berth.api.column.NodeView;
import io.berth.api.spec.Container;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.PodRequests;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Volume;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PodsOnNodeTest {
    private final ClusterState state = state();
    private NodeView a = new SlotNode(new Columns(new Slots(1, 0)), new ImageTable(), 0, "");

    @BeforeEach
    void oneNode() {
        state.addNode(node("a"));
        a = view(state, "a");
    }

    @AfterEach
    void stateEqualsRecount() {
        assertThat(state.recount()).isEmpty();
    }

    @Test
    @Tag("E-14")
    @Tag("E-182")
    void removedPodsPlaceIsTakenByTheLastOne() {
        for (var name : List.of("p", "q", "r", "s")) {
            state.addPod(pod(name, "a"));
        }
        state.removePod(pod("q", "a"));
        assertThat(podNames(a.pods())).containsExactly("p", "s", "r");

        state.removePod(pod("r", "a"));
        assertThat(podNames(a.pods())).containsExactly("p", "s");
    }

    @Test
    @Tag("E-14")
    void removingAPodThatIsNotOnTheNodeIsRefused() {
        try (var scratch = state.scratch()) {
            scratch.copyOf(0);
            assertThatThrownBy(() -> scratch.remove(pod("p", "a")))
                    .isInstanceOf(StateException.class)
                    .hasMessage("no corresponding pod p in pods of node a");
        }
    }

    @Test
    @Tag("H-6")
    @Tag("E-13")
    void requestsAddUp() {
        var gpu = "example.com/gpu";
        state.addPod(
                pod(
                        "p",
                        "a",
                        PodSpec.builder()
                                .container(
                                        Container.of(
                                                "main",
                                                "img",
                                                Map.of(
                                                        "cpu",
                                                        Quantity.parse("250m"),
                                                        "ephemeral-storage",
                                                        Quantity.of(7),
                                                        gpu,
                                                        Quantity.of(2))))));
        state.addPod(pod("q", "a", asking("1")));

        assertThat(a.requested()).isEqualTo(new Resources(1250, 0, 7, 0, Map.of(gpu, 2L)));
        assertThat(a.nonZeroCpuMillis()).isEqualTo(1250);
        assertThat(a.nonZeroMemoryBytes()).isEqualTo(2 * PodRequests.DEFAULT_MEMORY_BYTES);
        assertThat(state.columns().podCounts()[0]).isEqualTo(2);
        assertThat(state.columns().scalar(gpu).requested()[0]).isEqualTo(2);

        state.removePod(pod("p", "a"));
        assertThat(a.requested()).isEqualTo(new Resources(1000, 0, 0, 0, Map.of()));
        assertThat(state.columns().scalar(gpu).requested()[0]).isZero();
    }

    @Test
    @Tag("H-6")
    @Tag("E-13")
    void affinityListsHoldThePodsWithAffinity() {
        state.addPod(pod("plain", "a"));
        state.addPod(pod("empty", "a", asking("1").affinity(affinity(List.of(), List.of()))));
        state.addPod(pod("likes", "a", asking("1").affinity(PREFERS_PODS)));
        state.addPod(pod("avoids", "a", asking("1").affinity(AVOIDS_PODS)));

        assertThat(podNames(a.podsWithAffinity())).containsExactly("empty", "likes", "avoids");
        assertThat(podNames(a.podsWithRequiredAntiAffinity())).containsExactly("avoids");

        state.removePod(pod("empty", "a"));
        assertThat(podNames(a.podsWithAffinity())).containsExactly("avoids", "likes");
    }

    @Test
    @Tag("E-12")
    void portsAreASetSoTheFirstToLeaveFreesASharedOne() {
        var port = new HostPort("", "", 80);
        state.addPod(pod("p", "a", withPorts(port, new HostPort("10.0.0.1", "UDP", 53))));
        state.addPod(pod("q", "a", withPorts(port)));
        assertThat(a.usedPorts())
                .containsExactlyInAnyOrder(
                        new HostPort("0.0.0.0", "TCP", 80), new HostPort("10.0.0.1", "UDP", 53));

        state.removePod(pod("p", "a"));
        assertThat(a.usedPorts()).isEmpty();

        var q = pod("q", "a", withPorts(port));
        state.updatePod(q, q);
        assertThat(a.usedPorts()).containsExactly(port);
    }

    @Test
    @Tag("E-11")
    @Tag("E-12")
    void portsOfSidecarsCountAndThoseOfPlainInitContainersDoNot() {
        var spec =
                PodSpec.builder()
                        .initContainer(init("plain", 1, false))
                        .initContainer(init("sidecar", 2, true))
                        .container(init("main", 3, false))
                        .container(init("none", 0, false));
        state.addPod(pod("p", "a", spec));

        assertThat(a.usedPorts().stream().map(HostPort::port)).containsExactlyInAnyOrder(2, 3);
    }

    private static Container init(String name, int port, boolean restartable) {
        return new Container(
                name, "", Map.of(), Map.of(), List.of(new HostPort("", "", port)), restartable);
    }

    @Test
    @Tag("E-15")
    @Tag("E-33")
    void claimsAreCounted() {
        state.addPod(pod("p", "a", withClaims("data", "data", "other")));
        state.addPod(pod("q", "a", withClaims("data")));
        state.removePod(pod("p", "a"));

        assertThat(a.usesClaim("default/data")).isTrue();
        assertThat(a.usesClaim("default/other")).isFalse();
        assertThat(state.isClaimInUse("default/data")).isTrue();
        assertThat(state.isClaimInUse("default/other")).isFalse();

        state.removePod(pod("q", "a"));
        assertThat(a.usesClaim("default/data")).isFalse();
        assertThat(state.isClaimInUse("default/data")).isFalse();
    }

    @Test
    @Tag("E-15")
    void ephemeralVolumesAreNotCounted() {
        var volume = new Volume("v", new Volume.Ephemeral());
        state.addPod(pod("p", "a", PodSpec.builder().volume(volume)));

        assertThat(a.usesClaim("default/p-v")).isFalse();
    }

    @Test
    @Tag("E-33")
    void claimIsInUseOnlyOnKnownNodes() {
        state.addPod(pod("p", "x", withClaims("data")));
        assertThat(state.isClaimInUse("default/data")).isFalse();

        state.addNode(node("x"));
        assertThat(state.isClaimInUse("default/data")).isTrue();

        state.removeNode(node("x"));
        assertThat(state.isClaimInUse("default/data")).isFalse();

        state.removePod(pod("p", "x"));
        assertThat(state.nodeCountWithGhosts()).isEqualTo(1);
    }
}
