package io.berth.ui;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.api.model.ClusterObject;
import io.berth.engine.port.ClusterImage;
import io.berth.serving.http.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class CallsTest {
    /// After a slow look comes a long pause, and a busy machine makes looks slow.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final ClusterObject small = node("small").zone("east").cpu("1").build();
    private final ClusterObject large = node("large").zone("west").cpu("8").build();
    private final ClusterObject placed = pod("placed").uid("a").cpu("4").onNode("large").build();
    private final ClusterObject hungry = pod("hungry").uid("b").cpu("6").build();
    private final Lab lab = new Lab(small, large, placed, hungry);

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (IOException broken) {
            throw new AssertionError(text, broken);
        }
    }

    private Reply map(String path, Map<String, String> query) {
        try (var sight = lab.sight()) {
            return new MapPage(sight, lab).answer(Lab.get(path, query));
        }
    }

    /// Its head, and where the columns begin.
    private static JsonNode head(Reply reply, ByteBuffer[] columns) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        var bytes = ByteBuffer.wrap(reply.body()).order(ByteOrder.LITTLE_ENDIAN);
        var head = new byte[bytes.getInt()];
        bytes.get(head);
        columns[0] = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        return json(new String(head, StandardCharsets.UTF_8));
    }

    @Test
    void theMapHasAColumnForEachFact() {
        var columns = new ByteBuffer[1];
        var head = head(map(MapPage.MAP, Map.of()), columns);
        assertThat(head.path("count").asInt()).isEqualTo(2);
        assertThat(head.path("zones").toString()).contains("east", "west");
        assertThat(columns[0].remaining()).isEqualTo(2 * 9);
        // After the two columns of two bytes: cpu of "large" and "small", which names sort so.
        assertThat(columns[0].get(8)).isEqualTo((byte) 50);
        assertThat(columns[0].get(9)).isZero();
    }

    @Test
    void aNodeIsToldInWords() {
        var told = json(map(MapPage.NODE, Map.of("slot", "0")).text());
        assertThat(told.path("name").asText()).isEqualTo("large");
        assertThat(told.path("cpu").path("used").asLong()).isEqualTo(4000);
        assertThat(told.path("names").toString()).isEqualTo("[\"default/placed\"]");
        assertThat(map(MapPage.NODE, Map.of("slot", "2")).status()).isEqualTo(404);
        assertThat(map(MapPage.NODE, Map.of("slot", "x")).status()).isEqualTo(400);
    }

    @Test
    void theMapTellsWhatNodesAreToAPod() {
        var columns = new ByteBuffer[1];
        var head = head(map(MapPage.VERDICTS, Map.of("pod", "default/hungry")), columns);
        assertThat(head.path("feasible").asInt()).isZero();
        assertThat(head.path("groups").get(0).path("count").asInt()).isEqualTo(2);
        assertThat(columns[0].get(0)).isEqualTo((byte) 1);
        assertThat(map(MapPage.VERDICTS, Map.of("pod", "default/nobody")).status()).isEqualTo(404);
    }

    @Test
    void aClusterThatCannotBeLookedAtIsToldInASentence() {
        try (var sight =
                new Sight(() ->
                        CompletableFuture.failedFuture(new IllegalStateException("it is away")))) {
            var reply = new MapPage(sight, lab).answer(Lab.get(MapPage.MAP, Map.of()));
            assertThat(reply.status()).isEqualTo(503);
            assertThat(reply.text()).contains("it is away");
        }
    }

    private Reply play(String yaml) {
        return new PlayPage(lab)
                .answer(Lab.call("POST", "/berth/v1/play", Map.of(), Map.of(), yaml));
    }

    @Test
    void podsArePlacedInThoughtOneAfterTheOther() {
        var told =
                json(
                        play("""
                        apiVersion: apps/v1
                        kind: Deployment
                        metadata: {name: web}
                        spec:
                          replicas: 3
                          template:
                            spec:
                              containers:
                              - name: a
                                resources: {requests: {cpu: 2}}
                        ---
                        kind: ConfigMap
                        metadata: {name: c}
                        """)
                                .text());
        assertThat(told.path("placements").findValuesAsText("node"))
                .containsExactly("large", "large");
        assertThat(told.path("placements").get(2).path("text").asText())
                .isEqualTo("0/2 nodes are available: 2 Insufficient cpu.");
        assertThat(told.path("passedOver").toString()).isEqualTo("[\"ConfigMap\"]");
    }

    @Test
    void nodesMayBeAddedInThought() {
        var told =
                json(
                        play("""
                        kind: Node
                        apiVersion: v1
                        metadata: {name: new}
                        status: {allocatable: {cpu: 64, memory: 64Gi, pods: 10}}
                        ---
                        kind: Pod
                        apiVersion: v1
                        metadata: {name: p}
                        spec: {containers: [{name: a, resources: {requests: {cpu: 32}}}]}
                        """)
                                .text());
        assertThat(told.path("placements").findValuesAsText("node")).containsExactly("new");
    }

    @Test
    void whatIsWrongWithTheTextIsASentence() {
        for (var yaml :
                List.of(
                        "",
                        "a: [",
                        "kind: Pod",
                        "just words",
                        "kind: Deployment\nmetadata: {name: d}",
                        "kind: Deployment\nmetadata: {name: d}\nspec: {replicas: 100000, template: {spec: {}}}")) {
            var told = json(play(yaml).text());
            assertThat(told.path("problem").asText()).as(yaml).isNotEmpty();
        }
        assertThat(play("x".repeat(PlayPage.MOST_BYTES + 1)).status()).isEqualTo(413);
        assertThat(new PlayPage(lab).answer(Lab.get("/berth/v1/play", Map.of())).status())
                .isEqualTo(405);
    }

    /// Somebody who reads a stream.
    private static final class Reader extends Thread {
        private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
        private final Reply reply;

        Reader(StreamPage page, Map<String, String> query) {
            reply = page.answer(Lab.get("/berth/v1/stream", query));
            setDaemon(true);
        }

        @Override
        public void run() {
            if (reply.content() instanceof Reply.Streamed(var writing)) {
                try {
                    writing.writeTo(heard);
                } catch (IOException | InterruptedException end) {
                    // It was told to.
                }
            }
        }

        String text() {
            return heard.toString(StandardCharsets.UTF_8);
        }
    }

    @Test
    void aStreamTellsWhatIsThereAndThenWhatChanges() {
        try (var sight = lab.sight()) {
            var reader = new Reader(new StreamPage(sight, "test"), Map.of());
            reader.start();
            await().atMost(PATIENCE).until(() -> reader.text().contains("event: queue"));
            assertThat(reader.text())
                    .contains("event: summary\ndata: {\"title\":\"test\"")
                    .contains("\"reload\":true")
                    .contains("default/placed");
            lab.image =
                    ClusterImage.of(
                            List.of(
                                    small,
                                    large,
                                    placed,
                                    pod("hungry").uid("b").cpu("1").onNode("small").build()));
            await().atMost(PATIENCE).until(() -> reader.text().contains("\"c\":[1,100,"));
            await().atMost(PATIENCE)
                    .until(() ->
                            reader.text()
                                    .contains("\"kind\":\"bound\",\"pod\":\"default/hungry\""));
            reader.interrupt();
        }
    }

    @Test
    void whoComesBackHearsWhatTheyMissed() {
        try (var sight = lab.sight()) {
            var page = new StreamPage(sight, "test");
            var first = new Reader(page, Map.of());
            first.start();
            await().atMost(PATIENCE).until(() -> first.text().contains("id: 1\n"));
            first.interrupt();
            var epoch = first.text().replaceAll("(?s).*\"epoch\":\"([^\"]+)\".*", "$1");
            lab.image =
                    ClusterImage.of(
                            List.of(
                                    small,
                                    large,
                                    placed,
                                    pod("q").uid("q").onNode("small").build()));
            var second = new Reader(page, Map.of("since", "1", "epoch", epoch));
            second.start();
            await().atMost(PATIENCE).until(() -> second.text().contains("default/q"));
            assertThat(second.text()).doesNotContain("default/placed");
            second.interrupt();
            var other = new Reader(page, Map.of("since", "1", "epoch", "of another process"));
            other.start();
            await().atMost(PATIENCE).until(() -> other.text().contains("default/placed"));
            other.interrupt();
        }
    }

    /// Each of them holds a thread of the port and nothing else; the cluster is looked at once for
    /// all.
    @Test
    void clientsThatTakeNothingAreFewAndInNobodysWay() throws InterruptedException {
        try (var sight = lab.sight()) {
            var page = new StreamPage(sight, "test");
            var release = new CountDownLatch(1);
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < StreamPage.MOST_STREAMS; i++) {
                var reply = page.answer(Lab.get("/berth/v1/stream", Map.of()));
                assertThat(reply.content()).isInstanceOf(Reply.Streamed.class);
                var begun = new CountDownLatch(1);
                threads.add(
                        Thread.ofPlatform()
                                .daemon()
                                .start(() ->
                                        take((Reply.Streamed) reply.content(), begun, release)));
                begun.await();
            }
            assertThat(page.answer(Lab.get("/berth/v1/stream", Map.of())).status()).isEqualTo(429);
            assertThat(sight.fresh().map().size()).isEqualTo(2);
            release.countDown();
            threads.forEach(Thread::interrupt);
            await().atMost(PATIENCE)
                    .until(() ->
                            page.answer(Lab.get("/berth/v1/stream", Map.of())).content()
                                    instanceof Reply.Streamed);
        }
    }

    @Test
    void clientsThatTakeNothingForLongLeaveWhenOthersCome() throws InterruptedException {
        try (var sight = lab.sight()) {
            var page = new StreamPage(sight, "test", Duration.ZERO);
            var never = new CountDownLatch(1);
            for (int i = 0; i < StreamPage.MOST_STREAMS; i++) {
                var reply = page.answer(Lab.get("/berth/v1/stream", Map.of()));
                var begun = new CountDownLatch(1);
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> take((Reply.Streamed) reply.content(), begun, never));
                begun.await();
            }
            await().atMost(PATIENCE)
                    .until(() ->
                            page.answer(Lab.get("/berth/v1/stream", Map.of())).content()
                                    instanceof Reply.Streamed);
        }
    }

    @Test
    void nothingIsWrittenThroughThePage() {
        try (var sight = lab.sight()) {
            for (var method : List.of("PUT", "POST", "DELETE", "PATCH")) {
                for (var path : List.of(MapPage.MAP, MapPage.NODE, MapPage.VERDICTS)) {
                    assertThat(
                                    new MapPage(sight, lab)
                                            .answer(Lab.call(method, path, Map.of(), Map.of(), ""))
                                            .status())
                            .isEqualTo(405);
                }
                assertThat(
                                new StreamPage(sight, "test")
                                        .answer(
                                                Lab.call(
                                                        method,
                                                        "/berth/v1/stream",
                                                        Map.of(),
                                                        Map.of(),
                                                        ""))
                                        .status())
                        .isEqualTo(405);
            }
        }
    }

    /// Takes one write, and never returns from it before it may.
    private static void take(Reply.Streamed reply, CountDownLatch begun, CountDownLatch release) {
        try {
            reply.writing()
                    .writeTo(
                            new OutputStream() {
                                @Override
                                public void write(int one) throws IOException {
                                    write(new byte[] {(byte) one});
                                }

                                @Override
                                public void write(byte[] bytes) throws IOException {
                                    begun.countDown();
                                    try {
                                        release.await();
                                    } catch (InterruptedException stop) {
                                        Thread.currentThread().interrupt();
                                    }
                                    throw new IOException("the client left");
                                }
                            });
        } catch (IOException | InterruptedException end) {
            // As it is meant.
        }
    }

    @Test
    void nobodyIsLookedAtForNobody() {
        try (var sight = lab.sight()) {
            assertThat(sight.picture()).isSameAs(Picture.NONE);
            var page = new StreamPage(sight, "test");
            assertThat(page.answer(Lab.get("/berth/v1/stream", Map.of("since", "x"))).status())
                    .isEqualTo(400);
            assertThat(sight.picture()).isSameAs(Picture.NONE);
        }
    }

    @Test
    void aWatchedClusterIsWhatTheWatchesSay() {
        var seen = new WatchedCluster();
        Arrays.asList(small, large, placed).forEach(seen::seen);
        seen.gone(small.kind(), "", "small");
        assertThat(seen.image().nodes()).containsExactly((io.berth.api.model.Node) large);
        seen.gone(placed.kind(), "default", "placed");
        assertThat(seen.image().pods()).isEmpty();
    }
}
