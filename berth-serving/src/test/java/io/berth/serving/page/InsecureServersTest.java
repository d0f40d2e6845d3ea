package io.berth.serving.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.serving.http.HttpServer;
import io.berth.serving.http.NotedServerLog;
import io.berth.serving.http.TestClient;
import io.berth.serving.tls.ServingException;
import io.berth.testkit.HeldPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("P-219a")
final class InsecureServersTest {
    private final NotedServerLog log = new NotedServerLog(0);

    private InsecureServers start(String healthz, String metrics) {
        return InsecureServers.start(
                new InsecureSettings(healthz, metrics),
                new SchedulerPages.Health(List.of(), List.of(), List.of(), HealthObserver.NONE),
                SchedulerPages.Metrics.NONE,
                new SchedulerPages.Debug(true, false, _ -> {}),
                new SchedulerPages.About(() -> "{}", Optional.empty(), Optional.empty(), false),
                log);
    }

    private final List<HeldPort> ports = new ArrayList<>();

    @AfterEach
    void releasePorts() throws IOException {
        for (var port : ports) {
            port.close();
        }
    }

    private String freeAddress() throws IOException {
        var port = new HeldPort();
        ports.add(port);
        return "127.0.0.1:" + port.number();
    }

    private static int status(HttpServer server, String path) throws Exception {
        try (var client = TestClient.plain(server.port())) {
            return client.get(path).statusCode();
        }
    }

    @Test
    @Tag("P-219b")
    void areOffUnlessAskedFor() {
        try (var servers = start("", "")) {
            assertThat(servers.servers()).isEmpty();
        }
        try (var servers = start("0.0.0.0:0", "0.0.0.0:0")) {
            assertThat(servers.servers()).isEmpty();
        }
        assertThat(InsecureSettings.OFF.check()).isEmpty();
    }

    @Test
    @Tag("P-177")
    void oneAddressServesEverythingToEverybody() throws Exception {
        String address = freeAddress();
        try (var servers = start(address, address)) {
            assertThat(servers.servers()).hasSize(1);
            HttpServer server = servers.servers().getFirst();
            for (String path :
                    List.of(
                            "/healthz",
                            "/metrics",
                            "/metrics/resources",
                            "/configz",
                            "/debug/pprof/")) {
                assertThat(status(server, path)).as(path).isEqualTo(200);
            }
            assertThat(status(server, "/readyz")).isEqualTo(404);
        }
        assertThat(log.lines())
                .contains("I0 Serving insecurely on " + address, "W Authentication is disabled");
    }

    @Test
    void twoAddressesShareThePages() throws Exception {
        try (var servers = start(freeAddress(), freeAddress())) {
            HttpServer health = servers.servers().get(0);
            HttpServer metrics = servers.servers().get(1);
            assertThat(status(health, "/healthz")).isEqualTo(200);
            assertThat(status(health, "/metrics")).isEqualTo(404);
            assertThat(status(health, "/configz")).isEqualTo(404);
            assertThat(status(metrics, "/healthz")).isEqualTo(404);
            assertThat(status(metrics, "/metrics")).isEqualTo(200);
            assertThat(status(metrics, "/configz")).isEqualTo(200);
            assertThat(status(metrics, "/debug/flags")).isEqualTo(200);
        }
    }

    @Test
    void takenPortIsToldWithItsPurpose() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String taken = "127.0.0.1:" + socket.getLocalPort();
            assertThatThrownBy(() -> start(taken, taken))
                    .isInstanceOf(ServingException.class)
                    .hasMessageStartingWith("failed to start healthz server: ");
            String free = freeAddress();
            assertThatThrownBy(() -> start(free, taken))
                    .hasMessageStartingWith("failed to start metrics server: ");
        }
    }

    @Test
    void addressesAreChecked() {
        assertThat(new InsecureSettings("x", "1.2.3.4:99999").check())
                .containsExactly(
                        "invalid healthz address: invalid address \"x\"",
                        "invalid metrics address: invalid address \"1.2.3.4:99999\"");
        assertThat(new InsecureSettings(":10251", "[::1]:10251").check()).isEmpty();
    }
}
