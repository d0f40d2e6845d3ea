package io.berth.plugins.dynamicresources;

import static io.berth.plugins.dynamicresources.DeviceBed.ask;
import static io.berth.plugins.dynamicresources.DeviceBed.awaited;
import static io.berth.plugins.dynamicresources.DeviceBed.exactly;
import static io.berth.plugins.dynamicresources.DeviceBed.gpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceId;
import io.berth.api.handle.ClusterException;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceClaim.Condition;
import io.berth.api.model.ResourceClaim.Consumer;
import io.berth.api.model.ResourceClaim.DeviceStatus;
import io.berth.api.write.Write;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What becomes of claims when writing them does not go as planned.
@Tag("DR-18")
class ClaimWritesTest {
    private static final DeviceClaim ONE = exactly(ask("r", "gpu", 1));
    private static final String FAILED = "running PreBind plugin \"DynamicResources\": ";

    private final DeviceBed bed = new DeviceBed();

    @BeforeEach
    void addDevices() {
        bed.node("a");
        bed.deviceClass("gpu", null);
        bed.slice("a", gpu("g0"));
    }

    private static ClusterException failure(ClusterException.Kind kind) {
        return new ClusterException(kind, "sorry");
    }

    /// A fresh claim's device must be free again for another pod.
    private void assertFree() {
        bed.claim("other", ONE);
        bed.create(bed.pod("other", "other"));
        assertThat(bed.devicesOf("other")).containsExactly("r=a/g0");
    }

    @Test
    void refusedFinalizerLeavesTheDeviceFree() {
        bed.claim("c", ONE);
        bed.claims.failNext(
                Write.ProtectClaim.class, failure(ClusterException.Kind.REFUSED), false);
        bed.scheduler.create(bed.pod("p", "c"));
        bed.scheduler.settle();
        assertThat(bed.message("p")).isEqualTo(FAILED + "add finalizer to claim default/c: sorry");
        assertThat(bed.stored("c").allocation()).isNull();
        assertFree();
    }

    @Test
    void refusedStatusLeavesTheDeviceFree() {
        bed.claim("c", ONE);
        bed.claims.failNext(
                Write.SetClaimStatus.class, failure(ClusterException.Kind.UNAVAILABLE), false);
        bed.create(bed.pod("p", "c"));
        assertThat(bed.message("p"))
                .isEqualTo(FAILED + "add allocation and reservation to claim default/c: sorry");
        assertFree();
    }

    @Test
    void attemptAfterARefusalSucceeds() {
        bed.claim("c", ONE);
        bed.claims.failNext(
                Write.SetClaimStatus.class, failure(ClusterException.Kind.UNAVAILABLE), false);
        bed.create(bed.pod("p", "c"));
        bed.pass(10);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(bed.devicesOf("c")).containsExactly("r=a/g0");
    }

    @Test
    void lostAnswerIsLookedUp() {
        bed.claim("c", ONE);
        bed.claims.failNext(
                Write.SetClaimStatus.class, failure(ClusterException.Kind.TIMEOUT), true);
        bed.create(bed.pod("p", "c"));
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(bed.devicesOf("c")).containsExactly("r=a/g0");
        assertThat(bed.consumersOf("c")).containsExactly("p");
    }

    @Test
    void writeThatGotLostIsRepeated() {
        bed.claim("c", ONE);
        bed.claims.failNext(
                Write.ProtectClaim.class, failure(ClusterException.Kind.TIMEOUT), false);
        bed.claims.failNext(
                Write.SetClaimStatus.class, failure(ClusterException.Kind.TIMEOUT), false);
        bed.create(bed.pod("p", "c"));
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(bed.consumersOf("c")).containsExactly("p");
    }

    @Test
    void harmlessChangeMeanwhileIsNoObstacle() {
        var claim = bed.claim("c", ONE);
        bed.claims.putUnseen(claim);
        bed.create(bed.pod("p", "c"));
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(bed.consumersOf("c")).containsExactly("p");
    }

    @Test
    void claimThatGotDevicesElsewhereIsLeftAlone() {
        bed.claim("c", ONE);
        bed.create(bed.pod("first", "c"));
        var taken = bed.stored("c");
        bed.claims.remove("default/c");
        bed.claim("c", ONE);
        bed.claims.putUnseen(
                bed.stored("c")
                        .with(
                                taken.allocation(),
                                List.of(new Consumer("", "pods", "x", "u-x")),
                                List.of()));
        bed.create(bed.pod("p", "c"));
        assertThat(bed.message("p"))
                .isEqualTo(FAILED + "claim default/c got allocated elsewhere in the meantime");
        assertThat(bed.consumersOf("c")).containsExactly("x");
    }

