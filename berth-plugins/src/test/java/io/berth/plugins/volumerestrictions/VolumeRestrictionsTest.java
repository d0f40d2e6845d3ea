package io.berth.plugins.volumerestrictions;

import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeView;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.AccessMode;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Volume;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Skip;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import io.berth.plugins.TestCycle;
import io.berth.plugins.volume.VolumeWorld;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VolumeRestrictionsTest {
    private final TestCluster cluster =
            new TestCluster().add(node("n").build(), node("other").build());
    private final VolumeRestrictions plugin = new VolumeRestrictions(cluster);

    private static Pod pod(String name, Volume.Source... sources) {
        return pod("ns", name, sources);
    }

    private static Pod pod(String namespace, String name, Volume.Source... sources) {
        var spec = PodSpec.builder();
        for (var source : sources) {
            spec.volume(new Volume("v", source));
        }
        return Pod.builder(namespace, name).uid(namespace + name).spec(spec.build()).build();
    }

    private static Volume.Source claim(String name) {
        return new Volume.Claim(name, false);
    }

    private static PersistentVolumeClaim claim(String name, AccessMode mode) {
        return PersistentVolumeClaim.named("ns", name).accessModes(mode).build();
    }

    record Pair(Volume.Source one, Volume.Source two, boolean isConflict) {}

    static Stream<Pair> pairs() {
        return Stream.of(
                new Pair(gce("a", false), gce("a", true), true),
                new Pair(gce("a", true), gce("a", true), false),
                new Pair(gce("a", false), gce("b", false), false),
                new Pair(ebs("a", true), ebs("a", true), true),
                new Pair(ebs("a", false), ebs("b", false), false),
                new Pair(iscsi("a", true), iscsi("a", false), true),
                new Pair(iscsi("a", true), iscsi("a", true), false),
                new Pair(iscsi("a", false), iscsi("b", false), false),
                new Pair(rbd("m1 m2", "p", "i", false), rbd("m2 m3", "p", "i", true), true),
                new Pair(rbd("m1 m2", "p", "i", true), rbd("m2 m3", "p", "i", true), false),
                new Pair(rbd("m1", "p", "i", false), rbd("m2", "p", "i", false), false),
                new Pair(rbd("m1", "p", "i", false), rbd("m1", "q", "i", false), false),
                new Pair(rbd("m1", "p", "i", false), rbd("m1", "p", "j", false), false),
                new Pair(gce("a", false), ebs("a", false), false));
    }

    private static Volume.Source gce(String name, boolean readOnly) {
        return new Volume.GcePersistentDisk(name, readOnly);
    }

    private static Volume.Source ebs(String name, boolean readOnly) {
        return new Volume.AwsElasticBlockStore(name, readOnly);
    }

    private static Volume.Source iscsi(String name, boolean readOnly) {
        return new Volume.Iscsi(name, readOnly);
    }

    private static Volume.Source rbd(String monitors, String pool, String image, boolean readOnly) {
        return new Volume.Rbd(List.of(monitors.split(" ", -1)), pool, image, readOnly);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @Tag("VR-3")
    @Tag("VR-4")
    void disksConflict(Pair pair) {
        cluster.add(pod("there", pair.one).onNode("n"));
        var verdicts = PluginRun.of(cluster, plugin, pod("p", pair.two)).filter();
        assertThat(verdicts)
                .containsEntry("n", pair.isConflict ? VolumeRestrictions.DISK_TAKEN : Verdict.PASS)
                .containsEntry("other", Verdict.PASS);
    }

    @Test
    @Tag("VR-1")
    void missingClaimIsHopeless() {
        assertThat(plugin.preFilter(new TestCycle(), pod("p", claim("c"))))
                .isEqualTo(Refusal.hopeless("persistentvolumeclaim \"c\" not found"));
    }

    @Test
    @Tag("VR-2")
    void podsThatNothingRestrictsAreSkipped() {
        cluster.add(
                claim("c", AccessMode.READ_WRITE_ONCE_POD),
                claim("d", AccessMode.READ_WRITE_ONCE),
                pod("there", claim("d")).onNode("n"));
        for (var pod :
                List.of(
                        pod("p"),
                        pod("p", claim("c"), claim("d")),
                        pod("p", new Volume.Ephemeral()),
                        pod("p", new Volume.Cinder("c")))) {
            assertThat(plugin.preFilter(new TestCycle(), pod)).isEqualTo(PreFilterVerdict.SKIP);
        }
        assertThat(plugin.preFilter(new TestCycle(), pod("p", ebs("a", true))))
                .isEqualTo(PreFilterVerdict.PASS);
    }

    @Test
    @Tag("VR-1")
    @Tag("VR-3")
    void claimForASinglePodIsTakenEverywhere() {
        cluster.add(
                claim("c", AccessMode.READ_WRITE_ONCE_POD), pod("there", claim("c")).onNode("n"));
        assertThat(PluginRun.of(cluster, plugin, pod("p", claim("c"))).filter())
                .containsEntry("n", VolumeRestrictions.CLAIM_TAKEN)
                .containsEntry("other", VolumeRestrictions.CLAIM_TAKEN);
    }

    @Test
    @Tag("VR-5")
    void takingTheOtherPodAwayInThoughtFreesTheClaim() {
        var there = pod("there", claim("c")).onNode("n");
        var stranger = pod("stranger", "other", claim("c")).onNode("n");
        cluster.add(claim("c", AccessMode.READ_WRITE_ONCE_POD), there);
        var pod = pod("p", claim("c"));
        var cycle = new TestCycle();
        assertThat(plugin.preFilter(cycle, pod)).isEqualTo(PreFilterVerdict.PASS);
        cluster.state.refresh();
        var copy = cycle.copy();
        plugin.podRemoved(copy, pod, there, cluster.view("n"));
        assertThat(judge(copy, pod, cluster.view("n"))).isEqualTo(Verdict.PASS);
        plugin.podAdded(copy, pod, stranger, cluster.view("n"));
        assertThat(judge(copy, pod, cluster.view("n")))
                .as("names alone are compared")
                .isEqualTo(VolumeRestrictions.CLAIM_TAKEN);
        assertThat(judge(cycle, pod, cluster.view("n")))
                .as("a copy is changed, not the note itself")
                .isEqualTo(VolumeRestrictions.CLAIM_TAKEN);
    }

    private Verdict judge(TestCycle cycle, Pod pod, NodeView node) {
        return PluginRun.verdict(plugin.judge(cycle, pod, cluster.columns()), node);
    }

    @Test
    @Tag("VR-6")
    void endOfAPodWithTheDiskOrTheClaimWakes() {
        var waiting = pod("p", gce("a", true), claim("c"));
        assertThat(afterPod(waiting, pod("g", gce("a", false)).onNode("n"))).isEqualTo(Hint.QUEUE);
        assertThat(afterPod(waiting, pod("g", gce("a", true)).onNode("n"))).isEqualTo(Hint.SKIP);
        assertThat(afterPod(waiting, pod("g", claim("c")).onNode("n"))).isEqualTo(Hint.QUEUE);
        assertThat(afterPod(waiting, pod("g", claim("d")).onNode("n"))).isEqualTo(Hint.SKIP);
        assertThat(afterPod(waiting, pod("x", "g", claim("c")).onNode("n"))).isEqualTo(Hint.SKIP);
        assertThat(afterPod(waiting, pod("g").onNode("n"))).isEqualTo(Hint.SKIP);
    }

    private Hint afterPod(Pod waiting, Pod gone) {
        return hint(
                plugin,
                ClusterEvent.of(ClusterEvent.ASSIGNED_POD, Action.DELETE),
                waiting,
                gone,
                null);
    }

    @Test
    @Tag("VR-6")
    void claimOfThePodWakes() {
        var waiting = pod("p", claim("c"), new Volume.Ephemeral());
        assertThat(afterClaim(waiting, PersistentVolumeClaim.named("ns", "c").build()))
                .isEqualTo(Hint.QUEUE);
        assertThat(afterClaim(waiting, PersistentVolumeClaim.named("ns", "p-v").build()))
                .isEqualTo(Hint.SKIP);
        assertThat(afterClaim(waiting, PersistentVolumeClaim.named("x", "c").build()))
                .isEqualTo(Hint.SKIP);
    }

    private Hint afterClaim(Pod waiting, PersistentVolumeClaim claim) {
        return hint(
                plugin,
                ClusterEvent.of(ClusterEvent.PERSISTENT_VOLUME_CLAIM, Action.ADD),
                waiting,
                null,
                claim);
    }

    /// The columns against a plain reading of the rules.
    @Test
    @Tag("VR-3")
    void columnsJudgeAsTheRulesDo() {
        int refused = 0;
        for (long seed = 1; seed <= 400; seed++) {
            var world = new VolumeWorld(seed);
            var restrictions = new VolumeRestrictions(world.cluster);
            for (int step = 0; step < 20; step++) {
                world.change();
                var pod = world.pod();
                var run = PluginRun.of(world.cluster, restrictions, pod);
                var before = run.preFilter();
                if (before instanceof Refusal || before instanceof Skip) {
                    continue;
                }
                boolean isTaken = isClaimTaken(world, pod);
                for (var node : world.cluster.nodes().all()) {
                    var expected =
                            isDiskTaken(pod, node)
                                    ? VolumeRestrictions.DISK_TAKEN
                                    : isTaken ? VolumeRestrictions.CLAIM_TAKEN : Verdict.PASS;
                    refused += expected instanceof Refusal ? 1 : 0;
                    assertThat(run.filter(node.name()))
                            .as("seed %d step %d %s on %s", seed, step, pod, node.name())
                            .isEqualTo(expected);
                }
            }
        }
        assertThat(refused).isGreaterThan(100);
    }

    private static boolean isClaimTaken(VolumeWorld world, Pod pod) {
        return pod.spec().volumes().stream()
                .map(Volume::source)
                .filter(Volume.Claim.class::isInstance)
                .map(source -> ((Volume.Claim) source).claimName())
                .filter(name -> {
                    var claim = world.claim(pod, name);
                    return claim != null
                            && claim.accessModes().contains(AccessMode.READ_WRITE_ONCE_POD);
                })
                .anyMatch(name ->
                        world.cluster.nodes().all().stream()
                                .anyMatch(node -> node.usesClaim(pod.namespace() + "/" + name)));
    }

    private static boolean isDiskTaken(Pod pod, NodeView node) {
        return node.pods().stream()
                .anyMatch(other ->
                        pod.spec().volumes().stream()
                                .anyMatch(mine ->
                                        other.spec().volumes().stream()
                                                .anyMatch(theirs ->
                                                        clash(mine.source(), theirs.source()))));
    }

    private static boolean clash(Volume.Source one, Volume.Source two) {
        if (one instanceof Volume.AwsElasticBlockStore a
                && two instanceof Volume.AwsElasticBlockStore b) {
            return a.volumeId().equals(b.volumeId());
        }
        if (one instanceof Volume.GcePersistentDisk a
                && two instanceof Volume.GcePersistentDisk b) {
            return a.name().equals(b.name()) && (!a.readOnly() || !b.readOnly());
        }
        if (one instanceof Volume.Iscsi a && two instanceof Volume.Iscsi b) {
            return a.iqn().equals(b.iqn()) && (!a.readOnly() || !b.readOnly());
        }
        return one instanceof Volume.Rbd a
                && two instanceof Volume.Rbd b
                && a.monitors().stream().anyMatch(b.monitors()::contains)
                && a.pool().equals(b.pool())
                && a.image().equals(b.image())
                && (!a.readOnly() || !b.readOnly());
    }
}
