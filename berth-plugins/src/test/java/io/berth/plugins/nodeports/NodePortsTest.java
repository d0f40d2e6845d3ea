package io.berth.plugins.nodeports;

import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.node;
import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.Pod;
import io.berth.api.spec.Container;
import io.berth.api.spec.HostPort;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.Agreement;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NodePortsTest {
    private final NodePorts plugin = new NodePorts();

    private static Pod wanting(String name, String ip, String protocol, int port) {
        var ports = List.of(new HostPort(ip, protocol, port));
        return pod(
                name, spec().container(new Container("c", "i", Map.of(), Map.of(), ports, false)));
    }

    @Test
    @Tag("NP-3")
    void portsConflictByAddressProtocolAndNumber() {
        var cluster =
                new TestCluster()
                        .add(node("a").build(), wanting("used", "10.0.0.1", "TCP", 80).onNode("a"));
        assertThat(verdict(cluster, wanting("p", "", "TCP", 80))).isEqualTo(NodePorts.TAKEN);
        assertThat(verdict(cluster, wanting("p", "10.0.0.2", "TCP", 80))).isEqualTo(Verdict.PASS);
        assertThat(verdict(cluster, wanting("p", "10.0.0.1", "UDP", 80))).isEqualTo(Verdict.PASS);
        assertThat(verdict(cluster, wanting("p", "::", "TCP", 80))).isEqualTo(Verdict.PASS);
    }

    private Verdict verdict(TestCluster cluster, Pod pod) {
        return PluginRun.of(cluster, plugin, pod).filter("a");
    }

    @Test
    @Tag("NP-1")
    void sidecarsWantPortsAndPlainInitContainersDoNot() {
        var cluster =
                new TestCluster()
                        .add(node("a").build(), wanting("used", "", "TCP", 80).onNode("a"));
        var ports = List.of(new HostPort("", "TCP", 80));
        var sidecar = new Container("s", "i", Map.of(), Map.of(), ports, true);
        var plain = new Container("s", "i", Map.of(), Map.of(), ports, false);
        assertThat(verdict(cluster, pod("p", spec().initContainer(sidecar))))
                .isEqualTo(NodePorts.TAKEN);
        assertThat(verdict(cluster, pod("p", spec().initContainer(plain)))).isEqualTo(Verdict.PASS);
    }

    @Test
    @Tag("NP-4")
    @Tag("NP-5")
    void firstOfTwoHoldersToGoFreesThePort() {
        var first = wanting("first", "", "TCP", 80).onNode("a");
        var cluster =
                new TestCluster()
                        .add(
                                node("a").build(),
                                first,
                                wanting("second", "", "TCP", 80).onNode("a"));
        var pod = wanting("p", "", "TCP", 80);
        assertThat(verdict(cluster, pod)).isEqualTo(NodePorts.TAKEN);
        cluster.state.removePod(first);
        assertThat(verdict(cluster, pod)).isEqualTo(Verdict.PASS);
    }

    @Test
    @Tag("NP-2")
    void podWithoutHostPortsSkips() {
        var run = PluginRun.of(new TestCluster(), plugin, wanting("p", "", "TCP", 0));
        assertThat(run.preFilter()).isEqualTo(PreFilterVerdict.SKIP);
    }

    @Test
    @Tag("NP-6")
    void departureOfAPodWithThePortWakes() {
        var event = ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.DELETE);
        var waiting = wanting("p", "", "TCP", 80);
        var holder = wanting("q", "10.0.0.1", "TCP", 80);
        assertThat(hint(plugin, event, waiting, holder.onNode("a"), null)).isEqualTo(Hint.QUEUE);
        assertThat(
                        hint(
                                plugin,
                                event,
                                waiting,
                                holder.toBuilder().nominatedNodeName("a").build(),
                                null))
                .isEqualTo(Hint.QUEUE);
        assertThat(
                        hint(
                                plugin,
                                ClusterEvent.of(ClusterEvent.NODE, Action.ADD),
                                waiting,
                                null,
                                null))
                .isEqualTo(Hint.QUEUE);
    }

    @Test
    @Tag("NP-6")
    void otherDeparturesDoNotWake() {
        var event = ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.DELETE);
        var waiting = wanting("p", "", "TCP", 80);
        assertThat(hint(plugin, event, waiting, wanting("q", "", "TCP", 80), null))
                .isEqualTo(Hint.SKIP);
        assertThat(hint(plugin, event, waiting, wanting("q", "", "TCP", 81).onNode("a"), null))
                .isEqualTo(Hint.SKIP);
        assertThat(hint(plugin, event, waiting, pod("q").nodeName("a").build(), null))
                .isEqualTo(Hint.SKIP);
    }

    @Test
    void columnsAgreeWithPlainReading() {
        Agreement.check(
                2000,
                random -> {
                    var pod = random.pod();
                    var run = PluginRun.of(random.cluster, plugin, pod);
                    var expected = new LinkedHashMap<String, Verdict>();
                    for (var view : random.cluster.nodes().all()) {
                        expected.put(
                                view.name(), conflicts(pod, view) ? NodePorts.TAKEN : Verdict.PASS);
                    }
                    assertThat(run.filter()).isEqualTo(expected);
                });
    }

    private static boolean conflicts(Pod pod, NodeView view) {
        for (var wanted : portsOf(pod)) {
            for (var other : view.pods()) {
                for (var used : portsOf(other)) {
                    boolean sameAddress =
                            wanted.ip().equals(used.ip())
                                    || wanted.ip().equals("0.0.0.0")
                                    || used.ip().equals("0.0.0.0");
                    if (sameAddress
                            && wanted.port() == used.port()
                            && wanted.protocol().equals(used.protocol())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static List<HostPort> portsOf(Pod pod) {
        var ports = new ArrayList<HostPort>();
        pod.spec().initContainers().stream()
                .filter(Container::restartable)
                .forEach(container -> ports.addAll(container.hostPorts()));
        pod.spec().containers().forEach(container -> ports.addAll(container.hostPorts()));
        ports.removeIf(port -> port.port() <= 0);
        return ports;
    }
}
