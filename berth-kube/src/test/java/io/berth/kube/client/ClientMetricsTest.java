package io.berth.kube.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.kube.connection.ClientMetrics;
import io.berth.kube.connection.Connection;
import io.berth.kube.testing.ScriptedServer;
import io.berth.testkit.HeldPort;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What a client tells about its requests.
class ClientMetricsTest {
    private final List<String> told = new CopyOnWriteArrayList<>();

    private final ClientMetrics metrics =
            new ClientMetrics() {
                @Override
                public void exchanged(Target target, String code) {
                    told.add("exchanged " + target.verb() + " " + code);
                }

                @Override
                public void requested(Target target, long nanos) {
                    told.add("requested " + target.verb() + (nanos > 0 ? "" : " at no time"));
                }

                @Override
                public void transferred(Target target, long sentBytes, long receivedBytes) {
                    told.add("transferred " + sentBytes + " " + receivedBytes);
                }

                @Override
                public void limited(Target target, long nanos) {
                    told.add("limited " + target.host());
                }

                @Override
                public void retried(Target target, String code) {
                    told.add("retried " + code);
                }

                @Override
                public void transports(int delta) {
                    told.add("transports " + delta);
                }
            };

    private ApiClient client(URI server) {
        return new ApiClient(
                Connection.plain(server), ClientOptions.DEFAULT, WriteGate.OPEN, metrics);
    }

    @Test
    void requestIsCountedTimedAndMeasured() throws Exception {
        try (var server = new ScriptedServer((request, answer) -> answer.send(201, "{\"a\":1}"));
                var client = client(server.uri())) {
            client.send(ApiRequest.create("/x", "12345".getBytes(StandardCharsets.UTF_8)));
            assertThat(told)
                    .containsExactly(
                            "transports 1",
                            "limited 127.0.0.1:" + server.uri().getPort(),
                            "exchanged POST 201",
                            "transferred 5 7",
                            "requested POST");
        }
        assertThat(told).last().isEqualTo("transports -1");
    }

    @Test
    void retryIsOneMoreExchangeOfTheSameRequest() throws Exception {
        var turn = new AtomicInteger();
        try (var server =
                        new ScriptedServer((request, answer) -> {
                            if (turn.incrementAndGet() == 1) {
                                answer.send(429, "{}", "Retry-After", "0");
                            } else {
                                answer.send(200, "{}");
                            }
                        });
                var client = client(server.uri())) {
            client.send(ApiRequest.get("/x"));
            assertThat(told)
                    .filteredOn(line -> !line.startsWith("limited"))
                    .containsExactly(
                            "transports 1",
                            "exchanged GET 429",
                            "retried 429",
                            "exchanged GET 200",
                            "transferred 0 2",
                            "requested GET");
        }
    }

    @Test
    void streamIsAnExchangeButNoTimedRequest() throws Exception {
        try (var server = new ScriptedServer((request, answer) -> answer.send(200, "{}"));
                var client = client(server.uri());
                var stream = client.open(ApiRequest.get("/x"))) {
            assertThat(stream.readAllBytes()).hasSize(2);
            assertThat(told).contains("exchanged GET 200").doesNotContain("requested GET");
        }
    }

    @Test
    void requestWithoutAnswerIsCountedAsSuch() throws Exception {
        try (var nobody = new HeldPort();
                var client = client(nobody.uri())) {
            assertThatThrownBy(() -> client.send(ApiRequest.get("/x")))
                    .isInstanceOf(ApiException.class);
            assertThat(told).contains("exchanged GET <error>", "requested GET");
        }
    }
}
