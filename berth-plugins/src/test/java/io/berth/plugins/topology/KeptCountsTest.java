package io.berth.plugins.topology;

import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.zoned;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.plugins.TestCluster;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeptCountsTest {
    private static final Domains ZONES = Domains.by(Node.ZONE_LABEL);
    private static final PodQuery APP_X =
            new PodQuery.Spread("default", LabelSelector.matching("app", "x"));

    private final TestCluster cluster =
            new TestCluster()
                    .add(
                            zoned("a", "a").build(),
                            zoned("b", "b").build(),
                            pod("early", "app", "x").nodeName("a").build());
    private final KeptCounts kept = KeptCounts.of(cluster);

    private int inZone(String zone) {
        var counts = kept.counts(APP_X, ZONES);
        return counts.get(cluster.columns().label(Node.ZONE_LABEL).idOf(zone));
    }

    @Test
    void followPodsThatComeAndGo() {
        assertThat(inZone("a")).isEqualTo(1);
        var late = pod("late", "app", "x").nodeName("a").build();
        cluster.add(late);
        assertThat(inZone("a")).isEqualTo(2);
        cluster.state.updatePod(late, late.toBuilder().labels(Labels.of("app", "y")).build());
        assertThat(inZone("a")).isEqualTo(1);
    }

    @Test
    void followNodesThatMoveComeAndGo() {
        inZone("a");
        cluster.add(zoned("a", "b").build());
        assertThat(inZone("a")).isZero();
        assertThat(inZone("b")).isEqualTo(1);
        cluster.state.removeNode(zoned("a", "b").build());
        assertThat(inZone("b")).isZero();
        cluster.add(pod("orphan", "app", "x").nodeName("a").build());
        cluster.add(zoned("a", "c").build());
        assertThat(inZone("c")).isEqualTo(2);
        assertThat(kept.counts(APP_X, ZONES).domains().domainCount()).isEqualTo(2);
    }

    @Test
    void manyDivisionsOfOneViewAreNotAllKept() {
        for (int i = 0; i < 100; i++) {
            kept.counts(APP_X, Domains.by("key" + i));
        }
        assertThat(kept.view(APP_X).divisions()).hasSizeLessThan(50);
        assertThat(inZone("a")).isEqualTo(1);
    }

    @Test
    void viewThatWasGivenUpIsCountedAnew() {
        inZone("a");
        for (int i = 0; i < 5000; i++) {
            kept.view(new PodQuery.Spread("default", LabelSelector.matching("app", "v" + i)));
        }
        cluster.add(pod("late", "app", "x").nodeName("a").build());
        assertThat(inZone("a")).isEqualTo(2);
    }

    /// Once a group kept every view that had ever counted it, until one of its pods came or went.
    @Test
    void idleGroupKeepsNoViewThatWasGivenUp() {
        var group = new EqualPods(EqualPods.Key.of(pod("idle", "app", "x").build()));
        for (int i = 0; i < 100; i++) {
            var view = new PodView(APP_X);
            group.join(view);
            view.drop();
        }
        assertThat(group.viewCount()).isEqualTo(1);
    }

    @Test
    void sparseCountsAgreeWithAMap() {
        var random = new Random(7);
        var counts = new SlotCounts();
        Map<Integer, Integer> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            int slot = random.nextInt(300);
            int change = random.nextBoolean() ? 1 : -expected.getOrDefault(slot, 0);
            counts.add(slot, change);
            expected.merge(slot, change, Integer::sum);
        }
        expected.values().removeIf(count -> count == 0);
        Map<Integer, Integer> seen = new HashMap<>();
        counts.forEach(seen::put);
        assertThat(seen).isEqualTo(expected);
        assertThat(counts.total())
                .isEqualTo(expected.values().stream().mapToInt(Integer::intValue).sum());
        expected.forEach((slot, count) -> assertThat(counts.get(slot)).isEqualTo(count));
        assertThat(counts.get(1000)).isZero();
    }
}
