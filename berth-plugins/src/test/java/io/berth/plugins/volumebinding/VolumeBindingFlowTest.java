package io.berth.plugins.volumebinding;

import static io.berth.plugins.volumebinding.Fixtures.DRIVER;
import static io.berth.plugins.volumebinding.Fixtures.ZONE;
import static io.berth.plugins.volumebinding.Fixtures.claim;
import static io.berth.plugins.volumebinding.Fixtures.in;
import static io.berth.plugins.volumebinding.Fixtures.node;
import static io.berth.plugins.volumebinding.Fixtures.podWith;
import static io.berth.plugins.volumebinding.Fixtures.volume;
import static io.berth.plugins.volumebinding.Fixtures.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.Handle;
import io.berth.api.model.PersistentVolume.ClaimReference;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.engine.Inspection;
import io.berth.plugins.InTree;
import io.berth.testkit.InMemoryVolumes;
import io.berth.testkit.Pods;
import io.berth.testkit.TestPlugins;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// From the choice of a node to bound volumes, in the real engine.
final class VolumeBindingFlowTest {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private @Nullable Handle handle;
    private final TestScheduler scheduler = scheduler();
    private final InMemoryVolumes volumes = scheduler.cluster().volumes();

    /// The default plugins, with what the one that is tested was given at hand.
    private TestScheduler scheduler() {
        var plugins =
                TestPlugins.of(InTree.factories(), InTree.defaults())
                        .madeBy(
                                TestPlugins.factory(
                                        VolumeBinding.NAME,
                                        given -> {
                                            handle = given;
                                            return new VolumeBinding(
                                                    VolumeBindingArguments.DEFAULT, given);
                                        }));
        return TestScheduler.with(plugins.factories(), plugins.profile());
    }

    @BeforeEach
    void addNodes() {
        scheduler.add(node("a1", "a"));
        scheduler.add(waiting("wait", DRIVER));
    }

    private void create(Pod pod) {
        scheduler.create(pod);
        scheduler.settle();
    }

    private void pass(int seconds) {
        scheduler.pass(Duration.ofSeconds(seconds));
    }

    private String nodeOf(String pod) {
        return scheduler.nodeOf("default/" + pod);
    }

    private String message() {
        return scheduler.messageOf("default/p");
    }

    private int assumedCount() {
        return AssumedVolumes.of(Objects.requireNonNull(handle)).count();
    }

    /// What the controller of volumes does once a claim's node is selected.
    private void provision(String name, String zone) {
        var claim = volumes.claim("default/" + name);
        volumes.put(
                volume("pv-" + name, "1Gi")
                        .claim(new ClaimReference("default", name, claim.uid()))
                        .nodeAffinity(in(ZONE, zone))
                        .phase("Bound")
                        .build());
        volumes.changeClaim(
                "default/" + name, old -> old.toBuilder().boundTo("pv-" + name).build());
        scheduler.settle();
    }

    @Nested
    @Tag("VB-15")
    @Tag("VB-17")
    final class Provisioned {
        @BeforeEach
        void addClaim() {
            volumes.put(claim("c", "1Gi").build());
        }

        @Test
        void nodeIsWrittenToTheClaimAndThePodWaitsForTheVolume() {
            create(podWith("c"));
            assertThat(volumes.claim("default/c").selectedNode()).isEqualTo("a1");
            pass(5);
            assertThat(nodeOf("p")).isEmpty();
            provision("c", "a");
            assertThat(nodeOf("p")).as("the next look is due within a second").isEmpty();
            pass(1);
            assertThat(nodeOf("p")).isEqualTo("a1");
            assertThat(assumedCount()).isZero();
        }

        @Test
        void podFailsWhereTheVolumeDoesNotCome() {
            create(podWith("c"));
            scheduler.pass(LIMIT.minusSeconds(1));
            assertThat(message()).isEmpty();
            pass(1);
            assertThat(message())
                    .isEqualTo(
                            "running PreBind plugin \"VolumeBinding\": binding volumes: context"
                                    + " deadline exceeded");
            assertThat(assumedCount()).isZero();
        }

        @Test
        void podFailsWhereTheProvisionerWantsAnotherNode() {
            create(podWith("c"));
            volumes.changeClaim("default/c", old -> old.toBuilder().selectedNode(null).build());
            pass(1);
            assertThat(message())
                    .isEqualTo(
                            "running PreBind plugin \"VolumeBinding\": binding volumes:"
                                    + " provisioning failed for PVC \"c\"");
        }

        @Test
        void podFailsWhereTheVolumeIsMadeElsewhere() {
            create(podWith("c"));
            provision("c", "b");
            pass(1);
            assertThat(message())
                    .isEqualTo(
                            "running PreBind plugin \"VolumeBinding\": binding volumes: pv \"pv-c\""
                                    + " node affinity doesn't match node \"a1\": no matching"
                                    + " NodeSelectorTerms");
        }

