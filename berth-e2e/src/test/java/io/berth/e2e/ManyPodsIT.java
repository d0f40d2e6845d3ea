package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.e2e.fixture.EmbeddedCluster;
import io.berth.e2e.fixture.EmbeddedServer;
import io.berth.e2e.fixture.Objects;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.Thorough;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/// A thousand nodes and five thousand pods, created by clients while the packaged scheduler runs:
/// all of them get a place, and no node more than it has.
@Thorough
@PackagedScheduler
@EmbeddedServer
final class ManyPodsIT {
    private static final int NODES = 1_000;
    private static final int PODS = 5_000;
    private static final int PODS_PER_NODE_AT_MOST = 8;
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private final EmbeddedCluster cluster;
    private final Objects objects;

    ManyPodsIT(EmbeddedCluster cluster) {
        this.cluster = cluster;
        this.objects = new Objects(cluster.admin(), cluster.freshNamespace());
    }

    @Test
    void allPodsArePlacedAndNoNodeIsOverfull() throws Exception {
        String run = objects.namespace();
        try (var scheduler =
                cluster.start(
                        SchedulerProgram.berth().orElseThrow(),
                        "--kube-api-qps=5000",
                        "--kube-api-burst=5000")) {
            inParallel(NODES, i -> objects.createNode(run + "-node-" + i, "4"));
            inParallel(PODS, i -> objects.createPod("pod-" + i, "500m"));
            scheduler.process().await("done with all pods", LIMIT, () -> unplaced() == 0);
        } finally {
            objects.deletePods();
            inParallel(NODES, i -> objects.deleteNode(run + "-node-" + i));
        }
    }

    /// How many pods have no node yet; checks on the way that nodes hold what they can.
    private int unplaced() {
        var perNode = new HashMap<String, Integer>();
        int unplaced = 0;
        JsonNode list =
                cluster.admin().get("/api/v1/namespaces/" + objects.namespace() + "/pods").ok();
        assertThat(list.at("/items")).hasSize(PODS);
        for (var pod : list.at("/items")) {
            String node = pod.at("/spec/nodeName").asText("");
            if (node.isEmpty()) {
                unplaced++;
            } else {
                perNode.merge(node, 1, Integer::sum);
            }
        }
        assertThat(perNode.values()).allMatch(count -> count <= PODS_PER_NODE_AT_MOST);
        return unplaced;
    }

    private static void inParallel(int count, IntConsumer body) throws Exception {
        try (var clients = Executors.newFixedThreadPool(8)) {
            var done = new ArrayList<Future<?>>();
            for (int i = 0; i < count; i++) {
                int index = i;
                done.add(clients.submit(() -> body.accept(index)));
            }
            for (var one : done) {
                one.get();
            }
        }
    }
}
