package io.berth.plugins.nodevolumelimits;

import static io.berth.plugins.Samples.hint;
import static io.berth.plugins.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.model.VolumeAttachment;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Volume;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import io.berth.plugins.TestCycle;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeVolumeLimitsTest {
    private static final Volume.Source EBS = new Volume.AwsElasticBlockStore("vol-1", false);

    private final TestCluster cluster = new TestCluster().add(node("n").build());
    private final NodeVolumeLimits plugin = new NodeVolumeLimits(cluster);

    private static Pod pod(String name, Volume.Source... sources) {
        var spec = PodSpec.builder();
        for (var source : sources) {
            spec.volume(new Volume("vol", source));
        }
        return Pod.builder("ns", name).uid(name).spec(spec.build()).build();
    }

    private static Volume.Source claim(String name) {
        return new Volume.Claim(name, false);
    }

    /// A claim with its volume, both of this name.
    private void bound(String name, String driver, String handle) {
        cluster.add(
                PersistentVolumeClaim.named("ns", name).boundTo(name).build(),
                PersistentVolume.named(name).source(new Volume.Csi(driver, handle)).build());
    }

    private static CsiNode limits(CsiNode.Driver... drivers) {
        return new CsiNode("n", List.of(drivers), Set.of());
    }

    private static CsiNode limit(String driver, int count) {
        return limits(new CsiNode.Driver(driver, count));
    }

    private Verdict judge(Pod pod) {
        return PluginRun.of(cluster, plugin, pod).filter("n");
    }

    @Test
    @Tag("VL-1")
    void podsWithoutSuchVolumesAreSkipped() {
        var cycle = new TestCycle();
        assertThat(plugin.preFilter(cycle, pod("p"))).isEqualTo(PreFilterVerdict.SKIP);
        assertThat(plugin.preFilter(cycle, pod("p", new Volume.Csi("inline", ""))))
                .isEqualTo(PreFilterVerdict.SKIP);
        assertThat(plugin.preFilter(cycle, pod("p", new Volume.Iscsi("i", false))))
                .isEqualTo(PreFilterVerdict.SKIP);
        for (var source :
                List.of(
                        claim("c"),
                        new Volume.Ephemeral(),
                        EBS,
                        new Volume.GcePersistentDisk("d", false),
                        new Volume.AzureDisk("d", "u", "Managed"),
                        new Volume.AzureFile(),
                        new Volume.Cinder("c"),
                        new Volume.Portworx("p"),
                        new Volume.Vsphere("v"))) {
            assertThat(plugin.preFilter(cycle, pod("p", source))).isEqualTo(PreFilterVerdict.PASS);
        }
    }

    @Test
    @Tag("VL-8")
    @Tag("VL-6")
    void nodeIsFullWhenTheDriverHasAttachedAllItCan() {
        bound("a", "d", "1");
        bound("b", "d", "2");
        bound("c", "other", "1");
        cluster.add(limit("d", 1), pod("there", claim("a")).onNode("n"));
        assertThat(judge(pod("p", claim("b")))).isEqualTo(NodeVolumeLimits.FULL);
        assertThat(judge(pod("p", claim("c")))).isEqualTo(Verdict.PASS);
        cluster.add(limit("d", 2));
        assertThat(judge(pod("p", claim("b")))).isEqualTo(Verdict.PASS);
    }

    @Test
    @Tag("VL-6")
    void zeroIsALimitAndAnAbsentCountIsNone() {
        bound("a", "d", "1");
        cluster.add(limit("d", 0));
        assertThat(judge(pod("p", claim("a")))).isEqualTo(NodeVolumeLimits.FULL);
        cluster.add(limit("d", CsiNode.UNLIMITED));
        assertThat(judge(pod("p", claim("a")))).isEqualTo(Verdict.PASS);
        cluster.objects.remove(Kind.CSI_NODE, "", "n");
        assertThat(judge(pod("p", claim("a")))).isEqualTo(Verdict.PASS);
    }

    @Test
    @Tag("VL-2")
    void volumeThatPodsShareCountsOnce() {
        bound("a", "d", "same");
        bound("b", "d", "same");
        bound("c", "d", "third");
        cluster.add(
                limit("d", 2),
                pod("one", claim("a")).onNode("n"),
                pod("two", claim("b")).onNode("n"));
        assertThat(judge(pod("p", claim("a"), claim("b"), claim("c")))).isEqualTo(Verdict.PASS);
        var one = cluster.state.pods().iterator().next();
        cluster.state.removePod(one);
        assertThat(judge(pod("p", claim("c")))).isEqualTo(Verdict.PASS);
        cluster.add(limit("d", 1));
        assertThat(judge(pod("p", claim("c")))).isEqualTo(NodeVolumeLimits.FULL);
    }

    @Test
    @Tag("VL-3")
    void missingClaimOfANewPodIsHopelessAndOneOfAnOldPodIsNothing() {
        cluster.add(limit("d", 0), pod("there", claim("gone")).onNode("n"));
        assertThat(judge(pod("p", claim("x"))))
                .isEqualTo(
                        Refusal.hopeless(
                                "looking up PVC ns/x: persistentvolumeclaim \"x\" not found"));
        cluster.add(PersistentVolumeClaim.named("ns", "x").build());
        assertThat(judge(pod("p", claim("x")))).isEqualTo(Verdict.PASS);
    }

    @Test
    @Tag("VL-3")
    void claimMadeForAPodMustBeThePods() {
        cluster.add(PersistentVolumeClaim.named("ns", "p-vol").controllerUid("p").build());
        assertThat(judge(pod("p", new Volume.Ephemeral()))).isEqualTo(Verdict.PASS);
        cluster.add(PersistentVolumeClaim.named("ns", "p-vol").controllerUid("q").build());
        assertThatThrownBy(() -> judge(pod("p", new Volume.Ephemeral())))
                .hasMessage("PVC ns/p-vol was not created for pod ns/p (pod is not owner)");
        assertThatThrownBy(() -> judge(pod("p", claim(""))))
                .hasMessage("PersistentVolumeClaim had no name");
    }

    @Test
    @Tag("VL-4")
    void claimWithoutAVolumeCountsForItsProvisioner() {
        cluster.add(
                limits(new CsiNode.Driver("made", 0), new CsiNode.Driver("ebs.csi.aws.com", 0)),
                PersistentVolumeClaim.named("ns", "late").storageClass("late").build(),
                PersistentVolumeClaim.named("ns", "aws").storageClass("aws").build(),
                PersistentVolumeClaim.named("ns", "file").storageClass("file").build(),
                PersistentVolumeClaim.named("ns", "none").storageClass("none").build(),
                storageClass("late", "made"),
                storageClass("aws", "kubernetes.io/aws-ebs"),
                storageClass("file", "kubernetes.io/azure-file"));
        assertThat(judge(pod("p", claim("late")))).isEqualTo(NodeVolumeLimits.FULL);
        assertThat(judge(pod("p", claim("aws")))).isEqualTo(NodeVolumeLimits.FULL);
        assertThat(judge(pod("p", claim("file")))).isEqualTo(Verdict.PASS);
        assertThat(judge(pod("p", claim("none")))).isEqualTo(Verdict.PASS);
    }

    private static StorageClass storageClass(String name, String provisioner) {
        return new StorageClass(
                name,
                provisioner,
                BindingMode.WAIT_FOR_FIRST_CONSUMER,
                new NodeSelector(List.of()));
    }

    @Test
    @Tag("VL-4")
    void volumesOfOldCountForTheDriverThatTookThemOver() {
        cluster.add(
                limit("ebs.csi.aws.com", 1),
                pod("there", new Volume.AwsElasticBlockStore("aws://zone/vol-1", false))
                        .onNode("n"));
        assertThat(judge(pod("p", EBS))).as("the same volume").isEqualTo(Verdict.PASS);
        assertThat(judge(pod("p", new Volume.AwsElasticBlockStore("vol-2", false))))
                .isEqualTo(NodeVolumeLimits.FULL);
        cluster.add(
                PersistentVolumeClaim.named("ns", "c").boundTo("v").build(),
                PersistentVolume.named("v")
                        .source(new Volume.AwsElasticBlockStore("vol-3", false))
                        .build());
        assertThat(judge(pod("p", claim("c")))).isEqualTo(NodeVolumeLimits.FULL);
    }

    @Test
    @Tag("VL-4")
    void diskThatNoDriverTakesOverIsAnError() {
        cluster.add(limit("disk.csi.azure.com", 1));
        assertThatThrownBy(() -> judge(pod("p", new Volume.AzureDisk("d", "u", "Shared"))))
                .hasMessage(
                        "converting volume(vol) from inline to csi: kind(Shared) is not supported"
                                + " in csi migration");
    }

    @Nested
    @Tag("VL-5")
    class MissingDrivers {
        private final Pod pod = pod("p", claim("a"));

        MissingDrivers() {
            bound("a", "d", "1");
        }

        private Verdict judgeScaling() {
            cluster.features.add("VolumeLimitScaling");
            return PluginRun.of(cluster, new NodeVolumeLimits(cluster), pod).filter("n");
        }

        @Test
        void keepPodsAwayWhereTheDriverWantsItSo() {
            cluster.add(new CsiDriver("d", false, true));
            var missing = Refusal.mayPreempt("d CSI driver is not installed on the node");
            assertThat(judgeScaling()).isEqualTo(missing);
            cluster.add(limit("other", 1));
            assertThat(judgeScaling()).isEqualTo(missing);
            cluster.add(limit("d", CsiNode.UNLIMITED));
            assertThat(judgeScaling()).isEqualTo(Verdict.PASS);
        }

        @Test
        void areNoMatterWithoutTheFeatureOrTheWish() {
            cluster.add(new CsiDriver("d", false, true));
            assertThat(judge(pod)).isEqualTo(Verdict.PASS);
            cluster.add(new CsiDriver("d", false, false));
            assertThat(judgeScaling()).isEqualTo(Verdict.PASS);
            cluster.objects.remove(Kind.CSI_DRIVER, "", "d");
            assertThat(judgeScaling()).isEqualTo(Verdict.PASS);
        }
    }

    @Test
    @Tag("VL-7")
    void attachmentsCountBesideThePodsAndNewVolumesAgain() {
        bound("a", "d", "1");
        bound("b", "d", "2");
        cluster.add(limit("d", 1), new VolumeAttachment("at", "d", "n", "b"));
        assertThat(judge(pod("p", claim("a")))).isEqualTo(NodeVolumeLimits.FULL);
        assertThat(judge(pod("p", claim("b"))))
                .as("attached, but by no pod that is here")
                .isEqualTo(NodeVolumeLimits.FULL);
        cluster.add(pod("there", claim("b")).onNode("n"));
        assertThat(judge(pod("p", claim("b")))).isEqualTo(Verdict.PASS);
        cluster.add(limit("d", 2));
        assertThat(judge(pod("p", claim("a")))).isEqualTo(Verdict.PASS);
        cluster.objects.remove(Kind.VOLUME_ATTACHMENT, "", "at");
        cluster.add(limit("d", 1));
        assertThat(judge(pod("p", claim("a")))).isEqualTo(NodeVolumeLimits.FULL);
    }

    @Test
    @Tag("VL-9")
    void riseOfALimitWakes() {
        var waiting = pod("p", claim("c"));
        var event = ClusterEvent.of(ClusterEvent.CSI_NODE, Action.UPDATE);
        assertThat(hint(plugin, event, waiting, limit("d", 1), limit("d", 2)))
                .isEqualTo(Hint.QUEUE);
        assertThat(hint(plugin, event, waiting, limits(), limit("d", 1))).isEqualTo(Hint.QUEUE);
        assertThat(hint(plugin, event, waiting, limit("d", 2), limit("d", 1))).isEqualTo(Hint.SKIP);
        assertThat(hint(plugin, event, waiting, limit("d", 2), limit("d", CsiNode.UNLIMITED)))
                .isEqualTo(Hint.SKIP);
        assertThat(
                        hint(
                                plugin,
                                ClusterEvent.of(ClusterEvent.CSI_NODE, Action.ADD),
                                waiting,
                                null,
                                limits()))
                .isEqualTo(Hint.QUEUE);
    }

    @Test
    @Tag("VL-9")
    void endOfAPodWithVolumesWakes() {
        var waiting = pod("p", claim("c"));
        assertThat(afterPod(waiting, pod("g", claim("x")).onNode("n"))).isEqualTo(Hint.QUEUE);
        assertThat(afterPod(waiting, pod("g", EBS).onNode("n"))).isEqualTo(Hint.QUEUE);
        assertThat(afterPod(waiting, pod("g", claim("x")))).isEqualTo(Hint.SKIP);
        assertThat(
                        afterPod(
                                waiting,
                                pod("g", claim("x")).toBuilder().nominatedNodeName("n").build()))
                .isEqualTo(Hint.QUEUE);
        assertThat(afterPod(waiting, pod("g", new Volume.ConfigMap()).onNode("n")))
                .isEqualTo(Hint.SKIP);
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
    @Tag("VL-9")
    void claimOfThePodWakes() {
        var event = ClusterEvent.of(ClusterEvent.PERSISTENT_VOLUME_CLAIM, Action.ADD);
        var waiting = pod("p", claim("c"), new Volume.Ephemeral());
        for (var name : List.of("c", "p-vol")) {
            assertThat(came(event, waiting, PersistentVolumeClaim.named("ns", name).build()))
                    .isEqualTo(Hint.QUEUE);
        }
        assertThat(came(event, waiting, PersistentVolumeClaim.named("ns", "x").build()))
                .isEqualTo(Hint.SKIP);
        assertThat(came(event, waiting, PersistentVolumeClaim.named("other", "c").build()))
                .isEqualTo(Hint.SKIP);
    }

    private Hint came(ClusterEvent event, Pod waiting, @Nullable ClusterObject after) {
        return hint(plugin, event, waiting, null, after);
    }

    @Test
    @Tag("VL-9")
    void endOfAnAttachmentWakes() {
        assertThat(detached(pod("p", claim("c")), "any")).isEqualTo(Hint.QUEUE);
        assertThat(detached(pod("p", EBS), "ebs.csi.aws.com")).isEqualTo(Hint.QUEUE);
        assertThat(detached(pod("p", EBS), "other")).isEqualTo(Hint.SKIP);
        assertThat(detached(pod("p", new Volume.AzureFile()), "file.csi.azure.com"))
                .isEqualTo(Hint.QUEUE);
        assertThat(detached(pod("p", new Volume.AzureDisk("d", "u", "Shared")), "other"))
                .as("cannot be told")
                .isEqualTo(Hint.QUEUE);
        assertThat(detached(pod("p", new Volume.Ephemeral()), "any")).isEqualTo(Hint.SKIP);
        assertThat(detached(pod("p"), "any")).isEqualTo(Hint.SKIP);
    }

    private Hint detached(Pod waiting, String attacher) {
        return hint(
                plugin,
                ClusterEvent.of(ClusterEvent.VOLUME_ATTACHMENT, Action.DELETE),
                waiting,
                new VolumeAttachment("a", attacher, "n", "v"),
                null);
    }

    /// Pods are told of before their node, and stay when it goes and comes back.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("VL-7")
    void countsSurviveANodeThatLeavesAndComesBack(boolean isBefore) {
        bound("a", "d", "1");
        bound("b", "d", "2");
        if (isBefore) {
            cluster.add(limit("d", 1), pod("there", claim("a")).onNode("n"));
        }
        cluster.state.removeNode(node("n").build());
        if (!isBefore) {
            cluster.add(limit("d", 1), pod("there", claim("a")).onNode("n"));
        }
        cluster.add(node("n").build());
        assertThat(judge(pod("p", claim("b")))).isEqualTo(NodeVolumeLimits.FULL);
    }
}
