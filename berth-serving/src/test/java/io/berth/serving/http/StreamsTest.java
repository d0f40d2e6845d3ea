package io.berth.serving.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.serving.tls.ClientAuthorities;
import io.berth.serving.tls.ServingSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient.Version;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Replies that are sent as they come about.
@Timeout(180)
final class StreamsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int STREAMS = 2;
    private static final byte[] MUCH = new byte[1 << 16];

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger begun = new AtomicInteger();
    private final List<Socket> sockets = new ArrayList<>();
    private final NotedServerLog log = new NotedServerLog(5);
    private final HttpServer server = start();

    private HttpServer start() {
        var settings = ServingSettings.DEFAULT.withAddress(InetAddress.getLoopbackAddress(), 0);
        return HttpServer.secure(
                ListenSocket.bind(settings),
                settings,
                ClientAuthorities.NONE,
                this::answer,
                log,
                PATIENCE,
                new PortLimits(
                        64,
                        64,
                        1,
                        STREAMS,
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(1),
                        PortLimits.DEFAULT.start()));
    }

    private Reply answer(Call call) {
        return switch (call.path()) {
            case "/ticks" -> Reply.streamed(200, "text/plain", counted(StreamsTest::tick));
            case "/much" -> Reply.streamed(200, "text/plain", counted(StreamsTest::pour));
            case "/three" -> Reply.streamed(200, "text/plain", counted(StreamsTest::three));
            default -> Reply.text(200, "whole");
        };
    }

    private Reply.Writing counted(Reply.Writing writing) {
        return client -> {
            running.incrementAndGet();
            begun.incrementAndGet();
            try {
                writing.writeTo(client);
            } finally {
                running.decrementAndGet();
            }
        };
    }

    private static void tick(OutputStream client) throws IOException, InterruptedException {
        while (true) {
            client.write('.');
            Thread.sleep(5);
        }
    }

    private static void pour(OutputStream client) throws IOException {
        while (true) {
            client.write(MUCH);
        }
    }

    private static void three(OutputStream client) throws IOException {
        for (String word : List.of("one ", "two ", "three")) {
            client.write(word.getBytes(StandardCharsets.US_ASCII));
        }
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Version.class,
            names = {"HTTP_1_1", "HTTP_2"})
    void arriveInOrderAndEnd(Version version) throws Exception {
        try (var client =
                TestClient.secure(server.port(), version, TestClient.tls(null, List.of()))) {
            var answer = client.get("/three");
            assertThat(answer.version()).isEqualTo(version);
            assertThat(answer.body()).isEqualTo("one two three");
        }
        awaitRunning(0);
    }

    @Test
    void endWhenTheClientLeaves() throws Exception {
        Socket client = open("/ticks");
        awaitRunning(1);
        client.close();
        awaitRunning(0);
    }

    @Test
    void endWhenTheClientReadsNothingForTooLong() throws Exception {
        open("/much");
        awaitBegun(1);
        awaitWhole();
        awaitRunning(0);
    }

    @Test
    void areFewAndHoldNoneOfTheThreadsForCalls() throws Exception {
        for (int i = 1; i <= STREAMS; i++) {
            open("/ticks");
            awaitRunning(i);
        }
        awaitWhole();
        try (var client = TestClient.secure(server.port())) {
            var refused = client.get("/ticks");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
        }
        sockets.getFirst().close();
        awaitRunning(STREAMS - 1);
        open("/ticks");
        awaitRunning(STREAMS);
    }

    @Test
    void endWithThePort() throws Exception {
        open("/ticks");
        open("/much");
        awaitBegun(2);
        server.close();
        awaitRunning(0);
        assertThat(log.lines()).noneMatch(line -> line.contains("Failed to shutdown"));
    }

    /// A stream that nobody reads may be over before somebody looks.
    private void awaitBegun(int count) {
        await().atMost(PATIENCE).until(() -> begun.get() == count);
    }

    private void awaitRunning(int count) {
        await().atMost(PATIENCE).until(() -> running.get() == count);
    }

    /// There is one thread for calls: the next call is refused while that of the last one is on its
    /// way back.
    private void awaitWhole() {
        await().atMost(PATIENCE).until(() -> whole() == 200);
    }

    private int whole() throws Exception {
        try (var client = TestClient.secure(server.port())) {
            return client.get("/").statusCode();
        }
    }

    /// Asks until it is not refused, and reads no more than the status.
    private Socket open(String path) {
        return await().atMost(PATIENCE).until(() -> ask(path), Optional::isPresent).orElseThrow();
    }

    private Optional<Socket> ask(String path) throws IOException {
        Socket socket =
                TestClient.tls(null, List.of())
                        .getSocketFactory()
                        .createSocket("127.0.0.1", server.port());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        sockets.add(socket);
        socket.getOutputStream()
                .write(
                        ("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
        var status = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        if (status.equals("HTTP/1.1 200")) {
            return Optional.of(socket);
        }
        sockets.remove(socket);
        socket.close();
        return Optional.empty();
    }
}
