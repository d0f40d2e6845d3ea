package io.berth.plugins.dynamicresources;

import static io.berth.plugins.dynamicresources.DeviceBed.admin;
import static io.berth.plugins.dynamicresources.DeviceBed.ask;
import static io.berth.plugins.dynamicresources.DeviceBed.counters;
import static io.berth.plugins.dynamicresources.DeviceBed.exactly;
import static io.berth.plugins.dynamicresources.DeviceBed.firstOf;
import static io.berth.plugins.dynamicresources.DeviceBed.gpu;
import static io.berth.plugins.dynamicresources.DeviceBed.partition;
import static io.berth.plugins.dynamicresources.DeviceBed.share;
import static io.berth.plugins.dynamicresources.DeviceBed.shareable;
import static io.berth.plugins.dynamicresources.DeviceBed.tainted;
import static io.berth.plugins.dynamicresources.DeviceBed.tolerating;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.device.DeviceClaim;
import io.berth.api.model.GeneratedClaims;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// From claims to devices, in the real engine.
class DeviceFlowTest {
    private static final DeviceClaim ONE = exactly(ask("r", "gpu", 1));
    private static final String NONE_LEFT =
            "0/2 nodes are available: 2 cannot allocate all claims. still not schedulable,"
                    + " preemption: 0/2 nodes are available: 2 Preemption is not helpful for"
                    + " scheduling.";

    private final DeviceBed bed = new DeviceBed();

    @BeforeEach
    void addDevices() {
        bed.node("a");
        bed.node("b");
        bed.deviceClass("gpu", null, "device.driver == \"" + DeviceBed.DRIVER + "\"");
    }

    @Nested
    class Claims {
        @BeforeEach
        void addTwo() {
            bed.slice("b", gpu("g0"), gpu("g1"));
        }

        @Test
        @Tag("DR-17")
        @Tag("DR-18")
        void claimFromATemplateGetsADeviceAndItsPodGoesThere() {
            bed.create(bed.withTemplate("p", ONE));
            assertThat(bed.nodeOf("p")).isEqualTo("b");
            assertThat(bed.devicesOf("p-gpu")).containsExactly("r=b/g0");
            assertThat(bed.consumersOf("p-gpu")).containsExactly("p");
            assertThat(bed.stored("p-gpu").isProtected()).isTrue();
            assertThat(bed.allocationOf("p-gpu").allocatedAt())
                    .isEqualTo(bed.scheduler.clock().now());
        }

        @Test
        @Tag("DR-4")
        @Tag("DR-22")
        void podIsNotTriedBeforeItsClaimIsThere() {
            bed.create(bed.pod("p", "c"));
            assertThat(bed.nodeOf("p")).isEmpty();
            assertThat(bed.scheduler.cluster().events()).isEmpty();
            bed.claim("c", ONE);
            bed.scheduler.settle();
            assertThat(bed.nodeOf("p")).isEqualTo("b");
        }

        @Test
        @Tag("DR-4")
        @Tag("DR-22")
        void podIsTriedOnceItsTemplateWasUsed() {
            var pod = bed.withTemplate("p", ONE);
            bed.create(pod.toBuilder().generatedClaims(null).build());
            assertThat(bed.nodeOf("p")).isEmpty();
            bed.create(pod);
            assertThat(bed.nodeOf("p")).isEqualTo("b");
        }

        @Test
        void podWithoutNeedForAClaimOfItsTemplateIsPlaced() {
            var pod =
                    bed.withTemplate("p", ONE).toBuilder()
                            .generatedClaims(
                                    new GeneratedClaims(
                                            List.of(new GeneratedClaims.Generated("gpu", null)),
                                            null))
                            .build();
            bed.create(pod);
            assertThat(bed.nodeOf("p")).isNotEmpty();
            assertThat(bed.claims.written()).isEmpty();
        }

        @Test
        @Tag("DR-9")
        @Tag("DR-13")
        void eachDeviceIsGivenOnce() {
            for (int i = 0; i < 3; i++) {
                bed.claim("c" + i, ONE);
                bed.create(bed.pod("p" + i, "c" + i));
            }
            assertThat(bed.devicesOf("c0")).containsExactly("r=b/g0");
            assertThat(bed.devicesOf("c1")).containsExactly("r=b/g1");
            assertThat(bed.stored("c2").allocation()).isNull();
            assertThat(bed.message("p2")).isEqualTo(NONE_LEFT);
        }

