package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.berth.e2e.fixture.Objects;
import io.berth.e2e.fixture.PackagedScheduler;
import io.berth.e2e.fixture.RealControlPlane;
import io.berth.e2e.fixture.Thorough;
import io.berth.up.browser.Chromium;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/// The page on a real control plane: on the port of a Berth at work, for those to whom roles give
/// it; and through `berth ui`, about a cluster that the Go kube-scheduler runs, and about a Berth
/// at work.
@Thorough
@PackagedScheduler
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PageIT {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final ControlPlane plane;
    private final String shop;
    private final String node;
    private final Path folder;
    private final Map<String, HttpClient> clients = new LinkedHashMap<>();
    private final List<SchedulerProcess> schedulers = new ArrayList<>();

    PageIT(ControlPlane plane) throws IOException {
        this.plane = plane;
        this.shop = plane.freshNamespace();
        this.node = "seen-" + shop;
        this.folder = Files.createTempDirectory(plane.folder(), "page-");
        clients.put("anonymous", client("", List.of()));
        clients.put("wrong token", client("", List.of()));
        clients.put("viewer", client("viewer-" + shop, List.of()));
        clients.put("stranger", client("stranger-" + shop, List.of()));
        clients.put("admin", client("admin", List.of("system:masters")));
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

    private SchedulerProcess start(SchedulerProgram program, String... flags) {
        var scheduler = plane.start(program, flags);
        schedulers.add(scheduler);
        scheduler.process().await("ready", LIMIT, () -> scheduler.api().answers("/readyz"));
        return scheduler;
    }

    private String lease(String name) {
        return "--leader-elect-resource-name=page-" + name + "-" + shop;
    }

    @BeforeAll
    void fill() {
        // All of them lead, each by a lease of its own; there is nothing that could be placed.
        start(SchedulerProgram.kubeScheduler(plane.binaries()), lease("upstream"));
        start(SchedulerProgram.berth().orElseThrow(), lease("berth"));
        start(SchedulerProgram.berth().orElseThrow(), lease("silent"), "--ui=false");
        var objects = new Objects(plane.admin(), shop);
        objects.createNode(node, "2");
        objects.createPod("large", "64");
        objects.awaitEvent("large", "FailedScheduling", LIMIT, schedulers.getFirst());
        // The role of docs/page.md.
        plane.kubectl()
                .runWithInput(
                        """
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRole
                        metadata: {name: viewer-%1$s}
                        rules:
                        - nonResourceURLs: ["/ui/*", "/berth/v1/*"]
                          verbs: ["get", "post"]
                        ---
                        apiVersion: rbac.authorization.k8s.io/v1
                        kind: ClusterRoleBinding
                        metadata: {name: viewer-%1$s}
                        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: viewer-%1$s}
                        subjects:
                        - {apiGroup: rbac.authorization.k8s.io, kind: User, name: viewer-%1$s}
                        - {kind: ServiceAccount, name: viewer, namespace: %1$s}
                        """
                                .formatted(shop),
                        "apply",
                        "-f",
                        "-")
                .ok();
    }

    @AfterAll
    void end() {
        clients.values().forEach(HttpClient::shutdownNow);
        schedulers.forEach(SchedulerProcess::close);
        var objects = new Objects(plane.admin(), shop);
        objects.deletePods();
        objects.deleteNode(node);
        plane.kubectl().run("delete", "clusterrole,clusterrolebinding", "viewer-" + shop).ok();
    }

    @TestFactory
    Stream<DynamicTest> everyCallByEverybody() {
        var codes =
                Map.of(
                        "anonymous",
                        403,
                        "wrong token",
                        401,
                        "viewer",
                        200,
                        "stranger",
                        403,
                        "admin",
                        200);
        var paths =
                List.of(
                        "/ui/",
                        "/ui/feed.js",
                        "/berth/v1/stream",
                        "/berth/v1/map",
                        "/berth/v1/map/node?slot=0",
                        "/berth/v1/map/verdicts?pod=" + shop + "%2Flarge",
                        "/berth/v1/pending");
        return paths.stream()
                .flatMap(path ->
                        codes.entrySet().stream()
                                .map(caller ->
                                        DynamicTest.dynamicTest(
                                                caller.getKey() + " " + path.replace(shop, "shop"),
                                                () ->
                                                        assertThat(status(caller.getKey(), path, 1))
                                                                .isEqualTo(caller.getValue()))));
    }

    @TestFactory
    Stream<DynamicTest> whoWantsNoPageHasNone() {
        return Stream.of("/ui", "/ui/", "/berth/v1/map", "/berth/v1/stream")
                .map(path ->
                        DynamicTest.dynamicTest(
                                path, () -> assertThat(status("admin", path, 2)).isEqualTo(404)));
    }

    /// As a proxy in front of the port would have it: every call has a token.
    @Test
    void browserShowsThePageOfTheSchedulersOwnPort() throws Exception {
        var program = Chromium.find();
        assumeTrue(
                program.isPresent(),
                "No Chromium here, so the page is not tried in a browser; install the package chromium.");
        plane.kubectl().run("create", "serviceaccount", "viewer", "-n", shop).ok();
        var token = plane.kubectl().run("create", "token", "viewer", "-n", shop).ok().strip();
        try (var browser = Chromium.start(program.get());
                var tab = browser.open()) {
            tab.send("Security.setIgnoreCertificateErrors", Map.of("ignore", true));
            tab.send(
                    "Network.setExtraHTTPHeaders",
                    Map.of("headers", Map.of("Authorization", "Bearer " + token)));
            tab.size(1280, 800);
            tab.go("https://%s/ui/".formatted(address()));
            tab.awaitText(".facts", "live");
            tab.awaitText(".causes", "64 wanted");
            tab.click(".causes .cause a");
            tab.awaitText(".fixes", "request cpu");
            tab.value("location.hash = '#/map'");
            tab.await("document.querySelector('canvas')?.dataset.drawn > 0");
            tab.value("location.hash = '#/play'");
            tab.awaitText(".outcome", "placed");
            assertThat(tab.complaints()).isEmpty();
        }
    }

    private int status(String caller, String path, int scheduler) throws Exception {
        var request =
                HttpRequest.newBuilder(schedulers.get(scheduler).api().server().resolve(path))
                        .timeout(Duration.ofSeconds(60));
        if (caller.equals("wrong token")) {
            request.header("Authorization", "Bearer nonsense");
        }
        var client = java.util.Objects.requireNonNull(clients.get(caller));
        var reply = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        // A stream has no end.
        reply.body().close();
        return reply.statusCode();
    }

    @Test
    void anyClusterIsSeenWhoeverSchedulesIt() throws Exception {
        assertThat(see("admin")).contains("\"nodes\":", "large");
    }

    @Test
    void schedulerAtWorkIsSeenWithTheRightsOfAKubeconfig() throws Exception {
        assertThat(see("viewer-" + shop, "--from=scheduler", "--scheduler=" + address()))
                .contains("\"title\":\"scheduler\"", "large");
    }

    @Test
    void whoMayNotLookIsToldSo() throws Exception {
        try (var ui = ui("stranger-" + shop, "--from=scheduler", "--scheduler=" + address())) {
            assertThat(ui.awaitEnd(LIMIT)).isEqualTo(1);
            assertThat(ui.logLines()).singleElement().asString().contains("does not answer to you");
        }
        try (var ui = ui("stranger-" + shop)) {
            assertThat(ui.awaitEnd(LIMIT)).isEqualTo(1);
            assertThat(ui.logLines()).singleElement().asString().contains("cannot read /api/v1/");
        }
    }

    private String address() {
        return "127.0.0.1:" + schedulers.get(1).api().server().getPort();
    }

    private ChildProcess ui(String user, String... words) throws IOException {
        var command = new ArrayList<String>();
        command.addAll(
                List.of(
                        SchedulerProgram.berth().orElseThrow().file().toString(),
                        "ui",
                        "--port=0",
                        "--kubeconfig="
                                + (user.equals("admin")
                                        ? plane.adminKubeconfig()
                                        : plane.userKubeconfig(user))));
        command.addAll(List.of(words));
        return new ChildProcess("berth ui", command, Files.createTempFile(folder, "ui", ".log"))
                .start();
    }

    /// What the stream of a page tells until it has told of the decisions.
    private String see(String user, String... words) throws Exception {
        try (var ui = ui(user, words);
                var client = HttpClient.newHttpClient()) {
            var line = ui.awaitLine("See it at", LIMIT);
            var link = URI.create(line.substring(line.indexOf("http")));
            var key = link.getFragment().substring("key=".length());
            var request =
                    HttpRequest.newBuilder(link.resolve("/berth/v1/stream"))
                            .header("X-Berth-Key", key)
                            .timeout(LIMIT)
                            .build();
            var heard = new StringBuilder();
            try (InputStream body =
                    client.send(request, HttpResponse.BodyHandlers.ofInputStream()).body()) {
                var chunk = new byte[8192];
                for (int read = body.read(chunk);
                        read >= 0 && heard.indexOf(shop + "/large") < 0;
                        read = body.read(chunk)) {
                    heard.append(new String(chunk, 0, read, StandardCharsets.UTF_8));
                }
            }
            client.shutdownNow();
            ui.signal("TERM");
            assertThat(ui.awaitEnd(LIMIT)).isZero();
            return heard.toString();
        }
    }
}
