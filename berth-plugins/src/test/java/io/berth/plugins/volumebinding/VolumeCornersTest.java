package io.berth.plugins.volumebinding;

import static io.berth.plugins.volumebinding.Fixtures.ZONE;
import static io.berth.plugins.volumebinding.Fixtures.claim;
import static io.berth.plugins.volumebinding.Fixtures.in;
import static io.berth.plugins.volumebinding.Fixtures.node;
import static io.berth.plugins.volumebinding.Fixtures.podWith;
import static io.berth.plugins.volumebinding.Fixtures.volume;
import static io.berth.plugins.volumebinding.Fixtures.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.label.Labels;
import io.berth.api.model.CsiNode;
import io.berth.api.model.PersistentVolume.ClaimReference;
import io.berth.api.model.PersistentVolumeBuilder;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.spec.Volume;
import io.berth.api.verdict.Refusal;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What a reading of upstream's source showed to be different in corners that random clusters do
/// not come to.
final class VolumeCornersTest {
    private static final String NO_VOLUME = VolumeJudge.REASONS.get(1);

    private final TestCluster cluster = new TestCluster();
    private final VolumeBinding plugin = new VolumeBinding(VolumeBindingArguments.DEFAULT, cluster);

    @BeforeEach
    void addNodes() {
        cluster.add(node("a1", "a"), node("b1", "b"));
    }

    private List<String> reasons(Pod pod, String node) {
        return PluginRun.of(cluster, plugin, pod).filter(node) instanceof Refusal refusal
                ? refusal.reasons()
                : List.of();
    }

    /// The annotation counts, whatever it says.
    @Test
    @Tag("VB-7")
    void selectedNodeWithoutANameLeadsNowhere() {
        cluster.add(waiting("wait", Fixtures.DRIVER), claim("c", "1Gi").selectedNode("").build());
        assertThat(reasons(podWith("c"), "a1")).containsExactly(NO_VOLUME);
    }

    @Nested
    @Tag("VB-9")
    final class ClaimThatAPodNamesTwice {
        private final Pod pod = podWith("c", "c");

        @BeforeEach
        void addClaim() {
            cluster.add(
                    waiting("wait", StorageClass.NO_PROVISIONER),
                    claim("c", "1Gi").build(),
                    kept("kept").build());
        }

        private PersistentVolumeBuilder kept(String name) {
            return volume(name, "1Gi").claim(new ClaimReference("default", "c", "u-c"));
        }

        @Test
        void needsTwoVolumesThoughOneIsKeptForIt() {
            assertThat(reasons(pod, "a1")).containsExactly(NO_VOLUME);
        }

        @Test
        void getsTheKeptOneAndOneThatIsFree() {
            cluster.add(volume("free", "1Gi").nodeAffinity(in(ZONE, "a")).build());
            assertThat(reasons(pod, "a1")).isEmpty();
            assertThat(reasons(pod, "b1")).containsExactly(NO_VOLUME);
        }

        @Test
        void getsBothThatAreKeptForIt() {
            cluster.add(kept("kept too").build());
            assertThat(reasons(pod, "a1")).isEmpty();
        }
    }

    @Nested
    @Tag("VB-17")
    final class Waiting {
        private final PodVolumes.Choice made =
                new PodVolumes.Choice(List.of(), List.of(claim("c", "1Gi").build()));

        private BoundVolumes awaited(PodVolumes.Choice choice) {
            return new BoundVolumes(
                    cluster,
                    new Reachable(cluster),
                    Duration.ofMinutes(1),
                    podWith("c"),
                    "a1",
                    choice,
                    List.of());
        }

        @BeforeEach
        void addPod() {
            cluster.objects.put(podWith("c"));
        }

        @Test
        void claimWithoutAnyAnnotation() {
            cluster.add(claim("c", "1Gi").build());
            assertThatThrownBy(() -> awaited(made).hasHappened())
                    .hasMessage("binding volumes: selectedNode annotation reset for PVC \"c\"");
            assertThat(cluster.brokenStages).containsExactly("bind");
        }

        @Test
        void claimWithOtherAnnotationsAlone() {
            cluster.add(claim("c", "1Gi").annotated(true).build());
            assertThatThrownBy(() -> awaited(made).hasHappened())
                    .hasMessage("binding volumes: provisioning failed for PVC \"c\"");
        }

        @Test
        void volumeThatTheNodesDriverHasNoWordsFor() {
            var disk =
                    volume("v", "1Gi")
                            .source(new Volume.GcePersistentDisk("disk", false))
                            .labels(Labels.of(ZONE, "a__b"))
                            .build();
            var claim = claim("c", "1Gi").build();
            cluster.add(new CsiNode("a1", List.of(), Set.of("kubernetes.io/gce-pd")), claim, disk);
            var choice =
                    new PodVolumes.Choice(
                            List.of(new PodVolumes.Binding(disk, claim, true)), List.of());
            assertThatThrownBy(() -> awaited(choice).hasHappened())
                    .hasMessageStartingWith(
                            "binding volumes: failed to translate pv to csi: could not translate"
                                    + " pv: failed to get region from zones");
        }

        @Test
        void whatIsTooLateIsCounted() {
            assertThat(awaited(made).lateMessage())
                    .isEqualTo("binding volumes: context deadline exceeded");
            assertThat(cluster.brokenStages).containsExactly("bind");
        }
    }

    @Test
    @Tag("VB-6")
    void nodeThatCannotBeJudgedIsCounted() {
        cluster.add(
                new CsiNode("a1", List.of(), Set.of("kubernetes.io/gce-pd")),
                claim("c", "1Gi").boundTo("v").build(),
                volume("v", "1Gi")
                        .source(new Volume.GcePersistentDisk("disk", false))
                        .labels(Labels.of(ZONE, "a__b"))
                        .build());
        assertThatThrownBy(() -> reasons(podWith("c"), "a1"))
                .hasMessageStartingWith("could not translate pv: ");
        assertThat(cluster.brokenStages).contains("predicate");
    }
}
