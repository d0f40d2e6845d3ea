package io.berth.plugins.volumebinding;

import static io.berth.plugins.volumebinding.Fixtures.DRIVER;
import static io.berth.plugins.volumebinding.Fixtures.ZONE;
import static io.berth.plugins.volumebinding.Fixtures.capacity;
import static io.berth.plugins.volumebinding.Fixtures.claim;
import static io.berth.plugins.volumebinding.Fixtures.in;
import static io.berth.plugins.volumebinding.Fixtures.node;
import static io.berth.plugins.volumebinding.Fixtures.podWith;
import static io.berth.plugins.volumebinding.Fixtures.volume;
import static io.berth.plugins.volumebinding.Fixtures.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.model.CsiDriver;
import io.berth.api.plugin.Arguments;
import io.berth.api.plugin.FeasibleNodes;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import io.berth.plugins.noderesources.BrokenLinear;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class VolumeScoreTest {
    private final TestCluster cluster = new TestCluster();

    private VolumeBinding plugin() {
        return new VolumeBinding(VolumeBindingArguments.DEFAULT, cluster);
    }

    private long score(String node, String... claims) {
        var plugin = plugin();
        var run = PluginRun.of(cluster, plugin, podWith(claims));
        run.preFilter();
        return plugin.scorer(run.cycle(), podWith(claims), cluster.columns())
                .score(cluster.view(node).slot());
    }

    private boolean preScore() {
        var plugin = plugin();
        var run = PluginRun.of(cluster, plugin, podWith());
        run.preFilter();
        return plugin.preScore(run.cycle(), podWith(), FeasibleNodes.of(List.of()));
    }

    private void scored() {
        cluster.features.add(VolumeBinding.SCORING);
        cluster.add(node("a1", "a"), node("b1", "b"), waiting("wait", DRIVER));
    }

    @Test
    @Tag("VB-13")
    void storageCountsOnlyBehindItsGate() {
        assertThat(preScore()).isFalse();
        scored();
        assertThat(preScore()).isTrue();
        assertThat(score("a1")).as("a pod without claims").isZero();
    }

    @Test
    @Tag("VB-14")
    void emptierStorageScoresMore() {
        scored();
        cluster.add(
                new CsiDriver(DRIVER, true, false),
                claim("c", "1Gi").build(),
                capacity("a", "a", "10Gi"),
                capacity("b", "b", "2Gi"));
        assertThat(score("a1", "c")).isEqualTo(90);
        assertThat(score("b1", "c")).isEqualTo(50);
    }

    @Test
    @Tag("VB-14")
    void roomForSeveralClaimsCountsOnce() {
        scored();
        cluster.add(
                new CsiDriver(DRIVER, true, false),
                claim("c", "1Gi").build(),
                claim("d", "4Gi").build(),
                capacity("a", "a", "10Gi"));
        assertThat(score("a1", "c", "d")).isEqualTo(50);
    }

    @Test
    @Tag("VB-14")
    void volumesThatAreThereCountAlone() {
        scored();
        cluster.add(
                new CsiDriver(DRIVER, true, false),
                claim("c", "1Gi").build(),
                claim("d", "9Gi").build(),
                volume("v", "4Gi").nodeAffinity(in(ZONE, "a")).build(),
                capacity("a", "a", "10Gi"));
        assertThat(score("a1", "c", "d")).isEqualTo(75);
    }

    @Test
    @Tag("VB-14")
    void roomThatNobodyTellsOfDoesNotCount() {
        scored();
        cluster.add(claim("c", "1Gi").build());
        assertThat(score("a1", "c")).isZero();
    }

    @Test
    @Tag("VB-1")
    void argumentsHaveTheirDefaults() {
        assertThat(VolumeBindingArguments.parse(Arguments.NONE))
                .isEqualTo(new VolumeBindingArguments(Duration.ofMinutes(10), List.of()));
        assertThat(VolumeBindingArguments.DEFAULT_SHAPE)
                .containsExactly(new BrokenLinear.Point(0, 10), new BrokenLinear.Point(100, 0));
        assertThat(
                        VolumeBindingArguments.parse(
                                new Arguments(
                                        Map.of(
                                                "bindTimeoutSeconds",
                                                30,
                                                "shape",
                                                List.of(Map.of("utilization", 0, "score", 5))))))
                .isEqualTo(
                        new VolumeBindingArguments(
                                Duration.ofSeconds(30), List.of(new BrokenLinear.Point(0, 5))));
    }

    @Test
    @Tag("VB-1")
    void negativeTimeIsRefused() {
        assertThatThrownBy(() ->
                        VolumeBindingArguments.parse(
                                new Arguments(Map.of("bindTimeoutSeconds", -1))))
                .hasMessageContaining("invalid BindTimeoutSeconds, should not be a negative value");
    }
}
