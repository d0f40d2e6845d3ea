package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.berth.api.handle.Log;
import io.berth.app.log.ProcessLog;
import io.berth.kube.lease.HttpLeaseLock;
import io.berth.kube.lease.LeaseRecord;
import io.berth.serving.http.TestClient;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A leader whose API server is away for longer than its lease lasts: it stays up, says that it is
/// not ready, and goes on by itself.
@Timeout(600)
@Tag("P-232")
class LivesTest {
    private static final String AGAIN = "No other leader was seen, competing for the lease again";

    @TempDir Path directory;
    private TestCluster cluster;
    private Way way;

    @BeforeEach
    void begin() throws Exception {
        cluster = new TestCluster(directory);
        cluster.createNode("node-1", 100);
        way = new Way(cluster.port());
    }

    @AfterEach
    void end() throws Exception {
        way.close();
        cluster.close();
    }

    @Test
    @Tag("P-231")
    @Tag("P-236")
    @Tag("P-237")
    void goesOnByItselfWhenTheServerIsBack() throws Exception {
        try (var scheduler = start();
                var pages = scheduler.pages()) {
            cluster.create(
                    "/api/v1/namespaces/default/pods",
                    """
                    {"metadata": {"name": "before"}, "spec": {"containers": [
                      {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]}}
                    """);
            cluster.awaitBound("before");
            String holder = lease().holder();
            assertThat(pages.get("/metrics/resources").body()).contains("kube_pod_resource");
            awaitMaster(pages, 1);

            cutAndAwaitAgain(scheduler);
            assertThat(String.join("\n", scheduler.log()))
                    .containsSubsequence("Failed to renew lease", "Leaderelection lost", AGAIN);
            awaitMaster(pages, 0);
            assertThat(pages.get("/healthz").statusCode()).isEqualTo(200);
            assertThat(pages.get("/livez").statusCode()).isEqualTo(200);
            assertThat(pages.get("/readyz").body())
                    .contains("[-]sched-handler-sync failed: reason withheld");
            assertThat(pages.get("/metrics/resources").body()).isEmpty();
            assertThat(metric(pages, "scheduler_cache_size{type=\"pods\"}")).isZero();
            await().atMost(RunningScheduler.PATIENCE)
                    .until(() ->
                            pages.get("/readyz/api-server").body().contains("watches are broken"));

            cluster.createPod("meanwhile");
            way.restore();
            cluster.awaitBound("meanwhile");
            assertThat(lease().holder()).isEqualTo(holder);
            assertThat(lease().transitions()).isZero();
            await().atMost(RunningScheduler.PATIENCE)
                    .until(() -> pages.get("/readyz").statusCode() == 200);
            awaitMaster(pages, 1);
            assertThat(pages.get("/metrics/resources").body()).contains("kube_pod_resource");
            await().atMost(RunningScheduler.PATIENCE)
                    .until(() -> metric(pages, "scheduler_cache_size{type=\"pods\"}") == 2);
            assertThat(scheduler.stop()).isZero();
        }
        assertThat(lease().holder()).as("released at the end").isEmpty();
    }

    /// The port came four seconds after the start, since a server that refuses every connection was
    /// waited for like one that is busy.
    @Test
    @Tag("P-4")
    @Timeout(120)
    void portDoesNotWaitForAServerThatCannotBeReached() throws Exception {
        way.cut();
        Setup setup =
                Setup.from(
                        Options.of("--kubeconfig=" + cluster.kubeconfig(way.uri())),
                        new ProcessLog(_ -> {}));
        try (var lives =
                new Lives(
                        () -> Wiring.build(setup, Log.NONE, _ -> {}),
                        new StopSignal(() -> {}),
                        () -> {},
                        Log.NONE)) {
            lives.follow();
            lives.settle(Duration.ZERO, System.nanoTime() + Duration.ofDays(1).toNanos());
            assertThat(lives.current().watchProblem()).isPresent();
        }
    }

