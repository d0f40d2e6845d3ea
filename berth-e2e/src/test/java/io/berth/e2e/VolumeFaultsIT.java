package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.FaultyProxy;
import io.berth.e2e.fixture.HeldWrites;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.RealScheduler;
import io.berth.e2e.fixture.Thorough;
import io.berth.e2e.fixture.VolumeFacts;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Pods with claims while a scheduler, the API server or the network between them dies after a
/// volume was written and before the claim is: nothing is lost, and no second volume is taken. The
/// same facts hold for the real kube-scheduler.
///
/// Nobody binds claims or makes volumes here but the test.
@Thorough
@Tag("VB-17")
@Tag("VB-18")
final class VolumeFaultsIT {
    @Nested
    @PackagedScheduler
    @RealControlPlane
    class Berth extends Facts {}

    @Nested
    @RealScheduler
    @RealControlPlane
    class KubeScheduler extends Facts {}

    abstract static class Facts extends VolumeFacts {
        /// A profile of schedulers that a fact starts, and kills.
        private static final String MORTAL = "mortal";

        /// Two claims: for one a volume is kept, for the other a node is written, and between the
        /// two writes the scheduler dies.
        @Test
        void aSchedulerThatDiesBetweenTwoWrites() {
            twoNodesWithAVolumeEach();
            storage().claim("made", "made", "ReadWriteOnce");
            try (var held = HeldWrites.refusedInTheEnd(plane().admin(), namespace())) {
                held.awaitInForce("made", LIMIT);
                try (var first = mortal(plane().schedulerKubeconfig())) {
                    podWith("p", MORTAL, "here", "made");
                    first.process().await("writing to the claim", LIMIT, () -> held.count() > 0);
                    assertThat(storage().volumesOf("here")).hasSize(1);
                    first.process().kill();
                }
            }
            assertThat(storage().selectedNode("made")).isEmpty();
            var kept = storage().volumesOf("here").getFirst();

            try (var second = mortal(plane().schedulerKubeconfig())) {
                assertBothClaimsLeadToOneNode(kept, second);
            }
        }

        /// As above, and it is the API server that dies: the scheduler cannot even say that it
        /// failed.
        @Test
        void anApiServerThatDiesBetweenTwoWrites() {
            twoNodesWithAVolumeEach();
            storage().claim("made", "made", "ReadWriteOnce");
            try (var held = HeldWrites.refusedInTheEnd(plane().admin(), namespace())) {
                held.awaitInForce("made", LIMIT);
                podWith("p", "default-scheduler", "here", "made");
                await("writing to the claim", () -> held.count() > 0);
                assertThat(storage().volumesOf("here")).hasSize(1);
                awaitVolumesSeen();
                restartApiServer();
            }
            assertThat(storage().selectedNode("made")).isEmpty();
            assertBothClaimsLeadToOneNode(storage().volumesOf("here").getFirst(), scheduler());
        }

        /// The claim of a volume that was there is the controller's to write; before it does,
        /// everybody else dies.
        @Test
        void aSchedulerAndAnApiServerThatDieBeforeTheClaimIsBound() {
            twoNodesWithAVolumeEach();
            try (var first = mortal(plane().schedulerKubeconfig())) {
                podWith("p", MORTAL, "here");
                first.process()
                        .await(
                                "keeping a volume",
                                LIMIT,
                                () -> !storage().volumesOf("here").isEmpty());
                first.process().kill();
            }
            restartApiServer();
            var kept = storage().volumesOf("here").getFirst();
            assertThat(objects().pod("p").text("/spec/nodeName")).isEmpty();

            try (var second = mortal(plane().schedulerKubeconfig())) {
                storage().bind("here", kept);
                assertPlacedWithItsVolume(kept, second);
            }
        }

