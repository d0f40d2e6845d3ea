package io.berth.serving.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.serving.tls.ClientAuthorities;
import io.berth.serving.tls.ServingSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient.Version;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whoever can reach the port can send what they like to it. It once took the processor from the
/// scheduler: two thousand clients that asked for `/healthz` cost it its lease.
@Timeout(120)
final class PortLimitsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofMillis(100);
    private static final PortLimits SMALL =
            new PortLimits(6, 3, 2, 2, PATIENCE, Duration.ofMillis(50), PATIENCE);

    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicInteger atWork = new AtomicInteger();
    private final List<Socket> sockets = new ArrayList<>();
    private final HttpServer server = start(SMALL);

    private HttpServer start(PortLimits limits) {
        var settings = ServingSettings.DEFAULT.withAddress(InetAddress.getLoopbackAddress(), 0);
        return HttpServer.secure(
                ListenSocket.bind(settings),
                settings,
                ClientAuthorities.NONE,
                this::answer,
                new NotedServerLog(5),
                GRACE,
                limits);
    }

    private Reply answer(Call call) {
        if (call.path().equals("/slow")) {
            atWork.incrementAndGet();
            try {
                go.await();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
        return Reply.text(200, Thread.currentThread().isVirtual() ? "virtual" : "of the system");
    }

    @AfterEach
    void stop() throws IOException {
        go.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    @Test
    void callsBeyondTheBoundAreRefusedAtOnceAndProbesAreNot() throws Exception {
        try (var client = client()) {
            var slow = List.of(slow(client), slow(client));
            await().atMost(PATIENCE).until(() -> atWork.get() == 2);

            HttpResponse<String> refused = client.get("/metrics");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(refused.body()).isEqualTo("Too many requests, please try again later.\n");
            assertThat(client.get("/healthz").statusCode()).isEqualTo(200);
            assertThat(client.get("/livez?verbose").statusCode()).isEqualTo(200);
            assertThat(client.get("/readyz", "Authorization", "Bearer x").statusCode())
                    .as("somebody would have to be asked about the token")
                    .isEqualTo(429);

            go.countDown();
            for (var one : slow) {
                assertThat(one.get().statusCode()).isEqualTo(200);
            }
            await().atMost(PATIENCE).until(() -> client.get("/metrics").statusCode() == 200);
        }
    }

    @Test
    void answersWhileVirtualThreadsKeepAllProcessorsBusy() throws Exception {
        var busy = new AtomicBoolean(true);
        try {
            for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
                Thread.startVirtualThread(() -> {
                    while (busy.get()) {
                        Thread.onSpinWait();
                    }
                });
            }
            assertThat(ask("/healthz")).endsWith("of the system");
            assertThat(ask("/metrics")).endsWith("of the system");
        } finally {
            busy.set(false);
        }
    }

    @Test
    void connectionsThatNeverSayHelloKeepNobodyOut() throws Exception {
        for (int i = 0; i < 4 * SMALL.connections(); i++) {
            connect();
        }
        assertThat(ask("/healthz")).startsWith("HTTP/1.1 200");
    }

    /// Such connections stayed for 90 seconds, though there was room for all.
    @Test
    @Tag("P-170")
    void connectionThatNeverSaysHelloEndsWhenItsTimeIsUp() throws Exception {
        var hasty = start(PortLimits.DEFAULT.withStart(Duration.ofMillis(50)));
        try (var silent = new Socket(InetAddress.getLoopbackAddress(), hasty.port())) {
            silent.setSoTimeout((int) PATIENCE.toMillis());
            assertThat(silent.getInputStream().read()).isEqualTo(-1);
        } finally {
            hasty.close();
        }
    }

    @Test
    void connectionsThatHaveNothingToSayKeepNobodyOut() throws Exception {
        crowdWithNothingToSay();
        assertThat(ask("/healthz")).startsWith("HTTP/1.1 200");
    }

    private void crowdWithNothingToSay() throws Exception {
        for (int i = 0; i < 2 * SMALL.connections(); i++) {
            Socket kept = secure();
            send(kept, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(kept.getInputStream().read()).isEqualTo('H');
        }
    }

    @Test
    void connectionsWhoseCallIsAtWorkStay() throws Exception {
        Socket slow = secure();
        send(slow, "GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        await().atMost(PATIENCE).until(() -> atWork.get() == 1);
        crowdWithNothingToSay();
        assertThat(ask("/healthz")).startsWith("HTTP/1.1 200");
        go.countDown();
        assertThat(new String(slow.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("HTTP/1.1 200");
    }

    /// A client that announces a body and does not send it holds no thread.
    @Test
    void bodiesThatDoNotComeKeepNobodyWaiting() throws Exception {
        for (int i = 0; i < SMALL.connections(); i++) {
            String path = i % 2 == 0 ? "/healthz" : "/metrics";
            send(secure(), "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");
        }
        assertThat(ask("/healthz")).startsWith("HTTP/1.1 200");
        await().atMost(PATIENCE).until(() -> ask("/metrics").startsWith("HTTP/1.1 200"));
    }

    private TestClient client() {
        return TestClient.secure(server.port(), Version.HTTP_2, TestClient.tls(null, List.of()));
    }

    private static CompletableFuture<HttpResponse<String>> slow(TestClient client) {
        var answer = new CompletableFuture<HttpResponse<String>>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        answer.complete(client.get("/slow"));
                    } catch (IOException | InterruptedException broken) {
                        answer.completeExceptionally(broken);
                    }
                });
        return answer;
    }

    /// Asks on a connection of its own, on this thread alone.
    private String ask(String path) throws IOException {
        try (Socket socket = secure()) {
            send(socket, "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Socket secure() throws IOException {
        return kept(
                TestClient.tls(null, List.of())
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), server.port()));
    }

    private Socket connect() throws IOException {
        return kept(new Socket(InetAddress.getLoopbackAddress(), server.port()));
    }

    private Socket kept(Socket socket) throws IOException {
        socket.setSoTimeout((int) PATIENCE.toMillis());
        sockets.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
