package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.EmbeddedCluster;
import io.berth.e2e.fixture.EmbeddedServer;
import io.berth.e2e.fixture.Objects;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/// The first things that anybody sees of a scheduler: a pod gets a node, and a pod that fits
/// nowhere says why and is placed when a place appears. The same facts are checked on Berth and on
/// the real kube-scheduler, so the facts themselves are checked too.
final class FirstPodIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    // The middle part is what the plugin for devices says after a failed attempt.
    private static final String NO_PLACE =
            "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate,"
                    + " preemption: 0/1 nodes are available:"
                    + " 1 Preemption is not helpful for scheduling.";

    @Nested
    @RealControlPlane
    class KubeSchedulerOnRealControlPlane extends Facts {
        KubeSchedulerOnRealControlPlane(ControlPlane plane) {
            super(plane, SchedulerProgram.kubeScheduler((Binaries.Found) Binaries.find()));
        }
    }

    @Nested
    @PackagedScheduler
    @RealControlPlane
    class BerthOnRealControlPlane extends Facts {
        BerthOnRealControlPlane(ControlPlane plane) {
            super(plane, SchedulerProgram.berth().orElseThrow());
        }
    }

    @Nested
    @EmbeddedServer
    @RealControlPlane
    class KubeSchedulerOnEmbeddedServer extends Facts {
        KubeSchedulerOnEmbeddedServer(EmbeddedCluster cluster) {
            super(cluster, SchedulerProgram.kubeScheduler((Binaries.Found) Binaries.find()));
        }
    }

    @Nested
    @PackagedScheduler
    @EmbeddedServer
    class BerthOnEmbeddedServer extends Facts {
        BerthOnEmbeddedServer(EmbeddedCluster cluster) {
            super(cluster, SchedulerProgram.berth().orElseThrow());
        }
    }

    abstract static class Facts {
        private final Cluster cluster;
        private final SchedulerProgram program;
        private final Objects objects;

        Facts(Cluster cluster, SchedulerProgram program) {
            this.cluster = cluster;
            this.program = program;
            this.objects = new Objects(cluster.admin(), cluster.freshNamespace());
        }

        @BeforeEach
        void createNode() {
            objects.createNode("small", "4");
        }

        @AfterEach
        void deleteEverything() {
            objects.deletePods();
            objects.deleteNode("small");
            objects.deleteNode("big");
        }

        @Test
        void podGetsANodeAndAnEvent() {
            objects.createPod("first", "1");

            try (SchedulerProcess scheduler = start()) {
                objects.awaitPod(
                        "first",
                        LIMIT,
                        scheduler,
                        pod -> pod.text("/spec/nodeName").equals("small"));
                objects.awaitEvent("first", "Scheduled", LIMIT, scheduler);
            }

            assertThat(objects.condition("first", "PodScheduled").at("/status").asText())
                    .isEqualTo("True");
            assertThat(objects.events("first", "Scheduled"))
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.at("/type").asText()).isEqualTo("Normal");
                        assertThat(event.at("/action").asText()).isEqualTo("Binding");
                        assertThat(event.at("/reportingController").asText())
                                .isEqualTo("default-scheduler");
                        assertThat(event.at("/note").asText())
                                .isEqualTo(
                                        "Successfully assigned %s/first to small"
                                                .formatted(objects.namespace()));
                    });
        }

        @Test
        void placedPodCannotBeBoundAgain() {
            objects.createPod("first", "1");
            try (SchedulerProcess scheduler = start()) {
                objects.awaitPod(
                        "first",
                        LIMIT,
                        scheduler,
                        pod -> pod.text("/spec/nodeName").equals("small"));
            }

            var answer = objects.bind("first", "small");

            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.text("/reason")).isEqualTo("Conflict");
            assertThat(answer.text("/message"))
                    .isEqualTo(
                            "Operation cannot be fulfilled on pods/binding \"first\":"
                                    + " pod first is already assigned to node \"small\"");
        }

        @Test
        void podThatFitsNowhereSaysWhyAndIsPlacedWhenABiggerNodeAppears() {
            objects.createPod("huge", "8");

            try (SchedulerProcess scheduler = start()) {
                objects.awaitEvent("huge", "FailedScheduling", LIMIT, scheduler);
                objects.awaitPod(
                        "huge",
                        LIMIT,
                        scheduler,
                        _ -> !objects.condition("huge", "PodScheduled").isMissingNode());

                var condition = objects.condition("huge", "PodScheduled");
                assertThat(objects.pod("huge").text("/status/phase")).isEqualTo("Pending");
                assertThat(objects.pod("huge").text("/spec/nodeName")).isEmpty();
                assertThat(condition.at("/status").asText()).isEqualTo("False");
                assertThat(condition.at("/reason").asText()).isEqualTo("Unschedulable");
                assertThat(condition.at("/message").asText()).isEqualTo(NO_PLACE);
                assertThat(objects.events("huge", "FailedScheduling"))
                        .first()
                        .satisfies(event -> {
                            assertThat(event.at("/type").asText()).isEqualTo("Warning");
                            assertThat(event.at("/note").asText()).isEqualTo(NO_PLACE);
                        });

                objects.createNode("big", "16");
                objects.awaitPod(
                        "huge", LIMIT, scheduler, pod -> pod.text("/spec/nodeName").equals("big"));
            }
        }

        private SchedulerProcess start() {
            return cluster.start(program, "--leader-elect=false");
        }
    }
}
