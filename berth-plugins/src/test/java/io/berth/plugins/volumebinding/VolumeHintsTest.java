package io.berth.plugins.volumebinding;

import static io.berth.plugins.volumebinding.Fixtures.DRIVER;
import static io.berth.plugins.volumebinding.Fixtures.ZONE;
import static io.berth.plugins.volumebinding.Fixtures.capacity;
import static io.berth.plugins.volumebinding.Fixtures.claim;
import static io.berth.plugins.volumebinding.Fixtures.in;
import static io.berth.plugins.volumebinding.Fixtures.podWith;
import static io.berth.plugins.volumebinding.Fixtures.volume;
import static io.berth.plugins.volumebinding.Fixtures.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.label.LabelSelector;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiNode;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Volume;
import io.berth.testkit.Pods;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("VB-19")
final class VolumeHintsTest {
    private static Hint hint(
            String resource,
            Pod pod,
            @Nullable ClusterObject before,
            @Nullable ClusterObject after) {
        return VolumeHints.registrations().stream()
                .filter(each -> each.event().resource().equals(resource))
                .findFirst()
                .orElseThrow()
                .hint()
                .judge(pod, before, after);
    }

    private static Hint changed(
            String resource, @Nullable ClusterObject before, ClusterObject after) {
        return hint(resource, podWith("c"), before, after);
    }

    @Test
    void eventsAreUpstreams() {
        int both = Action.ADD | Action.UPDATE;
        assertThat(VolumeHints.registrations().stream().map(Registration::event))
                .containsExactly(
                        ClusterEvent.of(ClusterEvent.STORAGE_CLASS, both),
                        ClusterEvent.of(ClusterEvent.PERSISTENT_VOLUME_CLAIM, both),
                        ClusterEvent.of(ClusterEvent.PERSISTENT_VOLUME, both),
                        ClusterEvent.of(ClusterEvent.NODE, Action.ADD | Action.UPDATE_NODE_LABEL),
                        ClusterEvent.of(ClusterEvent.CSI_NODE, both),
                        ClusterEvent.of(ClusterEvent.CSI_DRIVER, Action.UPDATE),
                        ClusterEvent.of(ClusterEvent.CSI_STORAGE_CAPACITY, both));
    }

    @Test
    void classWakesWhereItIsNewOrAllowsOtherNodes() {
        var known = waiting("wait", DRIVER);
        var other = new StorageClass("wait", DRIVER, known.bindingMode(), in(ZONE, "a"));
        assertThat(changed(ClusterEvent.STORAGE_CLASS, null, known)).isEqualTo(Hint.QUEUE);
        assertThat(changed(ClusterEvent.STORAGE_CLASS, known, other)).isEqualTo(Hint.QUEUE);
        assertThat(changed(ClusterEvent.STORAGE_CLASS, known, waiting("wait", "other")))
                .isEqualTo(Hint.SKIP);
    }

    @Test
    void claimWakesWhereItIsThePods() {
        var resource = ClusterEvent.PERSISTENT_VOLUME_CLAIM;
        var own = claim("c", "1Gi").build();
        assertThat(changed(resource, null, own)).isEqualTo(Hint.QUEUE);
        assertThat(changed(resource, own, own)).isEqualTo(Hint.QUEUE);
        assertThat(changed(resource, null, claim("d", "1Gi").build())).isEqualTo(Hint.SKIP);
        assertThat(changed(resource, null, PersistentVolumeClaim.named("else", "c").build()))
                .isEqualTo(Hint.SKIP);
        var spec = PodSpec.builder().volume(new Volume("tmp", new Volume.Ephemeral())).build();
        var ephemeral = Pods.pod("p").build().toBuilder().spec(spec).build();
        assertThat(hint(resource, ephemeral, null, claim("p-tmp", "1Gi").build()))
                .isEqualTo(Hint.QUEUE);
    }

    @Test
    void everyVolumeWakes() {
        assertThat(changed(ClusterEvent.PERSISTENT_VOLUME, null, volume("v", "1Gi").build()))
                .isEqualTo(Hint.QUEUE);
    }

    @Test
    void csiNodeWakesWhereItIsNewOrMigratesOtherPlugins() {
        var none = new CsiNode("a1", List.of(), Set.of());
        var migrated = new CsiNode("a1", List.of(), Set.of("kubernetes.io/aws-ebs"));
        var more = new CsiNode("a1", List.of(new CsiNode.Driver("d", 3)), Set.of());
        assertThat(changed(ClusterEvent.CSI_NODE, null, none)).isEqualTo(Hint.QUEUE);
        assertThat(changed(ClusterEvent.CSI_NODE, none, migrated)).isEqualTo(Hint.QUEUE);
        assertThat(changed(ClusterEvent.CSI_NODE, none, more)).isEqualTo(Hint.SKIP);
    }

    @Test
    void driverWakesPodsWithItsVolumesWhereRoomMattersNoLonger() {
        var telling = new CsiDriver(DRIVER, true, false);
        var silent = new CsiDriver(DRIVER, false, false);
        var spec = PodSpec.builder().volume(new Volume("x", new Volume.Csi(DRIVER, ""))).build();
        var inline = Pods.pod("p").build().toBuilder().spec(spec).build();
        var resource = ClusterEvent.CSI_DRIVER;
        assertThat(hint(resource, inline, telling, silent)).isEqualTo(Hint.QUEUE);
        assertThat(hint(resource, inline, silent, telling)).isEqualTo(Hint.SKIP);
        assertThat(hint(resource, podWith("c"), telling, silent)).isEqualTo(Hint.SKIP);
    }

    @Test
    void roomWakesWhereItIsNewOrGrows() {
        var resource = ClusterEvent.CSI_STORAGE_CAPACITY;
        var five = capacity("a", "a", "5Gi");
        var unknown =
                new CsiStorageCapacity(
                        "default", "a", "wait", LabelSelector.EVERYTHING, null, null);
        assertThat(changed(resource, null, five)).isEqualTo(Hint.QUEUE);
        assertThat(changed(resource, five, capacity("a", "a", "6Gi"))).isEqualTo(Hint.QUEUE);
        assertThat(changed(resource, unknown, five)).isEqualTo(Hint.QUEUE);
        assertThat(changed(resource, five, capacity("a", "a", "4Gi"))).isEqualTo(Hint.SKIP);
        assertThat(changed(resource, five, unknown)).isEqualTo(Hint.SKIP);
    }
}
