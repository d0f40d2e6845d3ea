package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Many pods that fit nowhere, a low rate of requests, and one pod that fits.
@Timeout(300)
class BacklogTest {
    private static final int UNPLACED = 60;
    private static final String BIG = "\"nodeSelector\": {\"nowhere\": \"1\"},";

    @TempDir Path directory;

    /// Everything stood in one line: with 2,000 such pods the binding was sent after 38 seconds.
    @Test
    @Tag("P-124")
    void aBindingDoesNotWaitForTheStatusOfOtherPods() throws Exception {
        try (var cluster = new TestCluster(directory)) {
            cluster.createNode("n", 110);
            for (int i = 0; i < UNPLACED; i++) {
                cluster.createPod("big-" + i, BIG);
            }
            try (var scheduler =
                    RunningScheduler.start(
                            cluster.kubeconfig(),
                            "--leader-elect=false",
                            "--kube-api-qps=1",
                            "--kube-api-burst=2",
                            "--v=2")) {
                await().atMost(RunningScheduler.PATIENCE)
                        .until(() -> failures(scheduler) >= UNPLACED);
                cluster.createPod("urgent");
                cluster.awaitBound("urgent");
                assertThat(told(cluster)).isLessThan(UNPLACED / 2);
            }
        }
    }

    private static long failures(RunningScheduler scheduler) {
        return scheduler.log().stream()
                .filter(line -> line.contains("Unable to schedule pod; no fit"))
                .count();
    }

    /// How many pods have been told why they have no node.
    private static long told(TestCluster cluster) {
        return IntStream.range(0, UNPLACED)
                .filter(i -> cluster.pod("big-" + i).contains("Unschedulable"))
                .count();
    }
}
