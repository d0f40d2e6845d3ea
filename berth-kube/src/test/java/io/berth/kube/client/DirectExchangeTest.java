package io.berth.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.berth.kube.testing.Patience;
import io.berth.kube.testing.ScriptedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.RequestFailedException;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Whatever becomes of a request, its connection is kept for the next one or closed, and never lost
/// to the pool. There is one connection here.
class DirectExchangeTest {
    private final PoolingHttpClientConnectionManager connections =
            PoolingHttpClientConnectionManagerBuilder.create()
                    .setMaxConnTotal(1)
                    .setMaxConnPerRoute(1)
                    .build();

    private DirectExchange patientFor(Duration limit) {
        return new DirectExchange(
                connections,
                RequestConfig.custom()
                        .setConnectionRequestTimeout(Timeout.of(limit))
                        .setResponseTimeout(Timeout.DISABLED)
                        .setConnectionKeepAlive(TimeValue.ofMinutes(1))
                        .build());
    }

    private String send(Message request) throws IOException {
        return send(request, Patience.LIMIT);
    }

    private String send(Message request, Duration limit) throws IOException {
        return patientFor(limit)
                .send(
                        request,
                        HttpClientContext.create(),
                        response ->
                                new String(
                                        response.getEntity().getContent().readAllBytes(),
                                        StandardCharsets.UTF_8));
    }

    private CompletableFuture<String> sendElsewhere(Message request) {
        var answer = new CompletableFuture<String>();
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        answer.complete(send(request));
                    } catch (IOException | RuntimeException failure) {
                        answer.completeExceptionally(failure);
                    }
                });
        return answer;
    }

    private int kept() {
        return connections.getTotalStats().getAvailable();
    }

    @AfterEach
    void nothingIsLost() {
        assertThat(connections.getTotalStats().getLeased()).isZero();
        connections.close();
    }

    @Test
    void theNextRequestTakesTheConnectionThatWasKept() throws Exception {
        var callers = new CopyOnWriteArrayList<InetSocketAddress>();
        var bodies = new CopyOnWriteArrayList<String>();
        var server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    callers.add(exchange.getRemoteAddress());
                    bodies.add(
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8));
                    byte[] answer =
                            exchange.getRequestURI().toString().getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, answer.length);
                    exchange.getResponseBody().write(answer);
                    exchange.close();
                });
        server.start();
        try {
            var uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
            var write = new Message("POST", uri.resolve("/a?b=c"));
            write.setEntity(new StringEntity("{}"));
            assertThat(send(write)).isEqualTo("/a?b=c");
            assertThat(kept()).isOne();
            assertThat(send(new Message("GET", uri.resolve("/d")))).isEqualTo("/d");
            assertThat(callers).hasSize(2);
            assertThat(Set.copyOf(callers)).as("who calls from one address").hasSize(1);
            assertThat(bodies).containsExactly("{}", "");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aServerThatClosesIsTakenAtItsWord() throws Exception {
        try (var server = new ScriptedServer((request, answer) -> answer.send(200, "x"))) {
            assertThat(send(new Message("GET", server.uri()))).isEqualTo("x");
            assertThat(kept()).isZero();
            assertThat(send(new Message("GET", server.uri()))).isEqualTo("x");
        }
    }

    /// All requests once went to the server of the first.
    @Test
    void aRequestGoesWhereItsOwnAddressLeads() throws Exception {
        try (var one = new ScriptedServer((request, answer) -> answer.send(200, "one"));
                var other = new ScriptedServer((request, answer) -> answer.send(200, "other"))) {
            assertThat(send(new Message("GET", one.uri()))).isEqualTo("one");
            assertThat(send(new Message("GET", other.uri()))).isEqualTo("other");
            assertThat(other.requests().getFirst().headers())
                    .containsEntry("host", "127.0.0.1:" + other.port());
        }
    }

    @Test
    void aConnectionWhoseAnswerWasNotReadIsClosed() throws Exception {
        try (var server = new ScriptedServer((request, answer) -> answer.begin().line("x"))) {
            var direct = patientFor(Patience.LIMIT);
            assertThatThrownBy(() ->
                            direct.send(
                                    new Message("GET", server.uri()),
                                    HttpClientContext.create(),
                                    response -> {
                                        throw new IOException("too long");
                                    }))
                    .hasMessage("too long");
            assertThat(kept()).isZero();
        }
    }

    @Test
    void anAnswerThatIsNoneIsTheProtocolsFault() throws Exception {
        try (var server =
                new ScriptedServer(
                        (request, answer) -> answer.send(200, "x", "Content-Length", "7"))) {
            assertThatThrownBy(() -> send(new Message("GET", server.uri())))
                    .isInstanceOf(ClientProtocolException.class);
        }
    }

    @Test
    void aRequestThatIsGivenUpEnds() throws Exception {
        try (var server = new ScriptedServer((request, answer) -> answer.hang())) {
            var request = new Message("GET", server.uri());
            var answer = sendElsewhere(request);
            Patience.await().until(() -> !server.requests().isEmpty());
            request.cancel();
            assertThat(answer)
                    .failsWithin(Patience.LIMIT)
                    .withThrowableThat()
                    .havingCause()
                    .isInstanceOf(IOException.class);
            assertThat(kept()).isZero();
        }
    }

    @Test
    void aRequestThatWasGivenUpBeforeIsNotSent() throws Exception {
        try (var server = new ScriptedServer((request, answer) -> answer.send(200, "x"))) {
            var request = new Message("GET", server.uri());
            request.cancel();
            assertThatThrownBy(() -> send(request)).hasMessage("Request aborted");
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void whoeverWaitsForAConnectionWaitsForSoLong() throws Exception {
        whileItIsInUse(server ->
                assertThatThrownBy(
                                () -> send(new Message("GET", server.uri()), Duration.ofMillis(10)))
                        .isInstanceOf(RequestFailedException.class)
                        .hasMessage("no connection became free in time"));
    }

    @Test
    void whoeverWaitsForAConnectionCanBeCalledOff() throws Exception {
        whileItIsInUse(server -> {
            var waiting = new Message("GET", server.uri());
            var waits = sendElsewhere(waiting);
            Patience.await().until(() -> connections.getTotalStats().getPending() == 1);
            waiting.cancel();
            assertThat(waits).failsWithin(Patience.LIMIT);
        });
    }

    /// The connection that became free next was once given to the one who had left.
    @Test
    void whoeverWaitsForAConnectionAndIsInterruptedLeavesAndStaysSo() throws Exception {
        whileItIsInUse(server -> {
            var staysSo = new CompletableFuture<Boolean>();
            var waiting =
                    Thread.ofVirtual()
                            .start(() -> {
                                assertThatThrownBy(() -> send(new Message("GET", server.uri())))
                                        .hasMessage("Request aborted");
                                staysSo.complete(Thread.currentThread().isInterrupted());
                            });
            Patience.await().until(() -> connections.getTotalStats().getPending() == 1);
            waiting.interrupt();
            assertThat(staysSo).succeedsWithin(Patience.LIMIT).isEqualTo(true);
        });
    }

    private void whileItIsInUse(Consumer<ScriptedServer> fact) throws Exception {
        try (var server = new ScriptedServer((request, answer) -> answer.hang())) {
            var holder = new Message("GET", server.uri());
            var held = sendElsewhere(holder);
            Patience.await().until(() -> !server.requests().isEmpty());
            fact.accept(server);
            assertThat(server.requests()).hasSize(1);
            holder.cancel();
            assertThat(held).failsWithin(Patience.LIMIT);
        }
    }
}
