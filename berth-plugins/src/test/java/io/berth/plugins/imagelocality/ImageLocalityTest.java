package io.berth.plugins.imagelocality;

import static io.berth.plugins.Samples.MIB;
import static io.berth.plugins.Samples.node;
import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.NodeImage;
import io.berth.api.model.Pod;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.Normalize;
import io.berth.api.plugin.PreScore;
import io.berth.api.spec.Container;
import io.berth.api.spec.Volume;
import io.berth.plugins.Agreement;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ImageLocalityTest {
    private final ImageLocality plugin = new ImageLocality();

    /// A cluster of `total` nodes; the first `count` of them have the image.
    private static TestCluster cluster(int total, Map<String, int[]> sizeAndCount) {
        var cluster = new TestCluster();
        for (int i = 0; i < total; i++) {
            var node = node("n" + i);
            for (var image : sizeAndCount.entrySet()) {
                if (i < image.getValue()[1]) {
                    node.image(new NodeImage(List.of(image.getKey()), image.getValue()[0] * MIB));
                }
            }
            cluster.add(node.build());
        }
        return cluster;
    }

    private static Pod running(String... images) {
        var spec = spec();
        for (var image : images) {
            spec.container(Container.of("c", image, Map.of()));
        }
        return pod("p", spec);
    }

    private long score(TestCluster cluster, Pod pod) {
        var scores = PluginRun.of(cluster, plugin, pod).rawScores();
        return scores == null ? -1 : scores.getOrDefault("n0", -1L);
    }

    @Test
    @Tag("IL-3")
    @Tag("IL-4")
    void scoreGrowsWithSizeAndSpread() {
        var web = running("web:1");
        assertThat(score(cluster(1, Map.of("web:1", new int[] {500, 1})), web)).isEqualTo(48);
        assertThat(score(cluster(4, Map.of("web:1", new int[] {500, 2})), web)).isEqualTo(23);
        assertThat(score(cluster(2, Map.of("web:1", new int[] {40, 1})), web)).isZero();
        assertThat(score(cluster(3, Map.of("web:1", new int[] {1500, 3})), web)).isEqualTo(100);
    }

    @Test
    @Tag("IL-1")
    @Tag("IL-4")
    void imageVolumesCountInTheSumOnly() {
        var cluster =
                cluster(
                        10,
                        Map.of(
                                "a:1", new int[] {600, 5},
                                "b:1", new int[] {300, 10},
                                "v:1", new int[] {900, 10}));
        assertThat(score(cluster, running("a:1", "b:1"))).isEqualTo(29);
        var withVolume =
                running("a:1", "b:1").spec().toBuilder()
                        .volume(new Volume("v", new Volume.Image("v:1")));
        assertThat(score(cluster, pod("p", withVolume))).isEqualTo(74);
    }

    @Test
    @Tag("IL-4")
    void eachContainerRaisesTheLimit() {
        var cluster = cluster(3, Map.of("a:1", new int[] {700, 1}));
        assertThat(score(cluster, running("a:1", "b:1", "c:1"))).isEqualTo(7);
    }

    @Test
    @Tag("IL-5")
    void scoresAsItIs() {
        assertThat((Object) plugin)
                .isNotInstanceOf(PreScore.class)
                .isNotInstanceOf(Normalize.class)
                .isNotInstanceOf(Events.class);
    }

    @Test
    @Tag("IL-2")
    void namesWithoutTagMeanLatest() {
        assertThat(ImageLocality.normalized("nginx")).isEqualTo("nginx:latest");
        assertThat(ImageLocality.normalized("reg:5000/app")).isEqualTo("reg:5000/app:latest");
        assertThat(ImageLocality.normalized("reg:5000/app:1")).isEqualTo("reg:5000/app:1");
        assertThat(ImageLocality.normalized("app@sha256:ab")).isEqualTo("app@sha256:ab");
    }

    @Test
    void scorerAgreesWithPlainReading() {
        Agreement.check(
                2000,
                random -> {
                    var pod = random.pod();
                    var run = PluginRun.of(random.cluster, plugin, pod);
                    var expected = new LinkedHashMap<String, Long>();
                    for (var view : random.cluster.nodes().all()) {
                        double sum = 0;
                        for (var list :
                                List.of(pod.spec().initContainers(), pod.spec().containers())) {
                            for (var container : list) {
                                sum += bytes(random.cluster, view.images(), container.image());
                            }
                        }
                        for (var volume : pod.spec().volumes()) {
                            if (volume.source() instanceof Volume.Image(var reference)) {
                                sum += bytes(random.cluster, view.images(), reference);
                            }
                        }
                        long count =
                                (long) pod.spec().initContainers().size()
                                        + pod.spec().containers().size();
                        long max = 1000 * MIB * count;
                        long clamped = Math.clamp((long) sum, 23 * MIB, max);
                        expected.put(view.name(), 100 * (clamped - 23 * MIB) / (max - 23 * MIB));
                    }
                    assertThat(run.rawScores()).isEqualTo(expected);
                });
    }

    private static long bytes(
            TestCluster cluster,
            Map<String, io.berth.api.column.NodeView.ImageState> images,
            String image) {
        var name = image.indexOf(':', image.indexOf('/') + 1) < 0 ? image + ":latest" : image;
        var state = images.get(name);
        return state == null
                ? 0
                : (long)
                        (state.sizeBytes()
                                * ((double) state.nodeCount() / cluster.columns().nodeCount()));
    }
}
