package io.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.apiserver.EmbeddedApiServer.Options;
import io.berth.apiserver.conformance.Client;
import io.berth.apiserver.conformance.WatchStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients that go, and clients that stay but do not read.
final class WatchDisconnectTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final EmbeddedApiServer server =
            EmbeddedApiServer.start(Options.DEFAULT.withSlowWatchPatience(Duration.ofSeconds(1)));

    @AfterEach
    void stop() {
        server.close();
    }

    private void awaitWatches(int count) {
        await().atMost(LIMIT).untilAsserted(() -> assertThat(server.watchCount()).isEqualTo(count));
    }

    @ParameterizedTest
    @EnumSource
    void silentWatchIsFreedWhenItsClientLeaves(HttpClient.Version version) {
        Client client = Servers.client(server, version);
        WatchStream watch = client.watch("/api/v1/pods?watch=1");
        awaitWatches(1);
        watch.close();
        awaitWatches(0);
    }

    @ParameterizedTest
    @EnumSource
    void clientGoesOnAfterAWatchHasEnded(HttpClient.Version version) {
        Client client = Servers.client(server, version);
        for (int i = 0; i < 3; i++) {
            try (WatchStream watch = client.watch("/api/v1/pods?watch=1&timeoutSeconds=1")) {
                assertThat(watch.rest()).isEmpty();
            }
            assertThat(client.get("/api/v1/pods").code()).isEqualTo(200);
        }
        awaitWatches(0);
    }

    @Test
    void closedConnectionFreesItsWatch() throws Exception {
        try (var socket =
                TestTls.trusting(server)
                        .getSocketFactory()
                        .createSocket("127.0.0.1", server.port())) {
            String request =
                    "GET /api/v1/pods?watch=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                            + server.token()
                            + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            awaitWatches(1);
        }
        awaitWatches(0);
    }

    @ParameterizedTest
    @EnumSource
    void clientThatDoesNotReadIsCutOff(HttpClient.Version version) throws Exception {
        Client writer = Servers.client(server);
        Client reader = Servers.client(server, version);
        // Takes the headers, and then nothing at all.
        var unread =
                reader.http()
                        .send(
                                reader.request("/api/v1/configmaps?watch=1").build(),
                                HttpResponse.BodyHandlers.ofPublisher());
        Flow.Publisher<?> body = unread.body();
        assertThat(body).isNotNull();
        awaitWatches(1);
        String data = "x".repeat(500_000);
        for (int i = 0; i < 40; i++) {
            var answer =
                    writer.post(
                            "/api/v1/namespaces/default/configmaps",
                            Servers.configMap("m" + i, data));
            assertThat(answer.code()).isEqualTo(201);
        }
        awaitWatches(0);
        // The server is none the worse for it.
        assertThat(writer.get("/api/v1/nodes").code()).isEqualTo(200);
    }
}
