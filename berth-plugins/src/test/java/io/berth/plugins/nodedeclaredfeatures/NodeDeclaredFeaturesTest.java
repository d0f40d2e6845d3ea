package io.berth.plugins.nodedeclaredfeatures;

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
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.Agreement;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NodeDeclaredFeaturesTest {
    private static final String RESTART = "RestartAllContainersOnContainerExits";
    private static final String USERS = "UserNamespacesHostNetworkSupport";

    private final NodeDeclaredFeatures plugin = new NodeDeclaredFeatures();
    private final Pod demanding = pod("p", spec().restartsAllContainers(true));
    private final Node able = node("a").declaredFeature(RESTART).build();
    private final Node unable = node("b").declaredFeature(USERS).build();

    @Test
    @Tag("ND-3")
    void podStaysOffNodesThatLackAFeature() {
        var cluster = new TestCluster().add(able, unable);
        assertThat(PluginRun.of(cluster, plugin, demanding).filter())
                .isEqualTo(Map.of("a", Verdict.PASS, "b", NodeDeclaredFeatures.FEATURE_MISSING));
    }

    @Test
    @Tag("ND-1")
    void featuresThatNobodyKnowsDoNoHarm() {
        var cluster =
                new TestCluster()
                        .add(
                                node("a")
                                        .declaredFeature("AFeatureOfTheFuture")
                                        .declaredFeature("InPlacePodLevelResourcesVerticalScaling")
                                        .declaredFeature(RESTART)
                                        .declaredFeature("ZFeatureOfTheFuture")
                                        .build());
        assertThat(PluginRun.of(cluster, plugin, demanding).filter("a")).isEqualTo(Verdict.PASS);
    }

    @Test
    @Tag("ND-2")
    void hostNetworkNeedsSupportOnlyWithItsOwnUsers() {
        var cluster = new TestCluster().add(able);
        var pod = pod("p", spec().hostNetwork(true).hostUsers(false));
        assertThat(PluginRun.of(cluster, plugin, pod).filter("a"))
                .isEqualTo(NodeDeclaredFeatures.FEATURE_MISSING);
        assertThat(PluginRun.of(cluster, plugin, pod("p", spec().hostNetwork(true))).preFilter())
                .isEqualTo(PreFilterVerdict.SKIP);
    }

    @Test
    @Tag("ND-4")
    void newOrChangedFeaturesWake() {
        var added = ClusterEvent.of(ClusterEvent.NODE, Action.ADD);
        var changed = ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_DECLARED_FEATURE);
        assertThat(hint(plugin, added, demanding, null, unable)).isEqualTo(Hint.QUEUE);
        assertThat(hint(plugin, changed, demanding, unable, able)).isEqualTo(Hint.QUEUE);
        assertThat(hint(plugin, changed, demanding, able, able)).isEqualTo(Hint.SKIP);
    }

    @Test
    @Tag("ND-4")
    void ownNeedsThatChangeWake() {
        var event = ClusterEvent.of(ClusterEvent.UNSCHEDULABLE_POD, Action.UPDATE_POD_LABEL);
        var modest = pod("p").build();
        assertThat(hint(plugin, event, demanding, demanding, modest)).isEqualTo(Hint.QUEUE);
        assertThat(hint(plugin, event, demanding, demanding, demanding)).isEqualTo(Hint.SKIP);
        var other = pod("q").build();
        assertThat(
                        hint(
                                plugin,
                                event,
                                demanding,
                                pod("q", spec().restartsAllContainers(true)),
                                other))
                .isEqualTo(Hint.SKIP);
    }

    @Test
    void columnsAgreeWithPlainReading() {
        Agreement.check(
                1000,
                random -> {
                    var pod = random.pod();
                    var run = PluginRun.of(random.cluster, plugin, pod);
                    var expected = new LinkedHashMap<String, Verdict>();
                    for (var view : random.cluster.nodes().all()) {
                        var has = view.node().declaredFeatures();
                        boolean ok =
                                (!pod.spec().restartsAllContainers() || has.contains(RESTART))
                                        && (pod.spec().hostUsers()
                                                || !pod.spec().hostNetwork()
                                                || has.contains(USERS));
                        expected.put(
                                view.name(),
                                ok ? Verdict.PASS : NodeDeclaredFeatures.FEATURE_MISSING);
                    }
                    assertThat(run.filter()).isEqualTo(expected);
                });
    }
}