    @Test
    void claimThatLostItsDevicesIsNotReserved() {
        bed.claim("c", ONE);
        bed.create(bed.pod("first", "c"));
        bed.claims.putUnseen(bed.stored("c").with(null, List.of(), List.of()));
        bed.create(bed.pod("p", "c"));
        assertThat(bed.message("p"))
                .isEqualTo(FAILED + "claim default/c got deallocated elsewhere in the meantime");
    }

    @Test
    void claimThatIsBeingDeletedIsNotReserved() {
        var claim = bed.claim("c", ONE);
        bed.claims.putUnseen(
                new ResourceClaim(
                        claim.namespace(),
                        claim.name(),
                        claim.uid(),
                        "",
                        null,
                        true,
                        true,
                        false,
                        claim.spec(),
                        null,
                        List.of(),
                        List.of()));
        bed.create(bed.pod("p", "c"));
        assertThat(bed.message("p"))
                .isEqualTo(FAILED + "claim default/c got deleted in the meantime");
    }

    @Test
    void goneClaimIsTold() {
        bed.claim("c", ONE);
        bed.claims.failNext(
                Write.ProtectClaim.class, failure(ClusterException.Kind.CONFLICT), false);
        bed.scheduler.cluster().hold();
        bed.claims.remove("default/c");
        bed.scheduler.cluster().create(bed.pod("p", "c"));
        bed.scheduler.cluster().release();
        bed.scheduler.settle();
        assertThat(bed.nodeOf("p")).isEmpty();
    }

    @Test
    @Tag("DR-20")
    void podThatCannotBeBoundGivesItsReservationUp() {
        bed.claim("c", ONE);
        bed.scheduler.cluster().failNextBind("default/p", failure(ClusterException.Kind.REFUSED));
        bed.create(bed.pod("p", "c"));
        assertThat(bed.claims.written())
                .last()
                .isInstanceOfSatisfying(
                        Write.ReleaseClaim.class,
                        release -> assertThat(release.consumer()).isNotEmpty());
        assertThat(bed.consumersOf("c")).isEmpty();
        assertThat(bed.devicesOf("c")).containsExactly("r=a/g0");
        bed.pass(10);
        assertThat(bed.nodeOf("p")).isEqualTo("a");
        assertThat(bed.consumersOf("c")).containsExactly("p");
    }

    @Test
    @Tag("DR-15")
    void failedDeallocationIsTriedAgain() {
        bed.claim("c", ONE);
        bed.create(bed.pod("p", "c"));
        bed.claims.change(
                "default/c", claim -> claim.with(claim.allocation(), List.of(), List.of()));
        bed.scheduler.remove(io.berth.testkit.Nodes.node("a").build());
        bed.node("b");
        bed.slice("b", gpu("g0"));
        bed.claims.failNext(
                Write.SetClaimStatus.class, failure(ClusterException.Kind.UNAVAILABLE), false);
        bed.create(bed.pod("q", "c"));
        assertThat(bed.notes())
                .filteredOn(note -> note.contains("deallocation of ResourceClaim completed"))
                .isNotEmpty();
        bed.pass(30);
        assertThat(bed.nodeOf("q")).isEqualTo("b");
    }

    /// What an earlier attempt has left of its work.
    @Nested
    class LeftByAnEarlierAttempt {
        private final Pod pod = bed.pod("p", "c");

        @BeforeEach
        void reserve() {
            bed.claim("c", ONE);
            bed.create(bed.pod("first", "c"));
            bed.claims.change(
                    "default/c",
                    claim -> claim.with(claim.allocation(), List.of(Consumer.of(pod)), List.of()));
        }

        @Test
        void reservationIsGoodEnough() {
            int before = bed.claims.written().size();
            bed.create(pod);
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.claims.written()).hasSize(before);
        }

        /// A claim was given up for a pod, and the answer was lost. The watch was behind, so when
        /// the pod found a place it was bound at once, to a claim without devices.
        @Test
        void reservationThatWasGivenUpUnseenIsNotTrusted() {
            bed.claims.putUnseen(bed.stored("c").with(null, List.of(), List.of()));
            bed.create(pod);
            assertThat(bed.message("p"))
                    .isEqualTo(
                            FAILED + "claim default/c got deallocated elsewhere in the meantime");
            assertThat(bed.nodeOf("p")).isEmpty();
        }