        @Test
        void podFailsWhereTheClaimIsGone() {
            create(podWith("c"));
            volumes.removeClaim(volumes.claim("default/c"));
            pass(1);
            assertThat(message())
                    .isEqualTo(
                            "running PreBind plugin \"VolumeBinding\": binding volumes: failed to"
                                    + " check provisioning pvc: persistentvolumeclaims"
                                    + " \"default/c\" not found");
        }

        @Test
        void podFailsWhereTheNodeIsGone() {
            create(podWith("c"));
            scheduler.remove(node("a1", "a"));
            pass(1);
            assertThat(nodeOf("p")).isEmpty();
            assertThat(message()).isNotEmpty();
        }

        /// The simulation came upon it: the node had been selected before, as by a scheduler that
        /// ended then. Writing that again changes nothing, so the claim was never seen anew, and
        /// stayed in thought for ever.
        @Test
        void writeThatChangesNothingLeavesNothingAssumed() {
            volumes.changeClaim("default/c", old -> old.toBuilder().selectedNode("a1").build());
            create(podWith("c"));
            assertThat(assumedCount()).isZero();
            provision("c", "a");
            pass(1);
            assertThat(nodeOf("p")).isEqualTo("a1");
        }

        @Test
        void refusedWriteLeavesNothingAssumed() {
            volumes.failNext(
                    new ClusterException(ClusterException.Kind.CONFLICT, "modified"), false);
            create(podWith("c"));
            assertThat(message()).isEqualTo("running PreBind plugin \"VolumeBinding\": modified");
            assertThat(assumedCount()).isZero();
            assertThat(volumes.claim("default/c").selectedNode()).isNull();
        }

        @Test
        void lostAnswerLeavesNothingHalfAssumed() {
            volumes.failNext(
                    new ClusterException(ClusterException.Kind.TIMEOUT, "no answer"), true);
            create(podWith("c"));
            assertThat(assumedCount()).isZero();
            assertThat(volumes.claim("default/c").selectedNode()).isEqualTo("a1");
            pass(20);
            provision("c", "a");
            pass(60);
            assertThat(nodeOf("p")).isEqualTo("a1");
        }

        @Test
        void whatIsSeenBeforeTheEchoOfTheWriteMeansNotYet() {
            scheduler.create(podWith("c"));
            scheduler.cluster().hold();
            scheduler.settle();
            pass(5);
            assertThat(message()).isEmpty();
            assertThat(assumedCount()).as("until it is seen").isEqualTo(1);
            scheduler.cluster().release();
            scheduler.settle();
            assertThat(assumedCount()).isZero();
        }
    }

    @Nested
    @Tag("VB-15")
    @Tag("VB-18")
    final class Static {
        @BeforeEach
        void noProvisioner() {
            scheduler.add(waiting("wait", StorageClass.NO_PROVISIONER));
        }

        @Test
        void volumeIsKeptForTheClaimAndThePodWaitsForBoth() {
            volumes.put(volume("v", "1Gi").build());
            volumes.put(claim("c", "1Gi").build());
            create(podWith("c"));
            assertThat(volumes.volume("v").claim())
                    .isEqualTo(new ClaimReference("default", "c", "u-c"));
            volumes.changeClaim("default/c", old -> old.toBuilder().boundTo("v").build());
            pass(1);
            assertThat(nodeOf("p")).isEqualTo("a1");
        }

        @Test
        void twoPodsDoNotGetOneVolume() {
            volumes.put(volume("v", "1Gi").build());
            volumes.put(claim("c", "1Gi").build());
            volumes.put(claim("d", "1Gi").build());
            scheduler.cluster().hold();
            scheduler.cluster().create(podWith("c"));
            scheduler.cluster().create(podWith(Pods.pod("q").build(), "d"));
            scheduler.cluster().release();
            scheduler.settle();
            assertThat(scheduler.messageOf("default/q"))
                    .contains("node(s) didn't find available persistent volumes to bind");
            assertThat(Objects.requireNonNull(volumes.volume("v").claim()).name()).isEqualTo("c");
        }

        /// Who has not seen its own write when the next attempt comes must not take a second
        /// volume.
        @Test
        void volumeWhoseWriteGotNoAnswerIsNotForgotten() {
            volumes.put(volume("v", "1Gi").nodeAffinity(in(ZONE, "a")).build());
            volumes.put(volume("w", "2Gi").nodeAffinity(in(ZONE, "b")).build());
            volumes.put(claim("c", "1Gi").build());
            scheduler.create(podWith("c"));
            scheduler.cluster().hold();
            volumes.failNext(
                    new ClusterException(ClusterException.Kind.TIMEOUT, "no answer"), true);
            scheduler.settle();
            assertThat(volumes.volume("v").claim()).isNotNull();
            assertThat(assumedCount()).as("until it is seen").isEqualTo(1);
            // From now on only the other volume can be reached.
            scheduler.remove(node("a1", "a"));
            scheduler.add(node("b1", "b"));
            pass(20);
            assertThat(volumes.volume("w").claim()).isNull();
            scheduler.cluster().release();
            scheduler.settle();
            assertThat(assumedCount()).isZero();
        }