        @Test
        @Tag("DR-9")
        void devicesThatAreBeingWrittenAreNotGivenAgain() {
            for (int i = 0; i < 3; i++) {
                bed.claim("c" + i, ONE);
                bed.scheduler.create(bed.pod("p" + i, "c" + i));
            }
            bed.scheduler.cluster().hold();
            bed.scheduler.settle();
            bed.scheduler.cluster().release();
            bed.scheduler.settle();
            var given = new HashSet<String>();
            given.addAll(bed.devicesOf("c0"));
            given.addAll(bed.devicesOf("c1"));
            assertThat(given).containsExactlyInAnyOrder("r=b/g0", "r=b/g1");
            assertThat(bed.nodeOf("p2")).isEmpty();
        }

        @Test
        @Tag("DR-22")
        void deviceThatIsGivenBackWakesWhoWaits() {
            bed.claim("c0", exactly(ask("r", "gpu", 2)));
            bed.create(bed.pod("p0", "c0"));
            bed.claim("c1", ONE);
            bed.create(bed.pod("p1", "c1"));
            assertThat(bed.nodeOf("p1")).isEmpty();
            bed.claims.change("default/c0", claim -> claim.with(null, List.of(), List.of()));
            bed.pass(10);
            assertThat(bed.nodeOf("p1")).isEqualTo("b");
        }

        @Test
        @Tag("DR-7")
        @Tag("DR-18")
        void sharedClaimIsAllocatedOnceAndItsPodsMeet() {
            bed.claim("c", ONE);
            for (String pod : List.of("p", "q", "r")) {
                bed.scheduler.create(bed.pod(pod, "c"));
            }
            bed.scheduler.settle();
            bed.pass(20);
            assertThat(List.of(bed.nodeOf("p"), bed.nodeOf("q"), bed.nodeOf("r")))
                    .containsOnly("b");
            assertThat(bed.consumersOf("c")).containsExactlyInAnyOrder("p", "q", "r");
            assertThat(bed.devicesOf("c")).hasSize(1);
        }

        @Test
        @Tag("DR-6")
        void missingClassIsTold() {
            bed.claim("c", exactly(ask("r", "tape", 1)));
            bed.create(bed.pod("p", "c"));
            assertThat(bed.message("p"))
                    .isEqualTo(
                            "0/2 nodes are available: request r: device class tape does not exist."
                                    + " no new claims to deallocate, preemption: 0/2 nodes are"
                                    + " available: 2 Preemption is not helpful for scheduling.");
            bed.deviceClass("tape", null);
            bed.pass(10);
            assertThat(bed.nodeOf("p")).isEqualTo("b");
        }

        @Test
        @Tag("DR-40")
        void selectorThatFailsEndsTheAttempt() {
            bed.claim("c", exactly(ask("r", "gpu", 1, "device.attributes[\"x\"].y == 1")));
            bed.create(bed.pod("p", "c"));
            assertThat(bed.message("p"))
                    .isEqualTo(
                            "running \"DynamicResources\" filter plugin: claim default/c: selector"
                                    + " #0: CEL runtime error: no such key: y");
        }
    }

    @Test
    @Tag("DR-16")
    @Tag("DR-34")
    void nodeWithThePreferredAlternativeIsChosen() {
        bed.slice("a", gpu("g0", "size", "small"));
        bed.slice("b", gpu("g0", "size", "large"));
        String size = "device.attributes[\"" + DeviceBed.DRIVER + "\"].size == \"%s\"";
        var claim =
                firstOf(
                        "r",
                        ask("huge", "gpu", 1, size.formatted("huge")),
                        ask("large", "gpu", 1, size.formatted("large")),
                        ask("any", "gpu", 1));
        bed.claim("c1", claim);
        bed.create(bed.pod("p1", "c1"));
        assertThat(bed.devicesOf("c1")).containsExactly("r/large=b/g0");
        bed.claim("c2", claim);
        bed.create(bed.pod("p2", "c2"));
        assertThat(bed.devicesOf("c2")).containsExactly("r/any=a/g0");
    }

