package io.berth.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.serving.http.Reply;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DoorkeeperTest {
    private final Doorkeeper door = new Doorkeeper(8080, "secret");

    private int ask(String path, Map<String, String> headers) {
        return door.answer(Lab.call("GET", path, Map.of(), headers, ""), _ -> Reply.text(200, "in"))
                .status();
    }

    @Test
    void callsNeedTheKey() {
        assertThat(ask("/berth/v1/pending", Map.of("Host", "127.0.0.1:8080"))).isEqualTo(401);
        assertThat(
                        ask(
                                "/berth/v1/pending",
                                Map.of("Host", "127.0.0.1:8080", "X-Berth-Key", "wrong")))
                .isEqualTo(401);
        assertThat(
                        ask(
                                "/berth/v1/pending",
                                Map.of("Host", "localhost:8080", "X-Berth-Key", "secret")))
                .isEqualTo(200);
    }

    /// They hold nothing of the cluster, and a browser cannot send a key for them.
    @Test
    void filesOfThePageNeedNone() {
        assertThat(ask("/ui/app.js", Map.of("Host", "127.0.0.1:8080"))).isEqualTo(200);
    }

    /// A name of somebody else that leads to this machine is somebody else's page.
    @Test
    void otherHostsAndOriginsAreRefused() {
        assertThat(ask("/ui/", Map.of("Host", "evil.example:8080"))).isEqualTo(403);
        assertThat(ask("/ui/", Map.of())).isEqualTo(403);
        assertThat(
                        ask(
                                "/berth/v1/pending",
                                Map.of(
                                        "Host",
                                        "127.0.0.1:8080",
                                        "Origin",
                                        "https://evil.example",
                                        "X-Berth-Key",
                                        "secret")))
                .isEqualTo(403);
        assertThat(
                        ask(
                                "/berth/v1/pending",
                                Map.of(
                                        "Host",
                                        "127.0.0.1:8080",
                                        "Origin",
                                        "http://127.0.0.1:8080",
                                        "X-Berth-Key",
                                        "secret")))
                .isEqualTo(200);
    }

    @Test
    void everyKeyIsAnother() {
        assertThat(Doorkeeper.newKey()).hasSize(32).isNotEqualTo(Doorkeeper.newKey());
    }
}