        /// The write that was lost never came to the server.
        @Test
        void volumeThatWasNotWrittenIsForgotten() {
            volumes.put(volume("v", "1Gi").build());
            volumes.put(claim("c", "1Gi").build());
            volumes.failNext(
                    new ClusterException(ClusterException.Kind.TIMEOUT, "no answer"), false);
            create(podWith("c"));
            assertThat(assumedCount()).isZero();
            assertThat(volumes.volume("v").claim()).isNull();
        }

        @Test
        void podFailsWhereTheVolumeIsTakenAway() {
            volumes.put(volume("v", "1Gi").build());
            volumes.put(claim("c", "1Gi").build());
            create(podWith("c"));
            volumes.changeVolume("v", old -> old.toBuilder().claim(null).build());
            pass(1);
            assertThat(message())
                    .isEqualTo(
                            "running PreBind plugin \"VolumeBinding\": binding volumes: ClaimRef"
                                    + " got reset for pv \"v\"");
        }

        /// Another pod with the claim was given another volume, and was quicker.
        @Test
        void podFailsWhereTheClaimGotAnotherVolumeThatItsNodeCannotReach() {
            volumes.put(volume("v", "1Gi").build());
            volumes.put(volume("w", "1Gi").nodeAffinity(in(ZONE, "b")).build());
            volumes.put(claim("c", "1Gi").build());
            create(podWith("c"));
            volumes.changeClaim("default/c", old -> old.toBuilder().boundTo("w").build());
            pass(1);
            assertThat(nodeOf("p")).isEmpty();
            assertThat(message())
                    .isEqualTo(
                            "running PreBind plugin \"VolumeBinding\": binding volumes: pv \"w\""
                                    + " node affinity doesn't match node \"a1\": no matching"
                                    + " NodeSelectorTerms");
        }

        @Test
        void podIsBoundWhereTheClaimGotAnotherVolumeThatItsNodeReaches() {
            volumes.put(volume("v", "1Gi").build());
            volumes.put(claim("c", "1Gi").build());
            create(podWith("c"));
            volumes.changeClaim("default/c", old -> old.toBuilder().boundTo("w").build());
            pass(1);
            assertThat(nodeOf("p")).isEmpty();
            volumes.put(volume("w", "1Gi").nodeAffinity(in(ZONE, "a")).build());
            pass(1);
            assertThat(nodeOf("p")).isEqualTo("a1");
        }

        @Test
        void whatWasNotSentIsTakenBackAndWhatWasStays() {
            volumes.put(volume("v1", "1Gi").build());
            volumes.put(volume("v2", "2Gi").build());
            volumes.put(claim("c", "1Gi").build());
            volumes.put(claim("d", "2Gi").build());
            scheduler.create(podWith("c", "d"));
            while (scheduler.engine().step()) {
                // the pod has its node, its binding has not begun
            }
            assertThat(assumedCount()).isEqualTo(2);
            scheduler.add(volume("v2", "2Gi").resourceVersion("99").phase("Released").build());
            volumes.changeVolume("v2", old -> old.toBuilder().phase("Released").build());
            scheduler.settle();
            assertThat(volumes.volume("v1").claim()).isNotNull();
            assertThat(volumes.volume("v2").claim()).isNull();
            assertThat(assumedCount()).isZero();
            assertThat(nodeOf("p")).isEmpty();
        }
    }

    @Test
    @Tag("VB-16")
    void podWhoseClaimsAreBoundWaitsForNothing() {
        volumes.put(claim("c", "1Gi").boundTo("v").build());
        volumes.put(volume("v", "1Gi").build());
        create(podWith("c"));
        assertThat(nodeOf("p")).isEqualTo("a1");
    }

    @Test
    @Tag("VB-17")
    void podThatIsDeletedIsNotWaitedForAnyLonger() {
        volumes.put(claim("c", "1Gi").build());
        create(podWith("c"));
        scheduler.cluster().remove(podWith("c"));
        pass(2);
        assertThat(assumedCount()).isZero();
        assertThat(Inspection.of(scheduler.engine()).state().assumedCount()).isZero();
    }

    @Test
    @Tag("VB-19")
    void podIsTriedAgainWhenItsClaimComes() {
        create(podWith("c"));
        assertThat(message()).contains("persistentvolumeclaim \"c\" not found");
        volumes.put(claim("c", "1Gi").boundTo("v").build());
        volumes.put(volume("v", "1Gi").build());
        pass(20);
        assertThat(nodeOf("p")).isEqualTo("a1");
        assertThat(assumedCount()).isZero();
    }
}
