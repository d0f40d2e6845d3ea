package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.RealScheduler;
import io.berth.e2e.fixture.Thorough;
import io.berth.e2e.fixture.VolumeFacts;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Pods with claims: who writes what, who waits for whom, and what is left when somebody does not
/// keep to it. The same facts hold for the real kube-scheduler.
///
/// Nobody binds claims or makes volumes here but the test.
@Thorough
final class VolumesIT {
    @Nested
    @PackagedScheduler
    @RealControlPlane
    class Berth extends Facts {}

    @Nested
    @RealScheduler
    @RealControlPlane
    class KubeScheduler extends Facts {}

    abstract static class Facts extends VolumeFacts {
        /// A profile that does not wait long for volumes.
        private static final String IMPATIENT = "impatient";

        @Override
        protected String[] flags() {
            return new String[] {
                "--config="
                        + settings(
                                plane().schedulerKubeconfig(),
                                Map.of("default-scheduler", 600, IMPATIENT, 2))
            };
        }

        @Test
        @Tag("VB-17")
        void aVolumeIsMadeForTheNodeThatWasChosen() {
            node("a", "{spec: {unschedulable: true}}");
            node("b", "{}");
            awaitKnown(2, 0);
            storage().claim("c", "made", "ReadWriteOnce");
            podWith("p", "default-scheduler", "c");

            await("writing a node to the claim", () -> !storage().selectedNode("c").isEmpty());
            assertThat(storage().selectedNode("c")).isEqualTo("b");
            assertThat(objects().pod("p").text("/spec/nodeName")).isEmpty();
            storage().provision("c");
            assertThat(placeOf("p")).isEqualTo("b");
        }

        @Test
        @Tag("VB-17")
        void aProvisionerThatGivesUpIsAskedAgain() {
            node("a", "{}");
            awaitKnown(1, 0);
            storage().claim("c", "made", "ReadWriteOnce");
            podWith("p", "default-scheduler", "c");
            await("writing a node to the claim", () -> !storage().selectedNode("c").isEmpty());
            storage().giveUp("c");

            awaitRefusal(
                    "p",
                    "running PreBind plugin \"VolumeBinding\": binding volumes: provisioning failed"
                            + " for PVC \"c\"");
            await("writing a node again", () -> !storage().selectedNode("c").isEmpty());
            storage().provision("c");
            assertThat(placeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("VB-9")
        @Tag("VB-15")
        void aLocalVolumeLeadsToItsNode() {
            node("a", "{}");
            node("b", "{}");
            awaitKnown(2, 0);
            storage().localVolume("v", "local", "b");
            storage().claim("c", "local", "ReadWriteOnce");
            podWith("p", "default-scheduler", "c");

            await("keeping the volume", () -> !storage().volumesOf("c").isEmpty());
            assertThat(
                            storage()
                                    .volume("v")
                                    .at("/metadata/annotations")
                                    .path("pv.kubernetes.io/bound-by-controller")
                                    .asText())
                    .isEqualTo("yes");
            storage().bind("c", "v");
            assertThat(placeOf("p")).isEqualTo("b");
            assertThat(storage().selectedNode("c")).isEmpty();
        }

        @Test
        @Tag("VB-2")
        @Tag("VB-17")
        void aClaimThatIsDeletedUnderWayHoldsThePodBack() {
            node("a", "{}");
            awaitKnown(1, 0);
            storage().claim("c", "made", "ReadWriteOnce");
            podWith("p", "default-scheduler", "c");
            await("writing a node to the claim", () -> !storage().selectedNode("c").isEmpty());
            storage().deleteClaim("c");

            awaitPod(
                    "p",
                    _ ->
                            scheduled("p")
                                    .at("/message")
                                    .asText()
                                    .contains("persistentvolumeclaim \"c\" not found"));
            assertThat(objects().pod("p").text("/spec/nodeName")).isEmpty();
            storage().claim("c", "made", "ReadWriteOnce");
            await("writing a node to the new claim", () -> !storage().selectedNode("c").isEmpty());
            storage().provision("c");
            assertThat(placeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("VB-1")
        @Tag("VB-17")
        void aVolumeThatDoesNotComeInTime() {
            node("a", "{}");
            awaitKnown(1, 0);
            storage().claim("c", "made", "ReadWriteOnce");
            podWith("p", IMPATIENT, "c");

            awaitRefusal(
                    "p",
                    "running PreBind plugin \"VolumeBinding\": binding volumes: context deadline"
                            + " exceeded");
            storage().provision("c");
            assertThat(placeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("VB-9")
        void oneVolumeForTwoPodsGoesToOneOfThem() {
            node("a", "{}");
            awaitKnown(1, 0);
            storage().localVolume("v", "local", "a");
            storage().claim("c1", "local", "ReadWriteOnce");
            storage().claim("c2", "local", "ReadWriteOnce");
            podWith("p1", "default-scheduler", "c1");
            podWith("p2", "default-scheduler", "c2");

            await(
                    "keeping the volume",
                    () -> !storage().volume("v").at("/spec/claimRef").isEmpty());
            var winner = storage().volumesOf("c1").isEmpty() ? "2" : "1";
            var loser = winner.equals("1") ? "2" : "1";
            assertUnplaced(
                    "p" + loser,
                    "0/1 nodes are available: 1 node(s) didn't find available persistent volumes"
                            + " to bind. no new claims to deallocate, preemption: 0/1 nodes are"
                            + " available: 1 Preemption is not helpful for scheduling.");
            storage().bind("c" + winner, "v");
            assertThat(placeOf("p" + winner)).isEqualTo("a");
            assertThat(storage().volumesOf("c" + loser)).isEmpty();
            storage().localVolume("w", "local", "a");
            await("keeping the other", () -> !storage().volumesOf("c" + loser).isEmpty());
            storage().bind("c" + loser, "w");
            assertThat(placeOf("p" + loser)).isEqualTo("a");
        }

        @Test
        @Tag("VR-3")
        @Tag("VR-5")
        void aClaimForOnePodIsTakenFromALessImportantOne() {
            priorityClass("volumes-1000", 1000, "PreemptLowerPriority");
            node("a", "{}");
            node("b", "{}");
            awaitKnown(2, 0);
            storage().claim("c", "made", "ReadWriteOncePod");
            storage().provision("c");
            podWith("low", "default-scheduler", "c");
            var place = placeOf("low");
            pod(
                    "vip",
                    "{cpu: '1'}",
                    "{spec: {priorityClassName: 'volumes-1000', %s}}".formatted(volumes("c")));

            awaitPod(
                    "low",
                    pod ->
                            pod.status() == 404
                                    || pod.body().at("/metadata").has("deletionTimestamp"));
            assertThat(placeOf("vip")).isEqualTo(place);
            assertThat(objects().pod("low").status()).isEqualTo(404);
        }
    }
}
