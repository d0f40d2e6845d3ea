package io.berth.plugins.nodeunschedulable;

import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.node;
import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Toleration;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.Agreement;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NodeUnschedulableTest {
    private final NodeUnschedulable plugin = new NodeUnschedulable();
    private final Node open = node("a").build();
    private final Node closed = node("a").unschedulable(true).build();
    private final Pod waiting = pod("p").build();
    private final Pod tolerant =
            pod(
                    "p",
                    spec().toleration(
                                    new Toleration(
                                            "node.kubernetes.io/unschedulable",
                                            "Exists",
                                            "",
                                            "NoSchedule")));

    @Test
    @Tag("NU-1")
    void closedNodeTakesOnlyPodsThatTolerateIt() {
        var cluster = new TestCluster().add(closed, node("b").build());
        assertThat(PluginRun.of(cluster, plugin, waiting).filter())
                .isEqualTo(Map.of("a", NodeUnschedulable.UNSCHEDULABLE, "b", Verdict.PASS));
        assertThat(PluginRun.of(cluster, plugin, tolerant).filter())
                .isEqualTo(Map.of("a", Verdict.PASS, "b", Verdict.PASS));
    }

    @Test
    @Tag("NU-3")
    void nodeThatOpensWakes() {
        assertThat(nodes(Action.ADD, null, open)).isEqualTo(Hint.QUEUE);
        assertThat(nodes(Action.UPDATE_NODE_TAINT, closed, open)).isEqualTo(Hint.QUEUE);
    }

    @Test
    @Tag("NU-3")
    void otherNodesDoNotWake() {
        assertThat(nodes(Action.ADD, null, closed)).isEqualTo(Hint.SKIP);
        assertThat(nodes(Action.UPDATE_NODE_TAINT, open, open)).isEqualTo(Hint.SKIP);
        assertThat(nodes(Action.UPDATE_NODE_TAINT, open, closed)).isEqualTo(Hint.SKIP);
    }

    private Hint nodes(int action, @org.jspecify.annotations.Nullable Node before, Node after) {
        return hint(plugin, ClusterEvent.of(ClusterEvent.NODE, action), waiting, before, after);
    }

    @Test
    @Tag("NU-3")
    void ownTolerationWakesIfItHelps() {
        var event = ClusterEvent.of(ClusterEvent.UNSCHEDULABLE_POD, Action.UPDATE_POD_TOLERATION);
        assertThat(hint(plugin, event, waiting, waiting, tolerant)).isEqualTo(Hint.QUEUE);
        assertThat(hint(plugin, event, waiting, waiting, waiting)).isEqualTo(Hint.SKIP);
        var other = tolerant.toBuilder().uid("other").build();
        assertThat(hint(plugin, event, waiting, other, other)).isEqualTo(Hint.SKIP);
    }

    @Test
    void columnsAgreeWithPlainReading() {
        Agreement.check(
                2000,
                random -> {
                    var pod = random.pod();
                    var run = PluginRun.of(random.cluster, plugin, pod);
                    boolean tolerates =
                            pod.spec().tolerations().stream()
                                    .anyMatch(t ->
                                            t.tolerates(
                                                    new io.berth.api.spec.Taint(
                                                            "node.kubernetes.io/unschedulable",
                                                            "",
                                                            "NoSchedule")));
                    var expected = new LinkedHashMap<String, Verdict>();
                    for (var view : random.cluster.nodes().all()) {
                        expected.put(
                                view.name(),
                                view.node().unschedulable() && !tolerates
                                        ? NodeUnschedulable.UNSCHEDULABLE
                                        : Verdict.PASS);
                    }
                    assertThat(run.filter()).isEqualTo(expected);
                });
    }
}
