package io.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.apiserver.EmbeddedApiServer.Options;
import io.berth.apiserver.http.Hindrance;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

final class HindranceTest {
    private static final String NAMESPACES = "/api/v1/namespaces";

    private static HttpResponse<String> create(EmbeddedApiServer server, String name)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(server.uri().resolve(NAMESPACES))
                        .header("Authorization", "Bearer " + server.token())
                        .header("Content-Type", "application/json")
                        .header("User-Agent", name)
                        .POST(BodyPublishers.ofString("{\"metadata\":{\"name\":\"" + name + "\"}}"))
                        .build();
        try (var client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .sslContext(TestTls.trusting(server))
                        .build()) {
            return client.send(request, BodyHandlers.ofString());
        }
    }

    private static Hindrance to(String agent, Hindrance.Fate fate) {
        return call -> call.userAgent().equals(agent) ? fate : Hindrance.Fate.SERVED;
    }

    @Test
    void oneTooManyIsToldWhenToAskAgain() throws Exception {
        var hindrance = to("refused", Hindrance.Fate.oneTooMany(3));
        try (var server = EmbeddedApiServer.start(Options.DEFAULT.withHindrance(hindrance))) {
            var refused = create(server, "refused");

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).contains("3");
            assertThat(refused.body()).contains("TooManyRequests");
            assertThat(Servers.client(server).get(NAMESPACES + "/refused").code()).isEqualTo(404);
            assertThat(create(server, "served").statusCode()).isEqualTo(201);
        }
    }

    @Test
    void lostAnswerIsToSomethingThatWasDone() {
        var hindrance = to("unheard", Hindrance.Fate.SERVED.withLostAnswer());
        try (var server = EmbeddedApiServer.start(Options.DEFAULT.withHindrance(hindrance))) {
            assertThatThrownBy(() -> create(server, "unheard")).isInstanceOf(IOException.class);

            assertThat(Servers.client(server).get(NAMESPACES + "/unheard").code()).isEqualTo(200);
        }
    }
}
