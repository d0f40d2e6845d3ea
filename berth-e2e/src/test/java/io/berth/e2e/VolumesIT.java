package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.HeldWrites;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.SchedulerFacts;
import io.berth.e2e.fixture.Storage;
import io.berth.e2e.fixture.Thorough;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Pods with claims: who writes what, who waits for whom, and what is left when somebody does not
/// keep to it. The same facts hold for the real kube-scheduler.
///
/// Nobody binds claims or makes volumes here but the test.
@Thorough
final class VolumesIT {
    private static final String PROVISIONER = "example.com";
    private static final String NOBODY = "kubernetes.io/no-provisioner";

    @Nested
    @PackagedScheduler
    @RealControlPlane
    class Berth extends Facts {
        Berth(ControlPlane plane) {
            super(plane, SchedulerProgram.berth().orElseThrow());
        }
    }

    @Nested
    @RealControlPlane
    class KubeScheduler extends Facts {
        KubeScheduler(ControlPlane plane) {
            super(plane, SchedulerProgram.kubeScheduler(plane.binaries()));
        }
    }

    abstract static class Facts extends SchedulerFacts {
        /// A profile that does not wait long for volumes.
        private static final String IMPATIENT = "impatient";

        /// A profile of schedulers that a fact starts, and kills.
        private static final String MORTAL = "mortal";

        private Storage storage;

        Facts(ControlPlane plane, SchedulerProgram program) {
            super(plane, program);
        }

        @Override
        protected String[] flags() {
            return new String[] {"--config=" + settings("volumes", "default-scheduler", IMPATIENT)};
        }

        private Path settings(String name, String... profiles) {
            var parts =
                    Stream.of(profiles)
                            .map(profile ->
                                    """
                                    - schedulerName: %s
                                      pluginConfig:
                                      - name: VolumeBinding
                                        args:
                                          bindTimeoutSeconds: %d
                                    """
                                            .formatted(
                                                    profile, profile.equals(IMPATIENT) ? 2 : 600))
                            .collect(Collectors.joining());
            try {
                return Files.writeString(
                        plane().folder().resolve(name + "-" + program().name() + ".yaml"),
                        """
                        apiVersion: kubescheduler.config.k8s.io/v1
                        kind: KubeSchedulerConfiguration
                        leaderElection:
                          leaderElect: false
                        clientConnection:
                          kubeconfig: %s
                        profiles:
                        %s\
                        """
                                .formatted(plane().schedulerKubeconfig(), parts));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write settings", e);
            }
        }

        @BeforeEach
        void makeClasses() {
            storage = new Storage(plane().admin(), namespace());
            storage.waitingClass("made", PROVISIONER);
            storage.waitingClass("local", NOBODY);
        }

        @AfterEach
        void deleteStorage() {
            objects().deletePods();
            storage.deleteAll();
        }

        @Test
        @Tag("VB-17")
        void aVolumeIsMadeForTheNodeThatWasChosen() {
            node("a", "{spec: {unschedulable: true}}");
            node("b", "{}");
            awaitKnown(2, 0);
            storage.claim("c", "made", "ReadWriteOnce");
            podWith("p", "default-scheduler", "c");

            await("writing a node to the claim", () -> !storage.selectedNode("c").isEmpty());
            assertThat(storage.selectedNode("c")).isEqualTo("b");
            assertThat(objects().pod("p").text("/spec/nodeName")).isEmpty();
            storage.provision("c");
            assertThat(placeOf("p")).isEqualTo("b");
        }