        /// The volume is written, and the scheduler never hears of it.
        @Test
        void aVolumeThatWasWrittenWithoutAnAnswer() {
            node("a", "{}");
            awaitKnown(1, 0);
            storage().localVolume("v", "local", "a");
            storage().claim("here", "local", "ReadWriteOnce");
            try (var network = new FaultyProxy(plane().url().getPort());
                    var mortal = mortal(plane().schedulerKubeconfigThrough(network.port()))) {
                try (var held = HeldWrites.doneInTheEnd(plane().admin(), namespace())) {
                    held.awaitInForce("v", LIMIT);
                    podWith("p", MORTAL, "here");
                    mortal.process().await("writing the volume", LIMIT, () -> held.count() > 0);
                    assertThat(storage().volumesOf("here")).isEmpty();
                    network.forget();
                }
                mortal.process()
                        .await(
                                "cut off after its write",
                                LIMIT,
                                () -> !storage().volumesOf("here").isEmpty());
                network.cut();
                mortal.process()
                        .await(
                                "telling that it could not write",
                                LIMIT,
                                () -> !failedWrites("p").isEmpty());
                storage().bind("here", "v");
                objects()
                        .awaitPod("p", LIMIT, mortal, pod -> !pod.text("/spec/nodeName").isEmpty());
            }
            assertThat(storage().volumesOf("here")).containsExactly("v");
        }

        /// Only the controller may set such a volume free.
        @Test
        void aVolumeThatIsKeptForAClaimThatWasDeletedIsNotForItsSuccessor() {
            node("a", "{}");
            awaitKnown(1, 0);
            storage().localVolume("v", "local", "a");
            storage().claim("here", "local", "ReadWriteOnce");
            podWith("p", "default-scheduler", "here");
            await("keeping the volume", () -> !storage().volumesOf("here").isEmpty());
            storage().deleteClaim("here");
            awaitMessage("persistentvolumeclaim \"here\" not found");

            storage().claim("here", "local", "ReadWriteOnce");
            awaitMessage("1 node(s) didn't find available persistent volumes to bind");
            assertThat(storage().volumesOf("here")).isEmpty();
            storage().free("v");
            await("keeping the volume", () -> !storage().volumesOf("here").isEmpty());
            storage().bind("here", "v");
            assertThat(placeOf("p")).isEqualTo("a");
        }

        private void twoNodesWithAVolumeEach() {
            node("a", "{}");
            node("b", "{}");
            awaitKnown(2, 0);
            storage().localVolume("of-a", "local", "a");
            storage().localVolume("of-b", "local", "b");
            storage().claim("here", "local", "ReadWriteOnce");
        }

        /// Waits until the scheduler has heard of all that happened to volumes so far: it takes one
        /// that was made after that. Whoever has not heard of its own write may take another volume
        /// when its connections are gone, and so may kube-scheduler.
        private void awaitVolumesSeen() {
            storage().waitingClass("last", "kubernetes.io/no-provisioner");
            storage().localVolume("last", "last", "a");
            storage().claim("last", "last", "ReadWriteOnce");
            podWith("last", "default-scheduler", "last");
            await("keeping the last volume", () -> !storage().volumesOf("last").isEmpty());
        }

        private void assertBothClaimsLeadToOneNode(String kept, SchedulerProcess scheduler) {
            scheduler
                    .process()
                    .await(
                            "writing to the claim",
                            LIMIT,
                            () -> !storage().selectedNode("made").isEmpty());
            assertThat(storage().selectedNode("made")).isEqualTo(nodeOf(kept));
            storage().bind("here", kept);
            storage().provision("made");
            assertPlacedWithItsVolume(kept, scheduler);
        }

        private void assertPlacedWithItsVolume(String kept, SchedulerProcess scheduler) {
            objects().awaitPod("p", LIMIT, scheduler, pod -> !pod.text("/spec/nodeName").isEmpty());
            assertThat(objects().pod("p").text("/spec/nodeName")).isEqualTo(nodeOf(kept));
            assertThat(storage().volumesOf("here")).containsExactly(kept);
            var other = kept.equals("of-a") ? "of-b" : "of-a";
            assertThat(storage().volume(other).at("/spec").has("claimRef")).isFalse();
        }

        private static String nodeOf(String volume) {
            return volume.substring("of-".length());
        }

        private List<String> failedWrites(String pod) {
            return objects().events(pod, "FailedScheduling").stream()
                    .map(event -> event.at("/note").asText())
                    .filter(note -> note.startsWith("running PreBind plugin \"VolumeBinding\": "))
                    .toList();
        }

        private void awaitMessage(String part) {
            awaitPod("p", _ -> scheduled("p").at("/message").asText().contains(part));
        }

        private void restartApiServer() {
            plane().apiServer().kill();
            plane().apiServer().start();
            plane().awaitReady();
        }

        private SchedulerProcess mortal(Path kubeconfig) {
            return plane().start(
                            program(), "--config=" + settings(kubeconfig, Map.of(MORTAL, 600)));
        }
    }
}