    @Test
    @Tag("P-255")
    void isStoppedWhileTheServerIsAway() throws Exception {
        try (var scheduler = start()) {
            scheduler.awaitLine("Successfully acquired lease");
            cutAndAwaitAgain(scheduler);
            assertThat(scheduler.stop()).isZero();
            assertThat(scheduler.log().getLast()).contains("Requested to terminate, exiting");
        }
    }

    @Test
    @Tag("P-255")
    void isStoppedWhileTheNextLifeWaitsForTheServer() throws Exception {
        try (var scheduler = start();
                var pages = scheduler.pages()) {
            scheduler.awaitLine("Successfully acquired lease");
            cutAndAwaitAgain(scheduler);
            // A watch that begins with nothing: not one of the life before.
            await().atMost(RunningScheduler.PATIENCE)
                    .until(() ->
                            pages.get("/readyz/api-server").body().contains("resourceVersion=&"));
            assertThat(pages.get("/healthz").statusCode()).isEqualTo(200);
            assertThat(scheduler.stop()).isZero();
        }
    }

    @Test
    @Thorough
    void severalLivesLeaveNothingBehind() throws Exception {
        try (var scheduler = start()) {
            cluster.createPod("p-0");
            cluster.awaitBound("p-0");
            // Those end by themselves, a moment after the first placement.
            await().atMost(RunningScheduler.PATIENCE)
                    .until(() ->
                            Collections.disjoint(
                                    threads().keySet(),
                                    Set.of("begin", "leading", "election-over")));
            var first = threads();
            for (int life = 1; life <= 3; life++) {
                cutAndAwaitAgain(scheduler);
                way.restore();
                cluster.createPod("p-" + life);
                cluster.awaitBound("p-" + life);
            }
            await().atMost(RunningScheduler.PATIENCE)
                    .untilAsserted(() -> assertThat(threads()).isEqualTo(first));
        }
    }

    /// A machine that stands still for a moment ends a life, too, so only one more counts.
    private void cutAndAwaitAgain(RunningScheduler scheduler) throws IOException {
        long before = againCount(scheduler);
        way.cut();
        await().atMost(RunningScheduler.PATIENCE).until(() -> againCount(scheduler) > before);
    }

    private static long againCount(RunningScheduler scheduler) {
        return scheduler.log().stream().filter(line -> line.contains(AGAIN)).count();
    }

    private RunningScheduler start() throws IOException {
        return RunningScheduler.start(
                cluster.kubeconfig(way.uri()),
                "--authorization-always-allow-paths=/*",
                "--leader-elect-lease-duration=3s",
                "--leader-elect-renew-deadline=1500ms",
                "--leader-elect-retry-period=200ms",
                "-v=3");
    }

    private LeaseRecord lease() {
        return new HttpLeaseLock(cluster.client(), "kube-system", "kube-scheduler")
                .read(RunningScheduler.PATIENCE)
                .orElseThrow();
    }

    private static void awaitMaster(TestClient pages, double value) {
        await().atMost(RunningScheduler.PATIENCE)
                .until(() ->
                        metric(pages, "leader_election_master_status{name=\"kube-scheduler\"}")
                                == value);
    }

    private static double metric(TestClient pages, String series) throws Exception {
        var matcher =
                Pattern.compile("(?m)^" + Pattern.quote(series) + " (\\S+)$")
                        .matcher(pages.get("/metrics").body());
        assertThat(matcher.find()).as(series).isTrue();
        return Double.parseDouble(matcher.group(1));
    }

    /// Threads that the scheduler starts, by name, with how many there are.
    private Map<String, Integer> threads() throws IOException {
        var ours =
                Set.of(
                        "engine",
                        "begin",
                        "events",
                        "leader-election",
                        "leading",
                        "election-over",
                        "lease-candidate");
        Path dump = directory.resolve("threads.json");
        Files.deleteIfExists(dump);
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
        var counts = new TreeMap<String, Integer>();
        var matcher = Pattern.compile("\"name\": \"([^\"]*)\"").matcher(Files.readString(dump));
        while (matcher.find()) {
            String name = matcher.group(1);
            if (ours.contains(name) || name.startsWith("watch-") || name.startsWith("worker")) {
                counts.merge(name, 1, Integer::sum);
            }
        }
        return counts;
    }
}
