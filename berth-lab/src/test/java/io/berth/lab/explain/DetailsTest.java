package io.berth.lab.explain;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.label.LabelSelector;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.engine.port.ClusterImage;
import io.berth.testkit.Nodes;
import io.berth.testkit.Pods;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is told beside the words of filters: which pods are in the way, which domain has too few.
final class DetailsTest {
    private static Nodes in(String zone, String name) {
        return node(name).cpu("4").zone(zone).label(Node.HOSTNAME_LABEL, name);
    }

    /// Why a node is refused.
    private static String why(Pods wanted, String node, ClusterObject... cluster) {
        var told = told(wanted, List.of(cluster));
        return told.nodes().stream()
                .filter(row -> row.node().name().equals(node))
                .flatMap(row -> row.details().stream())
                .map(Group.Detail::text)
                .reduce((a, b) -> a + "; " + b)
                .orElse("");
    }

    private static PodExplanation told(Pods wanted, List<ClusterObject> cluster) {
        var all = new ArrayList<>(cluster);
        var asked = wanted.build();
        all.add(asked);
        try (var study = FixesTest.study(ClusterImage.of(all))) {
            return study.explain(asked, Question.USUAL);
        }
    }

    @Test
    void aTakenPortIsToldWithWhoHasIt() {
        assertThat(
                        why(
                                pod("p").hostPort(8080),
                                "a",
                                in("x", "a").build(),
                                pod("holder").hostPort(8080).onNode("a").build()))
                .isEqualTo("port 8080/TCP is taken by default/holder");
    }

    @Test
    void aPodToKeepAwayFromIsNamedWhereverItIsInTheDomain() {
        var wanted = pod("p").away(Node.ZONE_LABEL, "app", "web");
        var there = pod("web-1").label("app", "web").onNode("b").build();
        assertThat(why(wanted, "a", in("x", "a").build(), in("x", "b").build(), there))
                .isEqualTo("default/web-1 (app=web) is in zone x");
    }

    @Test
    void aPodThatKeepsOthersAwayIsNamed() {
        var loner = pod("loner").away(Node.HOSTNAME_LABEL, "app", "web").onNode("a").build();
        assertThat(why(pod("p").label("app", "web"), "a", in("x", "a").build(), loner))
                .isEqualTo("default/loner wants no such pod on node a");
    }

    @Test
    void missingCompanyIsToldWithItsPlace() {
        var wanted = pod("p").near(Node.ZONE_LABEL, "app", "cache");
        assertThat(why(wanted, "a", in("x", "a").build())).isEqualTo("no pods app=cache in zone x");
        assertThat(why(wanted, "b", node("b").cpu("4").build()))
                .isEqualTo("no label " + Node.ZONE_LABEL);
    }

    @Test
    void aSkewIsToldWithTheDomainThatHasTheFewest() {
        var wanted =
                pod("p").label("app", "web")
                        .cpu("2")
                        .spread(1, Node.ZONE_LABEL, true, LabelSelector.matching("app", "web"));
        assertThat(
                        why(
                                wanted,
                                "a",
                                in("x", "a").build(),
                                in("y", "b").cpu("1").build(),
                                pod("w1").label("app", "web").onNode("a").build(),
                                pod("w2").label("app", "web").onNode("a").build(),
                                pod("w3").label("app", "web").onNode("b").build()))
                .isEqualTo("zone x would have 3, zone y has 1: skew 2, at most 1");
    }

    /// Where each node has another pod in the way, a group says what they have in common.
    @Test
    void aGroupIsToldByWhatItsNodesHaveInCommon() {
        var cluster = new ArrayList<ClusterObject>();
        for (int i = 0; i < 20; i++) {
            cluster.add(in("x", "n" + i).build());
            cluster.add(pod("holder-" + i).uid("u" + i).hostPort(8080).onNode("n" + i).build());
        }
        var groups = told(pod("p").hostPort(8080), cluster).groups();
        assertThat(groups).hasSize(1);
        assertThat(groups.getFirst().details())
                .containsExactly(
                        new Group.Detail(
                                "NodePorts",
                                "didn't have free ports for the requested pod ports",
                                20));
        assertThat(groups.getFirst().examples().getFirst().detail()).contains("is taken by");
    }
}
