package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A start in which the claims of pods are listed after the pods.
@Timeout(300)
class FirstListsTest {
    private static final int PODS = 30;
    private static final String DEVICES = "/apis/resource.k8s.io/v1/";

    @TempDir Path directory;

    /// All of them were parked, and each claim had all that were parked asked whether it helped
    /// them: with 2,500 pods the first binding came after 19 seconds.
    @Test
    @Tag("E-66")
    void podsWhoseClaimsAreListedAfterThemEnterTheQueueOnce() throws Exception {
        try (var cluster = new TestCluster(directory);
                var front = new RecordingFront(cluster.uri(), cluster.tls())) {
            createAll(cluster);
            front.holdUp("resourceclaims");
            try (var scheduler =
                            RunningScheduler.start(
                                    cluster.kubeconfig(front.uri()),
                                    "--leader-elect=false",
                                    "--authorization-always-allow-paths=/metrics");
                    var pages = scheduler.pages()) {
                for (String first : List.of("nodes", "pods")) {
                    await().atMost(RunningScheduler.PATIENCE)
                            .until(() -> front.hasPassed(first, "initial-events-end"));
                }
                front.letPass("resourceclaims");
                IntStream.range(0, PODS).forEach(i -> cluster.awaitBound("p" + i));
                assertThat(pages.get("/metrics").body().lines())
                        .filteredOn(line -> line.startsWith("scheduler_queue_incoming_pods_total"))
                        .containsExactly(
                                "scheduler_queue_incoming_pods_total{event=\"UnschedulablePodAdd\",queue=\"active\"} "
                                        + PODS);
            }
        }
    }

    private static void createAll(TestCluster cluster) {
        cluster.createNode("n", 110);
        cluster.create(
                DEVICES + "deviceclasses", "{\"metadata\": {\"name\": \"gpu\"}, \"spec\": {}}");
        String devices =
                IntStream.range(0, PODS)
                        .mapToObj("{\"name\": \"d%d\"}"::formatted)
                        .collect(Collectors.joining(","));
        cluster.create(
                DEVICES + "resourceslices",
                """
                {"metadata": {"name": "s"}, "spec": {"driver": "d.example.com", "nodeName": "n",
                  "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1},
                  "devices": [%s]}}
                """
                        .formatted(devices));
        for (int i = 0; i < PODS; i++) {
            cluster.create(
                    DEVICES + "namespaces/default/resourceclaims",
                    """
                    {"metadata": {"name": "c%d"}, "spec": {"devices": {"requests": [
                      {"name": "r", "exactly": {"deviceClassName": "gpu"}}]}}}
                    """
                            .formatted(i));
            cluster.createPod(
                    "p" + i,
                    "\"resourceClaims\": [{\"name\": \"c\", \"resourceClaimName\": \"c%d\"}],"
                            .formatted(i));
        }
    }
}
