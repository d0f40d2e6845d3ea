package io.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.EmbeddedApiServer.Options;
import io.berth.apiserver.conformance.Answer;
import io.berth.apiserver.conformance.Client;
import io.berth.apiserver.conformance.WatchStream;
import io.berth.apiserver.store.HistoryLimits;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What the server says when the past that a client asks for is gone.
final class WatchHistoryTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final EmbeddedApiServer server =
            EmbeddedApiServer.start(
                    Options.DEFAULT
                            .withHistory(new HistoryLimits(10, 1 << 20))
                            .withBookmarkInterval(Duration.ofMillis(200)));
    private final Client client = Servers.client(server);

    @AfterEach
    void stop() {
        server.close();
    }

    private void create(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(client.post(MAPS, Servers.configMap("m" + i, "1")).code()).isEqualTo(201);
        }
    }

    @Test
    void watchFromLongAgoIsRefusedAtOnce() {
        create(20);
        Answer answer = client.get(MAPS + "?watch=1&resourceVersion=2");
        assertThat(answer.code()).isEqualTo(410);
        assertThat(answer.reason()).isEqualTo("Expired");
        assertThat(answer.message()).matches("too old resource version: 2 \\(\\d+\\)");
    }

    @Test
    void pageFromLongAgoOffersAWayOn() {
        create(5);
        Answer first = client.get(MAPS + "?limit=2");
        server.compactHistory();
        for (int i = 5; i < 9; i++) {
            client.post(MAPS, Servers.configMap("m" + i, "1"));
        }
        server.compactHistory();
        Answer expired = client.get(MAPS + "?limit=2&continue=" + first.at("/metadata/continue"));
        assertThat(expired.code()).isEqualTo(410);
        assertThat(expired.reason()).isEqualTo("Expired");
        assertThat(expired.message())
                .startsWith(
                        "The provided continue parameter is too old to display a consistent list"
                                + " result.");
        Answer rest = client.get(MAPS + "?continue=" + expired.at("/metadata/continue"));
        assertThat(rest.code()).isEqualTo(200);
        assertThat(rest.at("/items/0/metadata/name")).isEqualTo("m2");
    }

    @Test
    void exactVersionFromLongAgoIsRefused() {
        create(20);
        Answer answer = client.get(MAPS + "?resourceVersionMatch=Exact&resourceVersion=3");
        assertThat(answer.code()).isEqualTo(410);
        assertThat(answer.message())
                .isEqualTo("The resourceVersion for the provided list is too old.");
    }

    @Test
    void quietWatchTellsItsPosition() {
        create(1);
        try (WatchStream watch =
                client.watch(
                        "/api/v1/pods?watch=1&allowWatchBookmarks=true&resourceVersion="
                                + client.get("/api/v1/pods").version())) {
            client.post(MAPS, Servers.configMap("other", "1"));
            long now = Long.parseLong(client.get(MAPS).version());
            JsonNode bookmark = watch.next();
            while (bookmark.at("/object/metadata/resourceVersion").asLong() < now) {
                bookmark = watch.next();
            }
            assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
            assertThat(bookmark.at("/object/kind").asText()).isEqualTo("Pod");
        }
    }

    @Test
    void clientThatDoesNotWantBookmarksGetsNone() {
        try (WatchStream watch = client.watch("/api/v1/pods?watch=1&timeoutSeconds=1")) {
            assertThat(watch.rest()).isEmpty();
        }
    }

    @Test
    void lastLineOfATimedWatchIsABookmark() {
        try (WatchStream watch =
                client.watch("/api/v1/pods?watch=1&allowWatchBookmarks=true&timeoutSeconds=1")) {
            assertThat(watch.rest().getLast().path("type").asText()).isEqualTo("BOOKMARK");
        }
    }
}
