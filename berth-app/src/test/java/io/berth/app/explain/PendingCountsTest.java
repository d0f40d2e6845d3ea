package io.berth.app.explain;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.spec.PodSpec;
import io.berth.app.metrics.ProcessMetrics;
import io.berth.engine.framework.ProfileSettings;
import io.berth.lab.explain.Category;
import io.berth.plugins.InTree;
import io.berth.serving.metrics.MetricsSettings;
import io.berth.testkit.TestScheduler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class PendingCountsTest {
    private final TestScheduler scheduler =
            TestScheduler.with(
                    InTree.factories(),
                    ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults()));

    private Map<PendingCounts.Key, Integer> counts() {
        return PendingCounts.of(scheduler.engine().queries());
    }

    @Test
    void podsAreCountedByWhatTheyWaitFor() {
        scheduler.add(node("n").cpu("1").build());
        scheduler.create(pod("big").uid("1").cpu("2").build());
        scheduler.create(pod("big-too").uid("2").cpu("3").build());
        scheduler.create(pod("picky").uid("3").nodeSelector("disk", "ssd").build());
        scheduler.create(pod("gated").uid("4").gate("wait").build());
        scheduler.settle();

        assertThat(counts())
                .containsOnly(
                        Map.entry(
                                new PendingCounts.Key(
                                        Category.WAITING_FOR_ROOM, "NodeResourcesFit"),
                                2),
                        Map.entry(
                                new PendingCounts.Key(Category.NO_SUITABLE_NODE, "NodeAffinity"),
                                1),
                        Map.entry(new PendingCounts.Key(Category.GATED, "SchedulingGates"), 1));
    }

    @Test
    void podThatFindsAPlaceIsCountedNoMore() {
        scheduler.create(pod("p").uid("1").cpu("1").build());
        scheduler.settle();
        assertThat(counts()).hasSize(1);
        scheduler.add(node("n").cpu("2").build());
        scheduler.pass(Duration.ofSeconds(30));
        scheduler.settle();
        assertThat(scheduler.nodeOf("default/p")).isEqualTo("n");
        assertThat(counts()).isEmpty();
    }

    @Test
    void countsAreReadWithTheOtherMetrics() {
        scheduler.add(node("n").cpu("1").build());
        scheduler.create(pod("big").uid("1").cpu("2").build());
        scheduler.settle();
        var metrics = new ProcessMetrics(MetricsSettings.DEFAULT);
        metrics.askForPending(() -> CompletableFuture.completedFuture(counts()));

        assertThat(new String(metrics.process().text(), StandardCharsets.UTF_8))
                .contains(
                        "berth_pending_pods{category=\"WaitingForRoom\",plugin=\"NodeResourcesFit\"} 1\n");
    }
}
