package io.berth.plugins.volumezone;

import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.label.Labels;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.spec.NodeSelector;
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
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VolumeZoneTest {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String REGION = "topology.kubernetes.io/region";
    private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
    private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";

    private final TestCluster cluster = new TestCluster();
    private final VolumeZone plugin = new VolumeZone(cluster);

    private static Pod pod(String... claims) {
        var spec = PodSpec.builder();
        for (var claim : claims) {
            spec.volume(new Volume("v", new Volume.Claim(claim, false)));
        }
        return Pod.builder("ns", "p").uid("p").spec(spec.build()).build();
    }

    private void bound(String name, String... labels) {
        cluster.add(
                PersistentVolumeClaim.named("ns", name).boundTo(name).build(),
                PersistentVolume.named(name).labels(Labels.of(labels)).build());
    }

    @ParameterizedTest
    @CsvSource({
        // volume's label and value, node's label and value, whether the node will do
        ZONE + ", a, " + ZONE + ", a, true",
        ZONE + ", a, " + ZONE + ", b, false",
        ZONE + ", a__b, " + ZONE + ", b, true",
        ZONE + ", ' a __ b ', " + ZONE + ", b, true",
        ZONE + ", a____b, " + ZONE + ", c, true",
        REGION + ", a, " + REGION + ", a, true",
        REGION + ", a, " + ZONE + ", a, false",
        OLD_ZONE + ", a, " + ZONE + ", a, true",
        OLD_ZONE + ", a, " + ZONE + ", b, false",
        OLD_REGION + ", a, " + REGION + ", a, true",
        ZONE + ", a, " + OLD_ZONE + ", a, false",
        ZONE + ", a, hostname, x, true",
    })
    @Tag("VZ-1")
    @Tag("VZ-3")
    @Tag("VZ-4")
    void nodeMustBeInTheVolumesZone(
            String key, String value, String nodeKey, String nodeValue, boolean isFine) {
        bound("c", key, value);
        cluster.add(node("n", nodeKey, nodeValue).build());
        assertThat(PluginRun.of(cluster, plugin, pod("c")).filter("n"))
                .isEqualTo(isFine ? Verdict.PASS : VolumeZone.OTHER_ZONE);
    }

    @Test
    @Tag("VZ-4")
    void everyVolumeHasItsSay() {
        bound("one", ZONE, "a__b");
        bound("two", REGION, "r", ZONE, "b__c");
        cluster.add(
                node("a", ZONE, "a", REGION, "r").build(),
                node("b", ZONE, "b", REGION, "r").build());
        var run = PluginRun.of(cluster, plugin, pod("one", "two")).filter();
        assertThat(run).containsEntry("a", VolumeZone.OTHER_ZONE).containsEntry("b", Verdict.PASS);
    }

    @Test
    @Tag("VZ-4")
    void withoutPreFilterItLooksForItself() {
        cluster.add(node("n", ZONE, "a").build());
        cluster.state.refresh();
        assertThat(plugin.filter(new TestCycle(), pod("c"), cluster.view("n")))
                .isEqualTo(Refusal.hopeless("persistentvolumeclaim \"c\" not found"));
        bound("c", ZONE, "b");
        assertThat(plugin.filter(new TestCycle(), pod("c"), cluster.view("n")))
                .isEqualTo(VolumeZone.OTHER_ZONE);
    }

    @Test
    @Tag("VZ-2")
    void whatIsMissingIsTold() {
        assertThat(preFilter("")).isEqualTo(VolumeZone.NAMELESS_CLAIM);
        assertThat(preFilter("c"))
                .isEqualTo(Refusal.hopeless("persistentvolumeclaim \"c\" not found"));
        cluster.add(PersistentVolumeClaim.named("ns", "c").build());
        assertThat(preFilter("c")).isEqualTo(VolumeZone.NO_CLASS);
        cluster.add(PersistentVolumeClaim.named("ns", "c").storageClass("sc").build());
        assertThat(preFilter("c"))
                .isEqualTo(Refusal.hopeless("storageclass.storage.k8s.io \"sc\" not found"));
        cluster.add(storageClass(BindingMode.UNSET));
        assertThat(preFilter("c"))
                .isEqualTo(Refusal.hopeless("VolumeBindingMode not set for StorageClass \"sc\""));
        cluster.add(storageClass(BindingMode.IMMEDIATE));
        assertThat(preFilter("c")).isEqualTo(VolumeZone.NAMELESS_VOLUME);
        cluster.add(storageClass(BindingMode.WAIT_FOR_FIRST_CONSUMER));
        assertThat(preFilter("c")).isEqualTo(PreFilterVerdict.SKIP);
        cluster.add(PersistentVolumeClaim.named("ns", "c").volumeName("pv").build());
        assertThat(preFilter("c")).isEqualTo(Refusal.hopeless("persistentvolume \"pv\" not found"));
    }

    @Test
    @Tag("VZ-2")
    @Tag("VZ-3")
    void podsWithoutZonesAreSkipped() {
        bound("plain", "other", "x");
        assertThat(preFilter("plain")).isEqualTo(PreFilterVerdict.SKIP);
        var ephemeral =
                Pod.builder("ns", "p")
                        .spec(
                                PodSpec.builder()
                                        .volume(new Volume("e", new Volume.Ephemeral()))
                                        .build())
                        .build();
        assertThat(plugin.preFilter(new TestCycle(), ephemeral)).isEqualTo(PreFilterVerdict.SKIP);
    }

    private PreFilterVerdict preFilter(String claim) {
        return plugin.preFilter(new TestCycle(), pod(claim));
    }

    private static StorageClass storageClass(BindingMode mode) {
        return new StorageClass("sc", "p", mode, new NodeSelector(List.of()));
    }

    @Test
    @Tag("VZ-5")
    void onlyAClassThatWaitsForAPodWakes() {
        var added = ClusterEvent.of(ClusterEvent.STORAGE_CLASS, Action.ADD);
        assertThat(judge(added, null, storageClass(BindingMode.WAIT_FOR_FIRST_CONSUMER)))
                .isEqualTo(Hint.QUEUE);
        assertThat(judge(added, null, storageClass(BindingMode.IMMEDIATE))).isEqualTo(Hint.SKIP);
        assertThat(judge(added, null, storageClass(BindingMode.UNSET))).isEqualTo(Hint.SKIP);
    }

    @Test
    @Tag("VZ-5")
    void claimOfThePodWakes() {
        var event = ClusterEvent.of(ClusterEvent.PERSISTENT_VOLUME_CLAIM, Action.UPDATE);
        var mine = PersistentVolumeClaim.named("ns", "c").build();
        assertThat(judge(event, mine, mine)).isEqualTo(Hint.QUEUE);
        var other = PersistentVolumeClaim.named("ns", "x").build();
        assertThat(judge(event, other, other)).isEqualTo(Hint.SKIP);
        var elsewhere = PersistentVolumeClaim.named("x", "c").build();
        assertThat(judge(event, null, elsewhere)).isEqualTo(Hint.SKIP);
    }

    @Test
    @Tag("VZ-5")
    void volumeWhoseZoneChangedWakes() {
        var event = ClusterEvent.of(ClusterEvent.PERSISTENT_VOLUME, Action.UPDATE);
        var inA = PersistentVolume.named("v").labels(Labels.of(ZONE, "a__b")).build();
        var same = inA.toBuilder().labels(Labels.of(ZONE, "b__a", "more", "x")).build();
        var inC = inA.toBuilder().labels(Labels.of(ZONE, "c")).build();
        assertThat(judge(event, inA, inC)).isEqualTo(Hint.QUEUE);
        assertThat(judge(event, inA, same)).isEqualTo(Hint.SKIP);
        var added = ClusterEvent.of(ClusterEvent.PERSISTENT_VOLUME, Action.ADD);
        assertThat(judge(added, null, inA)).isEqualTo(Hint.QUEUE);
    }

    private Hint judge(
            ClusterEvent event, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        return hint(plugin, event, pod("c"), before, after);
    }

    /// The columns against a plain reading of the rules.
    @Test
    @Tag("VZ-4")
    void columnsJudgeAsTheRulesDo() {
        int refused = 0;
        for (long seed = 1; seed <= 400; seed++) {
            var world = new VolumeWorld(seed);
            var zone = new VolumeZone(world.cluster);
            for (int step = 0; step < 20; step++) {
                world.change();
                var pod = world.pod();
                var run = PluginRun.of(world.cluster, zone, pod);
                var before = run.preFilter();
                if (before instanceof Refusal || before instanceof Skip) {
                    continue;
                }
                for (var node : world.cluster.nodes().all()) {
                    var expected = isFine(world, pod, node.node());
                    refused += expected ? 0 : 1;
                    assertThat(run.filter(node.name()))
                            .as("seed %d step %d %s on %s", seed, step, pod, node.node())
                            .isEqualTo(expected ? Verdict.PASS : VolumeZone.OTHER_ZONE);
                }
            }
        }
        assertThat(refused).isGreaterThan(100);
    }

    private static boolean isFine(VolumeWorld world, Pod pod, Node node) {
        var labels = node.labels();
        var keys = List.of(OLD_ZONE, OLD_REGION, ZONE, REGION);
        if (keys.stream().noneMatch(labels::has)) {
            return true;
        }
        for (var volume : pod.spec().volumes()) {
            if (volume.source() instanceof Volume.Claim(String name, _)) {
                var claim = world.claim(pod, name);
                var pv = claim == null ? null : world.volumes.get(claim.volumeName());
                for (var key : pv == null ? List.<String>of() : keys) {
                    var wanted = pv == null ? null : pv.labels().value(key);
                    var zones = wanted == null ? Set.<String>of() : zones(wanted);
                    var own = labels.value(key);
                    if (own == null) {
                        own = labels.value(key.replace("failure-domain.beta", "topology"));
                    }
                    if (!zones.isEmpty() && (own == null || !zones.contains(own))) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private static Set<String> zones(String text) {
        var pieces = new LinkedHashSet<String>();
        Arrays.stream(text.split("__", -1)).map(String::strip).forEach(pieces::add);
        return pieces.contains("") ? Set.of() : pieces;
    }
}
