package io.berth.plugins.nodevolumelimits;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView;
import io.berth.api.model.Pod;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Skip;
import io.berth.plugins.TestCycle;
import io.berth.plugins.volume.VolumeWorld;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The kept counts against a plain reading of the rules, in worlds that change by chance.
@Tag("VL-2")
@Tag("VL-4")
@Tag("VL-7")
@Tag("VL-8")
class LimitsReferenceTest {
    private static final int WORLDS = 250;
    private static final int CHANGES = 25;

    private int full;
    private int missing;
    private int passed;
    private int errors;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keptCountsJudgeAsTheRulesDo(boolean isScaling) {
        for (long seed = 1; seed <= WORLDS; seed++) {
            var world = new VolumeWorld(seed);
            if (isScaling) {
                world.cluster.features.add("VolumeLimitScaling");
            }
            var plugin = new NodeVolumeLimits(world.cluster);
            var plain = new PlainLimits(world, isScaling);
            for (int step = 0; step < CHANGES; step++) {
                world.change();
                world.cluster.state.refresh();
                compare(world, plugin, plain, "seed " + seed + " step " + step);
            }
        }
        assertThat(List.of(full, missing, passed, errors)).allMatch(count -> count > 50);
    }

    private void compare(
            VolumeWorld world, NodeVolumeLimits plugin, PlainLimits plain, String where) {
        var pod = world.pod();
        var cycle = new TestCycle();
        boolean isSkipped = plugin.preFilter(cycle, pod) instanceof Skip;
        for (var node : world.cluster.nodes().all()) {
            var expected = plain.judge(pod, node);
            var what = where + " " + pod + " on " + node.name();
            if (isSkipped) {
                assertThat(expected).as(what).isEmpty();
                continue;
            }
            count(expected);
            assertThat(judge(world, plugin, cycle, pod, node)).as(what).isEqualTo(expected);
            compareInThought(world, plugin, plain, pod, node, what);
        }
    }

    /// With some pods less and one more.
    private static void compareInThought(
            VolumeWorld world,
            NodeVolumeLimits plugin,
            PlainLimits plain,
            Pod pod,
            NodeView node,
            String what) {
        try (var scratch = world.cluster.state.scratch()) {
            scratch.copyOf(node.slot());
            for (var other : List.copyOf(node.pods())) {
                if (world.random.nextBoolean()) {
                    scratch.remove(other);
                }
            }
            if (world.random.nextBoolean()) {
                scratch.add(world.pod().onNode(node.name()));
            }
            assertThat(judge(world, plugin, new TestCycle(), pod, scratch.view()))
                    .as(what + " in thought")
                    .isEqualTo(plain.judge(pod, scratch.view()));
        }
    }

    private void count(String expected) {
        if (expected.isEmpty()) {
            passed++;
        } else if (expected.startsWith("error")) {
            errors++;
        } else if (expected.startsWith("looking up")) {
            missing++;
        } else {
            full++;
        }
    }

    private static String judge(
            VolumeWorld world, NodeVolumeLimits plugin, TestCycle cycle, Pod pod, NodeView node) {
        try {
            var judge = plugin.judge(cycle, pod, world.cluster.columns());
            var verdict = judge.explain(node.slot());
            assertThat(judge.passes(node.slot())).isEqualTo(!(verdict instanceof Refusal));
            return verdict instanceof Refusal refusal ? String.join(", ", refusal.reasons()) : "";
        } catch (IllegalStateException error) {
            return "error: " + error.getMessage();
        }
    }
}
