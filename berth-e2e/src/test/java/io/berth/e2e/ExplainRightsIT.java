package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/// Who gets which explanation from a Berth at work: every call, by everybody, with the rights that
/// a real API server gives.
@Thorough
@PackagedScheduler
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ExplainRightsIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final ControlPlane plane;
    private final String shop;
    private final String other;
    private final String node;
    private final String team;
    private final Path folder;
    private final Map<String, HttpClient> clients;
    private SchedulerProcess berth;

    ExplainRightsIT(ControlPlane plane) throws IOException {
        this.plane = plane;
        this.shop = plane.freshNamespace();
        this.other = plane.freshNamespace();
        this.node = "metal-" + shop;
        this.team = "team-" + shop;
        this.folder = Files.createTempDirectory(plane.folder(), "rights-");
        this.clients =
                Map.of(
                        "anonymous", client("", List.of()),
                        "wrong token", client("", List.of()),
                        "namespace role", client(team, List.of()),
                        "admin", client("admin", List.of("system:masters")));
        this.berth =
                plane.start(
                        SchedulerProgram.berth().orElseThrow(),
                        "--leader-elect-resource-name=" + team);
    }

    private HttpClient client(String user, List<String> groups) {
        var authority = plane.authority();
        return HttpClient.newBuilder()
                .sslContext(
                        user.isEmpty()
                                ? authority.trusting()
                                : authority.tlsFor(authority.user(user, groups)))
                .build();
    }

    @BeforeAll
    void fill() {
        in(shop).createNode(node, "2");
        in(other).createPod("hidden-job", "1500m");
        berth.process().await("ready", LIMIT, () -> berth.api().answers("/readyz"));
        in(other).awaitPod("hidden-job", LIMIT, berth, pod -> !nodeOf(pod).isEmpty());
        in(shop).createPod("p", "1");
        in(shop).awaitEvent("p", "FailedScheduling", LIMIT, berth);
        var kubectl = plane.kubectl();
        kubectl.run(
                        "create",
                        "role",
                        "explain",
                        "-n",
                        shop,
                        "--verb=get",
                        "--resource=pods/explanation")
                .ok();
        kubectl.run(
                        "create",
                        "rolebinding",
                        "explain",
                        "-n",
                        shop,
                        "--role=explain",
                        "--user=" + team)
                .ok();
    }

    private io.berth.e2e.fixture.Objects in(String namespace) {
        return new io.berth.e2e.fixture.Objects(plane.admin(), namespace);
    }

    private static String nodeOf(HttpApi.Response pod) {
        return pod.body().at("/spec/nodeName").asText("");
    }

    @AfterAll
    void stop() {
        clients.values().forEach(HttpClient::shutdownNow);
        berth.close();
        in(shop).deletePods();
        in(other).deletePods();
        in(shop).deleteNode(node);
    }

    /// What each caller gets, in the order of the callers below.
    private Map<String, List<Integer>> calls() {
        return Map.of(
                "/berth/v1/namespaces/" + shop + "/pods/p/explanation",
                List.of(403, 401, 200, 200),
                "/berth/v1/namespaces/" + shop + "/pods/p/explanation?nodes=all",
                List.of(403, 401, 403, 200),
                "/berth/v1/namespaces/" + other + "/pods/hidden-job/explanation",
                List.of(403, 401, 403, 200),
                // Whether a pod or a node is there is no matter of those who may not see it.
                "/berth/v1/namespaces/" + other + "/pods/none/explanation",
                List.of(403, 401, 403, 404),
                "/berth/v1/nodes/none/explanation",
                List.of(403, 401, 403, 404),
                "/berth/v1/namespaces/" + shop + "/pods/none/explanation",
                List.of(403, 401, 404, 404),
                "/berth/v1/pending",
                List.of(403, 401, 403, 200),
                "/berth/v1/pending?namespace=" + shop,
                List.of(403, 401, 200, 200),
                "/berth/v1/pending?namespace=" + other,
                List.of(403, 401, 403, 200),
                "/berth/v1/nodes/" + node + "/explanation",
                List.of(403, 401, 403, 200));
    }

    @TestFactory
    Stream<DynamicTest> everyCallByEverybody() {
        var callers = List.of("anonymous", "wrong token", "namespace role", "admin");
        var tests = new ArrayList<DynamicTest>();
        calls().forEach((path, codes) -> {
            for (int i = 0; i < callers.size(); i++) {
                var caller = callers.get(i);
                int code = codes.get(i);
                tests.add(
                        DynamicTest.dynamicTest(
                                caller + " " + path.replace(shop, "shop").replace(other, "other"),
                                () -> check(caller, path, code)));
            }
        });
        return tests.stream();
    }

    private void check(String caller, String path, int code) throws Exception {
        var reply = get(caller, path);
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(code);
        if (!caller.equals("admin")) {
            // A refusal repeats the path that was asked for, and nothing else.
            assertThat(reply.body().replace(path, ""))
                    .doesNotContain("metal-")
                    .doesNotContain(other + "/hidden-job");
        }
    }

    private HttpResponse<String> get(String caller, String path) throws Exception {
        var request =
                HttpRequest.newBuilder(berth.api().server().resolve(path))
                        .timeout(Duration.ofSeconds(30));
        if (caller.equals("wrong token")) {
            request.header("Authorization", "Bearer nonsense");
        }
        return Objects.requireNonNull(clients.get(caller))
                .send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void commandAsksTheSchedulerWithTheRightsOfItsKubeconfig() throws Exception {
        var address = "127.0.0.1:" + berth.api().server().getPort();
        var told =
                explain(team, "pod", "p", "-n", shop, "--scheduler", address, "--from=scheduler");
        assertThat(told)
                .contains("scheduler, ")
                .contains("request cpu 500m instead of 1 (-50 %)")
                .contains("not shown: names of nodes: you may not list nodes")
                .doesNotContain("metal-", "hidden-job");
    }

    @Test
    void commandReadsTheClusterWhereTheSchedulerDoesNotAnswer() throws Exception {
        var told =
                explain("", "pod", "p", "-n", shop, "--scheduler", "127.0.0.1:" + Ports.freeOne());
        assertThat(told)
                .contains("cannot be reached")
                .contains("the cluster is read instead")
                .contains("cluster, ")
                .contains(node);
    }

    /// @param user the administrator where it is empty
    private String explain(String user, String... words) throws IOException {
        var command = new ArrayList<String>();
        command.add(SchedulerProgram.berth().orElseThrow().file().toString());
        command.add("explain");
        command.addAll(List.of(words));
        command.add(
                "--kubeconfig="
                        + (user.isEmpty() ? plane.adminKubeconfig() : plane.userKubeconfig(user)));
        var log = Files.createTempFile(folder, "explain", ".log");
        try (var process = new ChildProcess("explain", command, log).start()) {
            assertThat(process.awaitEnd(LIMIT)).as(process.logTail()).isZero();
            return Files.readString(log);
        }
    }
}