        @Test
        @Tag("VB-17")
        void aProvisionerThatGivesUpIsAskedAgain() {
            node("a", "{}");
            awaitKnown(1, 0);
            storage.claim("c", "made", "ReadWriteOnce");
            podWith("p", "default-scheduler", "c");
            await("writing a node to the claim", () -> !storage.selectedNode("c").isEmpty());
            storage.giveUp("c");

            objects().awaitEvent("p", "FailedScheduling", LIMIT, scheduler());
            assertThat(notes("p"))
                    .containsExactly(
                            "running PreBind plugin \"VolumeBinding\": binding volumes:"
                                    + " provisioning failed for PVC \"c\"");
            await("writing a node again", () -> !storage.selectedNode("c").isEmpty());
            storage.provision("c");
            assertThat(placeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("VB-9")
        @Tag("VB-15")
        void aLocalVolumeLeadsToItsNode() {
            node("a", "{}");
            node("b", "{}");
            awaitKnown(2, 0);
            storage.localVolume("v", "local", "b");
            storage.claim("c", "local", "ReadWriteOnce");
            podWith("p", "default-scheduler", "c");

            await("keeping the volume", () -> !storage.volumesOf("c").isEmpty());
            assertThat(
                            storage.volume("v")
                                    .at("/metadata/annotations")
                                    .path("pv.kubernetes.io/bound-by-controller")
                                    .asText())
                    .isEqualTo("yes");
            storage.bind("c", "v");
            assertThat(placeOf("p")).isEqualTo("b");
            assertThat(storage.selectedNode("c")).isEmpty();
        }

        @Test
        @Tag("VB-2")
        @Tag("VB-17")
        void aClaimThatIsDeletedUnderWayHoldsThePodBack() {
            node("a", "{}");
            awaitKnown(1, 0);
            storage.claim("c", "made", "ReadWriteOnce");
            podWith("p", "default-scheduler", "c");
            await("writing a node to the claim", () -> !storage.selectedNode("c").isEmpty());
            storage.deleteClaim("c");

            awaitPod(
                    "p",
                    _ ->
                            scheduled("p")
                                    .at("/message")
                                    .asText()
                                    .contains("persistentvolumeclaim \"c\" not found"));
            assertThat(objects().pod("p").text("/spec/nodeName")).isEmpty();
            storage.claim("c", "made", "ReadWriteOnce");
            await("writing a node to the new claim", () -> !storage.selectedNode("c").isEmpty());
            storage.provision("c");
            assertThat(placeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("VB-1")
        @Tag("VB-17")
        void aVolumeThatDoesNotComeInTime() {
            node("a", "{}");
            awaitKnown(1, 0);
            storage.claim("c", "made", "ReadWriteOnce");
            podWith("p", IMPATIENT, "c");

            objects().awaitEvent("p", "FailedScheduling", LIMIT, scheduler());
            assertThat(notes("p"))
                    .containsExactly(
                            "running PreBind plugin \"VolumeBinding\": binding volumes:"
                                    + " context deadline exceeded");
            storage.provision("c");
            assertThat(placeOf("p")).isEqualTo("a");
        }

        @Test
        @Tag("VB-9")
        void oneVolumeForTwoPodsGoesToOneOfThem() {
            node("a", "{}");
            awaitKnown(1, 0);
            storage.localVolume("v", "local", "a");
            storage.claim("c1", "local", "ReadWriteOnce");
            storage.claim("c2", "local", "ReadWriteOnce");
            podWith("p1", "default-scheduler", "c1");
            podWith("p2", "default-scheduler", "c2");

            await("keeping the volume", () -> !storage.volume("v").at("/spec/claimRef").isEmpty());
            var winner = storage.volumesOf("c1").isEmpty() ? "2" : "1";
            var loser = winner.equals("1") ? "2" : "1";
            assertUnplaced(
                    "p" + loser,
                    "0/1 nodes are available: 1 node(s) didn't find available persistent volumes"
                            + " to bind. no new claims to deallocate, preemption: 0/1 nodes are"
                            + " available: 1 Preemption is not helpful for scheduling.");
            storage.bind("c" + winner, "v");
            assertThat(placeOf("p" + winner)).isEqualTo("a");
            assertThat(storage.volumesOf("c" + loser)).isEmpty();
            storage.localVolume("w", "local", "a");
            await("keeping the other", () -> !storage.volumesOf("c" + loser).isEmpty());
            storage.bind("c" + loser, "w");
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
            storage.claim("c", "made", "ReadWriteOncePod");
            storage.provision("c");
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

        /// Two claims: for one a volume is kept, for the other a node is written, and between the
        /// two writes the scheduler dies.
        @Test
        @Tag("VB-17")
        void aSchedulerThatDiesBetweenTwoWritesLosesNothingAndDoublesNothing() {
            node("a", "{}");
            node("b", "{}");
            awaitKnown(2, 0);
            storage.localVolume("v1", "local", "b");
            storage.localVolume("v2", "local", "a");
            storage.claim("here", "local", "ReadWriteOnce");
            storage.claim("made", "made", "ReadWriteOnce");
            try (var held = new HeldWrites(plane().admin(), namespace())) {
                held.awaitInForce("made", LIMIT);
                try (var first = mortal()) {
                    podWith("p", MORTAL, "here", "made");
                    first.process().await("writing to the claim", LIMIT, () -> held.count() > 0);
                    assertThat(storage.volumesOf("here")).hasSize(1);
                    first.process().kill();
                }
            }
            assertThat(storage.selectedNode("made")).isEmpty();
            var kept = storage.volumesOf("here").getFirst();
            var node = kept.equals("v1") ? "b" : "a";

            try (var second = mortal()) {
                second.process()
                        .await(
                                "writing to the claim",
                                LIMIT,
                                () -> !storage.selectedNode("made").isEmpty());
                assertThat(storage.selectedNode("made")).isEqualTo(node);
                assertThat(storage.volumesOf("here")).containsExactly(kept);
                storage.bind("here", kept);
                storage.provision("made");
                objects()
                        .awaitPod("p", LIMIT, second, pod -> !pod.text("/spec/nodeName").isEmpty());
            }
            assertThat(objects().pod("p").text("/spec/nodeName")).isEqualTo(node);
            var other = kept.equals("v1") ? "v2" : "v1";
            assertThat(storage.volume(other).at("/spec").has("claimRef")).isFalse();
        }

        private SchedulerProcess mortal() {
            return plane().start(program(), "--config=" + settings("mortal", MORTAL));
        }

        private void podWith(String name, String scheduler, String... claims) {
            pod(
                    name,
                    "{cpu: '1'}",
                    "{spec: {schedulerName: '%s', %s}}".formatted(scheduler, volumes(claims)));
        }

        private static String volumes(String... claims) {
            return Stream.of(claims)
                    .map("{name: '%1$s', persistentVolumeClaim: {claimName: '%1$s'}}"::formatted)
                    .collect(Collectors.joining(", ", "volumes: [", "]"));
        }

        private void await(String what, BooleanSupplier reached) {
            scheduler().process().await(what, LIMIT, reached);
        }

        private List<String> notes(String pod) {
            return objects().events(pod, "FailedScheduling").stream()
                    .map(event -> event.at("/note").asText())
                    .distinct()
                    .toList();
        }
    }
}
