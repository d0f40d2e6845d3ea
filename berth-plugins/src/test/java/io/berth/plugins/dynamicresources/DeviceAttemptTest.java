package io.berth.plugins.dynamicresources;

import static io.berth.plugins.dynamicresources.DeviceBed.ask;
import static io.berth.plugins.dynamicresources.DeviceBed.exactly;
import static io.berth.plugins.dynamicresources.DeviceBed.gpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceClaim;
import io.berth.api.plugin.Arguments;
import io.berth.api.spec.Container;
import io.berth.api.spec.PodClaim;
import io.berth.api.spec.PodSpec;
import io.berth.api.write.Write;
import io.berth.testkit.Nodes;
import io.berth.testkit.Pods;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What one attempt does with claims, step by step, in the real engine.
class DeviceAttemptTest {
    private static final DeviceClaim ONE = exactly(ask("r", "gpu", 1));

    private final DeviceBed bed = new DeviceBed();

    @Test
    @Tag("DR-3")
    @Tag("DR-14")
    void claimsAreServedInTheOrderOfTheSpecAndExtendedResourcesLast() {
        bed.node("a");
        bed.deviceClass("gpu", "example.com/gpu");
        bed.slice("a", gpu("g0"), gpu("g1"), gpu("g2"), gpu("g3"));
        bed.claim("z", ONE);
        bed.claim("m", exactly(ask("r", "gpu", 1)));
        bed.claim("a", ONE);
        var container = Container.of("main", "", Map.of("example.com/gpu", Quantity.of(1)));
        bed.create(
                Pods.pod("p").build().toBuilder()
                        .spec(
                                PodSpec.builder()
                                        .container(container)
                                        .resourceClaim(PodClaim.of("first", "z"))
                                        .resourceClaim(PodClaim.of("second", "a"))
                                        .resourceClaim(PodClaim.of("third", "m"))
                                        .build())
                        .build());
        assertThat(bed.devicesOf("z")).containsExactly("r=a/g0");
        assertThat(bed.devicesOf("a")).containsExactly("r=a/g1");
        assertThat(bed.devicesOf("m")).containsExactly("r=a/g2");
        var made =
                bed.claims.claims().stream()
                        .filter(claim -> claim.isForExtendedResources())
                        .toList();
        assertThat(made).hasSize(1);
        assertThat(bed.devicesOf(made.getFirst().name()))
                .containsExactly("container-0-request-0=a/g3");
    }

    @Test
    @Tag("DR-14")
    void claimThatHasDevicesAlreadyKeepsThem() {
        bed.node("a");
        bed.deviceClass("gpu", null);
        bed.slice("a", gpu("g0"), gpu("g1"), gpu("g2"));
        bed.claim("shared", ONE);
        bed.create(bed.pod("p", "shared"));
        bed.claim("own", ONE);
        bed.create(bed.pod("q", "own", "shared"));
        assertThat(bed.nodeOf("q")).isEqualTo("a");
        assertThat(bed.devicesOf("shared")).containsExactly("r=a/g0");
        assertThat(bed.devicesOf("own")).containsExactly("r=a/g1");
        assertThat(bed.consumersOf("shared")).containsExactly("p", "q");
    }

    /// What is looked at is the state of the whole cluster at the beginning of the attempt, devices
    /// of other nodes and other drivers' pools included.
    @Test
    @Tag("DR-8")
    void eachAttemptSeesTheNewestSlicesAndClaims() {
        bed.node("a");
        bed.node("b");
        bed.deviceClass("gpu", null);
        bed.slice("a", gpu("g0"));
        bed.claim("c1", ONE);
        bed.create(bed.pod("p1", "c1"));
        assertThat(bed.devicesOf("c1")).containsExactly("r=a/g0");
        bed.slice("b", gpu("g7"));
        bed.claim("c2", ONE);
        bed.create(bed.pod("p2", "c2"));
        assertThat(bed.devicesOf("c2")).containsExactly("r=b/g7");
        bed.slice("a", gpu("g0"), gpu("g1"));
        bed.slice("b");
        bed.claims.change("default/c2", claim -> claim.with(null, List.of(), List.of()));
        bed.claim("c3", ONE);
        bed.create(bed.pod("p3", "c3"));
        assertThat(bed.devicesOf("c3")).containsExactly("r=a/g1");
    }

    /// A victim would leave, but its claim keeps the device until somebody takes the reservation
    /// away: nobody is evicted for a device.
    @Test
    @Tag("DR-10")
    void nobodyIsEvictedForDevices() {
        bed.scheduler.add(Nodes.node("a").build());
        bed.deviceClass("gpu", null);
        bed.slice("a", gpu("g0"));
        bed.claim("c1", ONE);
        bed.create(bed.pod("p1", "c1"));
        bed.claim("c2", ONE);
        bed.create(
                Pods.pod("p2")
                        .priority(1000)
                        .spec(spec -> spec.resourceClaim(PodClaim.of("c2", "c2")))
                        .build());
        assertThat(bed.nodeOf("p1")).isEqualTo("a");
        assertThat(bed.message("p2"))
                .isEqualTo(
                        "0/1 nodes are available: 1 cannot allocate all claims. still not"
                                + " schedulable, preemption: 0/1 nodes are available: 1 Preemption"
                                + " is not helpful for scheduling.");
    }

    @Test
    @Tag("DR-21")
    void podWithoutClaimsIsBoundWithoutFurtherAdo() {
        bed.node("a");
        bed.deviceClass("gpu", null);
        bed.slice("a", gpu("g0"));
        bed.create(bed.pod("plain"));
        assertThat(bed.nodeOf("plain")).isEqualTo("a");
        assertThat(bed.claims.written()).isEmpty();
        assertThat(bed.scheduler.cluster().pod("default/plain").nominatedNodeName())
                .as("there was nothing to prepare, so no node was announced")
                .isEmpty();
        bed.claim("c", ONE);
        bed.create(bed.pod("p", "c"));
        assertThat(bed.claims.written()).hasAtLeastOneElementOfType(Write.SetClaimStatus.class);
    }

    /// Forty devices of which any thirteen fail in the end: more combinations than anybody can try.
    @Test
    @Tag("DR-1")
    @Tag("DR-13")
    void searchEndsWithItsTime() {
        var limited =
                new DeviceBed(
                        Set.of("DRASchedulerFilterTimeout"),
                        profile ->
                                profile.withArguments(
                                        DynamicResources.NAME,
                                        new Arguments(Map.of("filterTimeout", "20ms"))));
        limited.node("a");
        limited.deviceClass("gpu", null);
        limited.slice(
                "a", IntStream.range(0, 40).mapToObj(i -> gpu("g" + i)).toArray(Device[]::new));
        limited.claim("c", exactly(ask("r1", "gpu", 13), ask("r2", "gpu", 1, "false")));
        limited.create(limited.pod("p", "c"));
        assertThat(limited.message("p"))
                .isEqualTo(
                        "running \"DynamicResources\" filter plugin: node a: timed out trying to"
                                + " allocate devices");
    }
}