        @Test
        void reservationThatWasTakenBackUnseenIsMadeAnew() {
            var claim = bed.stored("c");
            bed.claims.putUnseen(claim.with(claim.allocation(), List.of(), List.of()));
            bed.create(pod);
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.consumersOf("c")).containsExactly("p");
        }

        @Test
        void podWaitsWhileItsClaimIsBeingGivenUp() {
            bed.scheduler
                    .cluster()
                    .failNextBind("default/p", failure(ClusterException.Kind.REFUSED));
            bed.scheduler.create(pod);
            runAllButReleases();
            bed.scheduler.clock().advance(java.time.Duration.ofSeconds(10));
            runAllButReleases();
            assertThat(bed.nodeOf("p")).isEmpty();
            assertThat(bed.message("p"))
                    .isEqualTo(FAILED + "claim default/c is being given up by an earlier attempt");
            bed.scheduler.settle();
            bed.pass(20);
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.consumersOf("c")).containsExactly("p");
        }

        private void runAllButReleases() {
            var tasks = bed.scheduler.tasks();
            while (bed.scheduler.engine().step()
                    || tasks.runOne("status")
                    || tasks.runOne("bind")
                    || tasks.runOne("prepare")) {}
        }
    }

    @Test
    @Tag("DR-15")
    void deallocationThatWillNeverBeAllowedIsNotTriedAtOnce() {
        bed.claim("c", ONE);
        bed.create(bed.pod("p", "c"));
        bed.claims.change(
                "default/c", claim -> claim.with(claim.allocation(), List.of(), List.of()));
        bed.scheduler.remove(io.berth.testkit.Nodes.node("a").build());
        bed.node("b");
        bed.slice("b", gpu("g0"));
        bed.claims.failNext(
                Write.SetClaimStatus.class, failure(ClusterException.Kind.REFUSED), false);
        int before = bed.claims.written().size();
        bed.create(bed.pod("q", "c"));
        bed.pass(30);
        assertThat(bed.claims.written()).hasSize(before + 1);
    }

    @Nested
    @Tag("DR-19")
    class Conditions {
        @BeforeEach
        void addAwaited() {
            bed.slice("a", awaited("g0"));
            bed.claim("c", ONE);
        }

        private void tell(String type, String message) {
            bed.claims.change(
                    "default/c",
                    claim ->
                            claim.with(
                                    claim.allocation(),
                                    claim.reservedFor(),
                                    List.of(
                                            new DeviceStatus(
                                                    new DeviceId(DeviceBed.DRIVER, "a", "g0"),
                                                    null,
                                                    List.of(
                                                            new Condition(
                                                                    type, "True", "Because",
                                                                    message))))));
        }

        @Test
        void podWaitsUntilItsDeviceIsAttached() {
            bed.create(bed.pod("p", "c"));
            bed.pass(60);
            assertThat(bed.nodeOf("p")).isEmpty();
            assertThat(bed.consumersOf("c")).containsExactly("p");
            assertThat(bed.notes())
                    .containsExactly("waiting for binding conditions for device on node a");
            tell("Attached", "");
            bed.pass(5);
            assertThat(bed.nodeOf("p")).isEqualTo("a");
        }

        @Test
        void deviceThatFailsEndsTheBindingAndIsGivenUp() {
            bed.create(bed.pod("p", "c"));
            tell("Failed", "no \"cable\"");
            bed.scheduler.clock().advance(java.time.Duration.ofSeconds(5));
            bed.scheduler.settle();
            assertThat(bed.message("p"))
                    .isEqualTo(
                            FAILED
                                    + "device binding failed: claim=c, reason=Because,"
                                    + " message=\"no \\\"cable\\\"\"");
            bed.slice("a", gpu("g1"));
            bed.pass(60);
            assertThat(bed.nodeOf("p")).isEqualTo("a");
            assertThat(bed.devicesOf("c")).containsExactly("r=a/g1");
        }

        @Test
        void deviceThatTakesTooLongEndsTheBinding() {
            bed.create(bed.pod("p", "c"));
            bed.pass(599);
            assertThat(bed.message("p")).isEmpty();
            bed.pass(2);
            assertThat(bed.message("p")).startsWith(FAILED + "device binding timeout: ");
        }
    }
}
