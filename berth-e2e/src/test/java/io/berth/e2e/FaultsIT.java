package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.e2e.fixture.FaultyProxy;
import io.berth.e2e.fixture.Objects;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.RequestCounts;
import io.berth.e2e.fixture.Thorough;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Berth on a network and a store that fail: it stays up, and when they are well again every pod is
/// placed, once, and no node holds more than it can.
@Thorough
@PackagedScheduler
@RealControlPlane
@Tag("P-143")
final class FaultsIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /// How long silence may last before a connection is tested, and how long the test may take.
    /// Both are 30 and 15 seconds unless the environment says otherwise.
    private static final Map<String, String> IMPATIENT =
            Map.of("HTTP2_READ_IDLE_TIMEOUT_SECONDS", "4", "HTTP2_PING_TIMEOUT_SECONDS", "2");

    /// The two together, and time to connect and to place on a machine that has other things to do.
    /// A watch that nobody tests lasts for five minutes and more.
    private static final Duration DETECTION = Duration.ofSeconds(4 + 2 + 84);

    private static final int PODS_PER_NODE = 10;

    private final ControlPlane plane;
    private final Objects objects;
    private final RequestCounts requests;
    private final FaultyProxy network;
    private final String node;
    private int podCount;

    FaultsIT(ControlPlane plane) {
        this.plane = plane;
        this.objects = new Objects(plane.admin(), plane.freshNamespace());
        this.requests = new RequestCounts(plane.admin());
        this.network = new FaultyProxy(plane.url().getPort());
        this.node = objects.namespace() + "-node-";
    }

    @BeforeEach
    void createNodes() {
        for (int i = 0; i < 5; i++) {
            objects.createNode(node + i, Integer.toString(PODS_PER_NODE));
        }
    }

    @AfterEach
    void clean() {
        network.close();
        objects.deletePods();
        for (int i = 0; i < 5; i++) {
            objects.deleteNode(node + i);
        }
    }

    /// What etcd was asked before it stood still may have been done without anybody being told:
    /// such a binding has no success that could be counted.
    @Test
    void anEtcdThatStandsStillForAWhile() throws Exception {
        long before = requests.settledBindings();
        int inDoubt = 15;
        try (var berth = berth()) {
            createPods(1);
            awaitAllPlaced(berth, LIMIT);
            createPods(inDoubt);
            plane.etcd().pause();
            TimeUnit.SECONDS.sleep(15);
            assertThat(berth.process().running()).isTrue();
            plane.etcd().resume();
            plane.awaitReady();
            createPods(15);
            awaitAllPlaced(berth, LIMIT);
            assertThat(requests.settledBindings() - before)
                    .isBetween((long) podCount - inDoubt, (long) podCount);
        } finally {
            plane.etcd().resume();
        }
    }

    @Test
    void aSlowNetwork() {
        long before = requests.settledBindings();
        try (var berth = berth()) {
            createPods(1);
            awaitAllPlaced(berth, LIMIT);
            network.delay(Duration.ofMillis(200));
            createPods(40);
            awaitAllPlaced(berth, LIMIT);
            assertBoundOnceEach(berth, before);
        }
    }

    @Test
    void connectionsThatAreResetWhilePodsArePlaced() {
        long before = requests.settledBindings();
        try (var berth = berth()) {
            createPods(1);
            awaitAllPlaced(berth, LIMIT);
            for (int i = 0; i < 4; i++) {
                createPods(10);
                network.cut();
            }
            awaitAllPlaced(berth, LIMIT);
            // An answer that found its connection gone is counted as no success.
            assertThat(requests.bindings() - before).isBetween(podCount - 40L, (long) podCount);
        }
    }

    @Test
    @Tag("P-127")
    void connectionsThatBothEndsBelieveInAndThatCarryNothing() {
        long before = requests.settledBindings();
        try (var berth = berth()) {
            createPods(1);
            awaitAllPlaced(berth, LIMIT);
            // Only then is the connection of the binding at rest, and one of those forgotten.
            berth.process().awaitLine("Successfully bound pod to node", LIMIT);
            network.forget();
            createPods(10);
            awaitAllPlaced(berth, DETECTION);
            assertThat(berth.process().logLines())
                    .anyMatch(line -> line.contains("API server does not answer"));
            assertBoundOnceEach(berth, before);
        }
    }

    @Test
    @Tag("P-127")
    void aNetworkThatTakesConnectionsAndCarriesNothingForAWhile() throws Exception {
        long before = requests.settledBindings();
        try (var berth = berth()) {
            createPods(1);
            awaitAllPlaced(berth, LIMIT);
            network.goDeaf();
            createPods(10);
            TimeUnit.SECONDS.sleep(12);
            assertThat(berth.process().running()).isTrue();
            network.heal();
            createPods(10);
            // A new connection that carries nothing may wait for its handshake.
            awaitAllPlaced(berth, DETECTION.plusSeconds(30));
            assertBoundOnceEach(berth, before);
        }
    }

    /// While Berth is cut off a pod goes and another comes, etcd forgets that history, and the API
    /// server starts with an empty cache: whoever asks for what happened since gets 410 and has to
    /// list. Only the list tells that the pod is gone.
    @Test
    void aHistoryThatIsGone() {
        try (var berth = berth()) {
            objects.createPod("fills", "9500m");
            objects.createPod("waits", "9500m");
            for (int i = 1; i < 5; i++) {
                objects.createPod("other-" + i, "9500m");
            }
            berth.process().await("done with five of six", LIMIT, () -> placedCount() == 5);

            network.refuse();
            String gone = placedPod();
            objects.deletePod(gone);
            objects.createPod("small", "100m");
            plane.compactEtcd();
            plane.apiServer().kill();
            plane.apiServer().start();
            plane.awaitReady();
            plane.freshNamespace();
            network.heal();

            berth.process().awaitLine("Watch closed, its version is gone", LIMIT);
            berth.process().await("done with all", LIMIT, () -> placedCount() == 6);
            for (var pod : pods()) {
                String name = pod.at("/metadata/name").asText();
                assertThat(objects.events(name, "Scheduled")).hasSizeLessThanOrEqualTo(1);
            }
        }
    }

    /// Longer than a leader may go without renewing its lease, with the times that everybody has.
    @Test
    @Tag("P-232")
    void anApiServerThatIsKilledForLongerThanTheRenewalDeadline() throws Exception {
        try (var berth = leader()) {
            createPods(5);
            awaitAllPlaced(berth, LIMIT);
            createPods(10);
            plane.apiServer().kill();
            TimeUnit.SECONDS.sleep(18);
            berth.process()
                    .awaitLine("No other leader was seen, competing for the lease again", LIMIT);
            assertThat(berth.process().running()).isTrue();
            plane.apiServer().start();
            plane.awaitReady();
            createPods(15);
            awaitAllPlaced(berth, LIMIT);
            for (var pod : pods()) {
                String name = pod.at("/metadata/name").asText();
                assertThat(objects.events(name, "Scheduled")).hasSizeLessThanOrEqualTo(1);
            }
        } finally {
            if (!plane.apiServer().running()) {
                plane.apiServer().start();
                plane.awaitReady();
            }
        }
    }

    private SchedulerProcess leader() {
        return plane.start(
                SchedulerProgram.berth().orElseThrow(),
                "--kubeconfig=" + plane.schedulerKubeconfigThrough(network.port()),
                "--secure-port=0",
                "-v=5");
    }

    private SchedulerProcess berth() {
        var program = SchedulerProgram.berth().orElseThrow().with(IMPATIENT);
        return plane.start(
                program,
                "--kubeconfig=" + plane.schedulerKubeconfigThrough(network.port()),
                "--leader-elect=false",
                "--secure-port=0",
                "-v=5");
    }

    private void createPods(int count) {
        for (int i = 0; i < count; i++) {
            objects.createPod("p-" + podCount++, "1");
        }
    }

    private void assertBoundOnceEach(SchedulerProcess berth, long before) {
        // The server counts a request a moment after it has answered it.
        berth.process().await("done", LIMIT, () -> requests.bindings() - before >= podCount);
        assertThat(requests.bindings() - before)
                .as(() -> String.join("\n", berth.process().logLines()))
                .isEqualTo(podCount);
    }

    private void awaitAllPlaced(SchedulerProcess berth, Duration limit) {
        berth.process().await("done with all pods", limit, () -> placedCount() == podCount);
        for (int i = 0; i < 5; i++) {
            String full = node + i;
            long held =
                    StreamSupport.stream(pods().spliterator(), false)
                            .filter(pod -> pod.at("/spec/nodeName").asText().equals(full))
                            .count();
            assertThat(held).isLessThanOrEqualTo(PODS_PER_NODE);
        }
    }

    private JsonNode pods() {
        return plane.admin()
                .get("/api/v1/namespaces/" + objects.namespace() + "/pods")
                .ok()
                .at("/items");
    }

    private int placedCount() {
        int placed = 0;
        for (var pod : pods()) {
            placed += pod.at("/spec/nodeName").asText("").isEmpty() ? 0 : 1;
        }
        return placed;
    }

    private String placedPod() {
        for (var pod : pods()) {
            if (!pod.at("/spec/nodeName").asText("").isEmpty()) {
                return pod.at("/metadata/name").asText();
            }
        }
        throw new IllegalStateException("no pod is placed");
    }
}
