package io.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.EmbeddedApiServer.Options;
import io.berth.apiserver.conformance.Client;
import io.berth.apiserver.conformance.WatchStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Many changes, many watches.
final class WatchLoadTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final int WRITERS = 8;
    private static final int PODS_PER_WRITER = 625;

    private final EmbeddedApiServer server = EmbeddedApiServer.start(Options.DEFAULT);
    private final Client client = Servers.client(server);

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void noRevisionIsMissedOrRepeated() throws Exception {
        String start = client.get("/api/v1/pods").version();
        try (WatchStream watch = client.watch("/api/v1/pods?watch=1&resourceVersion=" + start);
                var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            var written = new ArrayList<Future<?>>();
            for (int w = 0; w < WRITERS; w++) {
                int writer = w;
                written.add(writers.submit(() -> write(writer)));
            }
            int expected = WRITERS * PODS_PER_WRITER;
            long last = Long.parseLong(start);
            var names = new HashSet<String>();
            for (int i = 0; i < expected; i++) {
                JsonNode event = watch.next();
                assertThat(event.path("type").asText()).isEqualTo("ADDED");
                long revision = event.at("/object/metadata/resourceVersion").asLong();
                // Nothing else is written, so the revisions follow each other without a gap.
                assertThat(revision).isEqualTo(last + 1);
                last = revision;
                assertThat(names.add(event.at("/object/metadata/name").asText())).isTrue();
            }
            for (Future<?> future : written) {
                future.get();
            }
            assertThat(names).hasSize(expected);
        }
    }

    private void write(int writer) {
        for (int i = 0; i < PODS_PER_WRITER; i++) {
            var answer = client.post(PODS, Servers.pod("p-" + writer + "-" + i));
            assertThat(answer.code()).as(answer.text()).isEqualTo(201);
        }
    }

    @Test
    void fiveHundredWatchesSeeTheSameChanges() {
        var watches = new ArrayList<WatchStream>();
        try {
            for (int i = 0; i < 500; i++) {
                watches.add(client.watch("/api/v1/pods?watch=1"));
            }
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(server.watchCount()).isEqualTo(500));
            for (String name : List.of("a", "b", "c")) {
                assertThat(client.post(PODS, Servers.pod(name)).code()).isEqualTo(201);
            }
            for (WatchStream watch : watches) {
                assertThat(List.of(watch.nextBrief(), watch.nextBrief(), watch.nextBrief()))
                        .containsExactly("ADDED a", "ADDED b", "ADDED c");
            }
        } finally {
            watches.forEach(WatchStream::close);
        }
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(server.watchCount()).isZero());
    }

    @Test
    void concurrentWritersOfOneObjectLoseNoUpdate() throws Exception {
        assertThat(client.post(PODS, Servers.pod("shared")).code()).isEqualTo(201);
        try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            var patched = new ArrayList<Future<Integer>>();
            for (int i = 0; i < 100; i++) {
                String label = "{\"metadata\":{\"labels\":{\"l" + i + "\":\"x\"}}}";
                patched.add(
                        writers.submit(
                                () -> client.patch(PODS + "/shared", Client.MERGE, label).code()));
            }
            for (Future<Integer> future : patched) {
                assertThat(future.get()).isEqualTo(200);
            }
        }
        assertThat(client.get(PODS + "/shared").body().at("/metadata/labels")).hasSize(100);
    }
}
