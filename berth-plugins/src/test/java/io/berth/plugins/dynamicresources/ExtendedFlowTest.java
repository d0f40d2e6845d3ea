package io.berth.plugins.dynamicresources;

import static io.berth.plugins.dynamicresources.DeviceBed.gpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.handle.ClusterException;
import io.berth.api.model.GeneratedClaims.Mapping;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.spec.Container;
import io.berth.api.spec.PodSpec;
import io.berth.api.write.Write;
import io.berth.testkit.Nodes;
import io.berth.testkit.Pods;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Devices that stand for extended resources, in the real engine.
class ExtendedFlowTest {
    private static final String RESOURCE = "example.com/gpu";
    private static final String FAILED = "running PreBind plugin \"DynamicResources\": ";

    private final DeviceBed bed = new DeviceBed();

    @BeforeEach
    void addDevices() {
        bed.node("a");
        bed.slice("a", gpu("g0"), gpu("g1"));
    }

    private static Pod asking(String name, String resource, long count) {
        var container = Container.of("main", "", Map.of(resource, Quantity.of(count)));
        return Pods.pod(name).build().toBuilder()
                .spec(PodSpec.builder().container(container).build())
                .build();
    }

    private ResourceClaim onlyClaim() {
        assertThat(bed.claims.claims()).hasSize(1);
        return bed.claims.claims().getFirst();
    }

    @Test
    @Tag("NF-6")
    @Tag("DR-61")
    @Tag("DR-64")
    void claimIsMadeForThePod() {
        bed.deviceClass("gpu", RESOURCE);
        bed.create(asking("p", RESOURCE, 2));
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        var claim = onlyClaim();
        assertThat(claim.isForExtendedResources()).isTrue();
        assertThat(bed.devicesOf(claim.name()))
                .containsExactly("container-0-request-0=a/g0", "container-0-request-0=a/g1");
        assertThat(bed.consumersOf(claim.name())).containsExactly("p");
        var told =
                Objects.requireNonNull(
                        Objects.requireNonNull(
                                        bed.scheduler.cluster().pod("default/p").generatedClaims())
                                .extended());
        assertThat(told.claimName()).isEqualTo(claim.name());
        assertThat(told.mappings())
                .containsExactly(new Mapping("main", RESOURCE, "container-0-request-0"));
    }

    @Test
    @Tag("DR-60")
    void classHasAResourceOfItsOwn() {
        bed.deviceClass("gpu", null);
        bed.create(asking("p", "deviceclass.resource.kubernetes.io/gpu", 1));
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(bed.devicesOf(onlyClaim().name())).hasSize(1);
    }

    @Test
    @Tag("DR-9")
    void devicesThatStandForAResourceAreGivenOnce() {
        bed.deviceClass("gpu", RESOURCE);
        bed.scheduler.create(asking("p", RESOURCE, 2));
        bed.scheduler.create(asking("q", RESOURCE, 1));
        bed.scheduler.cluster().hold();
        bed.scheduler.settle();
        assertThat(bed.nodeOf("p")).as("its claim was written, but not seen").isEqualTo("a");
        bed.scheduler.engine().seen(asking("r", RESOURCE, 1));
        bed.scheduler.settle();
        bed.scheduler.cluster().release();
        bed.scheduler.settle();
        assertThat(bed.claims.claims()).hasSize(1);
        assertThat(bed.nodeOf("q")).isEmpty();
        assertThat(bed.message("q"))
                .isEqualTo(
                        "0/1 nodes are available: 1 cannot allocate all claims. still not"
                                + " schedulable, preemption: 0/1 nodes are available: 1 Preemption"
                                + " is not helpful for scheduling.");
    }

    @Test
    @Tag("DR-11")
    @Tag("DR-63")
    void nodeWithADevicePluginNeedsNoClaim() {
        bed.deviceClass("gpu", RESOURCE);
        bed.scheduler.remove(Nodes.node("a").build());
        bed.scheduler.add(Nodes.node("b").allocatable(RESOURCE, "1").build());
        bed.create(asking("p", RESOURCE, 1));
        assertThat(bed.nodeOf("p")).isEqualTo("b");
        assertThat(bed.claims.claims()).isEmpty();
    }

    @Test
    @Tag("NF-6")
    @Tag("NF-19")
    void podWaitsForAClass() {
        bed.create(asking("p", RESOURCE, 1));
        assertThat(bed.message("p")).contains("1 Insufficient " + RESOURCE);
        bed.deviceClass("other", null);
        bed.pass(10);
        assertThat(bed.nodeOf("p")).isEmpty();
        bed.deviceClass("gpu", RESOURCE);
        bed.pass(10);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
    }

    @Test
    @Tag("DR-20")
    void claimIsDeletedAgainWhereThePodIsNotBound() {
        bed.deviceClass("gpu", RESOURCE);
        bed.scheduler
                .cluster()
                .failNextBind(
                        "default/p", new ClusterException(ClusterException.Kind.REFUSED, "sorry"));
        bed.create(asking("p", RESOURCE, 2));
        assertThat(bed.claims.claims()).isEmpty();
        bed.pass(10);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(bed.devicesOf(onlyClaim().name())).hasSize(2);
    }

    @Test
    @Tag("DR-20")
    @Tag("DR-64")
    void claimIsDeletedWhereItsStatusIsRefused() {
        bed.deviceClass("gpu", RESOURCE);
        bed.claims.failNext(
                Write.SetClaimStatus.class,
                new ClusterException(ClusterException.Kind.REFUSED, "sorry"),
                false);
        bed.create(asking("p", RESOURCE, 2));
        assertThat(bed.message("p")).startsWith(FAILED + "add allocation and reservation to claim");
        assertThat(bed.claims.claims()).isEmpty();
        bed.pass(10);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
    }

    @Test
    @Tag("DR-64")
    void podWhoseStatusCannotBeWrittenIsTriedAgain() {
        bed.deviceClass("gpu", RESOURCE);
        bed.claims.failNext(
                Write.NameClaim.class,
                new ClusterException(ClusterException.Kind.REFUSED, "sorry"),
                false);
        bed.create(asking("p", RESOURCE, 2));
        assertThat(bed.message("p"))
                .isEqualTo(FAILED + "update pod default/p ExtendedResourceClaimStatus: sorry");
        bed.pass(10);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(bed.claims.claims()).hasSize(1);
    }

    @Test
    @Tag("DR-15")
    @Tag("DR-62")
    void claimOfAnEarlierLifeIsDeletedFirst() {
        bed.deviceClass("gpu", RESOURCE);
        var pod = asking("p", RESOURCE, 2);
        bed.claims.put(
                new ResourceClaim(
                        "default",
                        "old",
                        "u-old",
                        "",
                        new io.berth.api.model.Owner("v1", "Pod", "p", pod.uid()),
                        false,
                        true,
                        true,
                        DeviceBed.exactly(DeviceBed.ask("container-0-request-0", "gpu", 2)),
                        null,
                        List.of(),
                        List.of()));
        bed.create(pod);
        assertThat(bed.notes())
                .contains(
                        "0/1 nodes are available: 1 cannot schedule extended resource claim."
                                + " deletion of ResourceClaim completed, preemption: 0/1 nodes are"
                                + " available: 1 Preemption is not helpful for scheduling.");
        bed.pass(10);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(onlyClaim().name()).isNotEqualTo("old");
    }
}