    @Test
    @Tag("DR-35")
    void administratorsUseDevicesThatOthersHave() {
        bed.slice("a", gpu("g0"));
        bed.claim("c1", ONE);
        bed.create(bed.pod("p1", "c1"));
        bed.claim("c2", exactly(admin("r", "gpu")));
        bed.create(bed.pod("p2", "c2"));
        assertThat(bed.devicesOf("c2")).containsExactly("r=a/g0");
        assertThat(bed.allocationOf("c2").results().getFirst().adminAccess()).isTrue();
    }

    @Test
    @Tag("DR-48")
    void partitionsShareWhatTheirDeviceHas() {
        bed.partitions(
                "a",
                counters("gpu-0", 40),
                partition("whole", 40),
                partition("half-0", 20),
                partition("half-1", 20));
        bed.claim("c1", exactly(ask("r", "gpu", 2)));
        bed.create(bed.pod("p1", "c1"));
        assertThat(bed.devicesOf("c1")).containsExactly("r=a/half-0", "r=a/half-1");
        bed.claim("c2", ONE);
        bed.create(bed.pod("p2", "c2"));
        assertThat(bed.message("p2")).isEqualTo(NONE_LEFT);
        bed.claims.change("default/c1", claim -> claim.with(null, List.of(), List.of()));
        bed.pass(10);
        assertThat(bed.devicesOf("c2")).containsExactly("r=a/whole");
    }

    @Test
    @Tag("DR-46")
    @Tag("DR-47")
    void capacityIsSharedUntilItIsGone() {
        bed.slice("a", shareable("g0", "10Gi"));
        for (int i = 0; i < 3; i++) {
            bed.claim("c" + i, exactly(share("r", "gpu", "4Gi")));
            bed.create(bed.pod("p" + i, "c" + i));
        }
        var first = bed.allocationOf("c0").results().getFirst();
        var second = bed.allocationOf("c1").results().getFirst();
        assertThat(first.consumedCapacity()).isEqualTo(Map.of("memory", Quantity.parse("4Gi")));
        assertThat(first.shareId())
                .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
                .isNotEqualTo(second.shareId());
        assertThat(bed.message("p2")).isEqualTo(NONE_LEFT);
    }

    @Test
    @Tag("DR-50")
    void taintedDeviceIsForThoseWhoTolerateIt() {
        bed.slice("a", tainted("g0", "NoSchedule"));
        bed.claim("c1", ONE);
        bed.create(bed.pod("p1", "c1"));
        assertThat(bed.message("p1")).isEqualTo(NONE_LEFT);
        bed.claim("c2", exactly(tolerating("r", "gpu")));
        bed.create(bed.pod("p2", "c2"));
        assertThat(bed.devicesOf("c2")).containsExactly("r=a/g0");
    }

    @Test
    @Tag("DR-12")
    @Tag("DR-15")
    void unusedClaimGivesUpItsDevicesForAPodThatFitsElsewhere() {
        bed.slice("a", gpu("g0"));
        bed.claim("c", ONE);
        bed.create(bed.pod("p", "c"));
        assertThat(bed.devicesOf("c")).containsExactly("r=a/g0");
        bed.claims.change(
                "default/c", claim -> claim.with(claim.allocation(), List.of(), List.of()));
        bed.scheduler.remove(io.berth.testkit.Nodes.node("a").build());
        bed.slice("b", gpu("g0"));
        bed.create(bed.pod("q", "c"));
        bed.pass(10);
        assertThat(bed.nodeOf("q")).isEqualTo("b");
        assertThat(bed.devicesOf("c")).containsExactly("r=b/g0");
        assertThat(bed.consumersOf("c")).containsExactly("q");
    }

    @Test
    @Tag("DR-15")
    void claimThatOthersUseKeepsItsDevices() {
        bed.slice("a", gpu("g0"));
        bed.claim("c", ONE);
        bed.create(bed.pod("p", "c"));
        bed.scheduler.remove(io.berth.testkit.Nodes.node("a").build());
        bed.slice("b", gpu("g0"));
        bed.create(bed.pod("q", "c"));
        bed.pass(10);
        assertThat(bed.message("q"))
                .isEqualTo(
                        "0/1 nodes are available: 1 resourceclaim not available on the node. still"
                                + " not schedulable, preemption: 0/1 nodes are available: 1"
                                + " Preemption is not helpful for scheduling.");
        assertThat(bed.devicesOf("c")).containsExactly("r=a/g0");
    }
}
