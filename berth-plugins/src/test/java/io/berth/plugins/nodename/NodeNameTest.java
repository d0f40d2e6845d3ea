package io.berth.plugins.nodename;

import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.node;
import static io.berth.plugins.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import io.berth.plugins.TestCycle;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class NodeNameTest {
    private final NodeName plugin = new NodeName();
    private final TestCluster cluster = new TestCluster().add(node("a").build(), node("b").build());

    @Test
    @Tag("NN-1")
    void podStaysOnTheNodeItNames() {
        assertThat(PluginRun.of(cluster, plugin, pod("p").nodeName("a").build()).filter())
                .isEqualTo(Map.of("a", Verdict.PASS, "b", NodeName.OTHER_NODE));
    }

    @Test
    @Tag("NN-1")
    void podThatNamesNoNodeIsNotLookedAt() {
        assertThat(plugin.judge(new TestCycle(), pod("p").build(), cluster.columns()))
                .isSameAs(SlotJudge.PASS_ALL);
    }

    @Test
    @Tag("NN-2")
    void newNodeWakesAndAChangedOneDoesNot() {
        var waiting = pod("p").build();
        var node = node("a").build();
        assertThat(
                        hint(
                                plugin,
                                ClusterEvent.of(ClusterEvent.NODE, Action.ADD),
                                waiting,
                                null,
                                node))
                .isEqualTo(Hint.QUEUE);
        assertThat(
                        hint(
                                plugin,
                                ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_LABEL),
                                waiting,
                                node,
                                node))
                .isEqualTo(Hint.SKIP);
    }
}
