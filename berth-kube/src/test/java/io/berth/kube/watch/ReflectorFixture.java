package io.berth.kube.watch;

import static io.berth.kube.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Kind;
import io.berth.kube.client.ApiClient;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.connection.Connection;
import io.berth.kube.testing.NotedFeed;
import io.berth.kube.testing.ScriptedServer;
import io.berth.kube.testing.ScriptedServer.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/// A reflector, the server it follows, and the feed that hears of it.
abstract class ReflectorFixture {
    static final WatchTimes QUICK =
            new WatchTimes(
                    Duration.ofMillis(5),
                    Duration.ofMillis(20),
                    Duration.ofMinutes(2),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(10));

    /// Tests connections that are silent, which the script of a server sees as requests.
    static final ClientOptions HASTY =
            ClientOptions.DEFAULT.withHealth(Duration.ofMillis(200), Duration.ofSeconds(1));

    static final String GONE =
            "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\","
                    + "\"message\":\"too old resource version\"}}";

    final NotedFeed feed = new NotedFeed();
    final List<AutoCloseable> open = new ArrayList<>();
    final AtomicInteger turn = new AtomicInteger();

    @AfterEach
    void closeAll() throws Exception {
        for (var each : open.reversed()) {
            each.close();
        }
    }

    interface Lister {
        String list(Request request);
    }

    static ScriptedServer.Script withoutInitialStream(Lister lister) {
        return (request, answer) -> {
            if (!request.parameter("sendInitialEvents").isEmpty()) {
                answer.send(400, status(400, "BadRequest", "no"));
            } else if (request.isWatch()) {
                answer.begin().hang();
            } else {
                answer.send(200, lister.list(request));
            }
        };
    }

    ScriptedServer serve(ScriptedServer.Script script) throws IOException {
        var server = new ScriptedServer(script);
        open.add(server);
        return server;
    }

    Reflector reflect(ScriptedServer server) {
        return reflect(server, QUICK);
    }

    Reflector reflect(ScriptedServer server, WatchTimes times) {
        var reflector = open(server, times);
        reflector.start();
        return reflector;
    }

    Reflector open(ScriptedServer server, WatchTimes times) {
        return open(server, times, ClientOptions.DEFAULT);
    }

    Reflector open(ScriptedServer server, WatchTimes times, ClientOptions options) {
        return open(server, times, options, RawKeeper.NONE);
    }

    Reflector open(ScriptedServer server, WatchTimes times, ClientOptions options, RawKeeper raw) {
        var client = new ApiClient(Connection.plain(server.uri()), options.withRate(-1, 0));
        open.add(client);
        var reflector =
                new Reflector(
                        client,
                        Resource.of(Kind.POD),
                        feed,
                        raw,
                        new Shared(),
                        times,
                        new Random(1));
        open.add(reflector);
        return reflector;
    }

    /// What arrived just before a connection breaks may be lost with it, so scripts that break one
    /// wait until the client has read.
    void awaitNote(String note) {
        await().until(() -> feed.notes().contains(note));
    }

    void awaitNotes(String... notes) {
        await().untilAsserted(() -> assertThat(feed.notes()).containsExactly(notes));
    }

    static String item(String name, String uid, int version) {
        return ("{\"metadata\":{\"namespace\":\"ns\",\"name\":\"%s\",\"uid\":\"%s\","
                        + "\"resourceVersion\":\"%d\"},\"spec\":{},\"status\":{}}")
                .formatted(name, uid, version);
    }

    static String event(String type, String name, String uid, int version) {
        return "{\"type\":\"" + type + "\",\"object\":" + item(name, uid, version) + "}";
    }

    static String added(String name, String uid, int version) {
        return event("ADDED", name, uid, version);
    }

    static String bookmark(int version) {
        return "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"metadata\":"
                + "{\"resourceVersion\":\""
                + version
                + "\"}}}";
    }

    static String endOfInitial(int version) {
        return "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"metadata\":"
                + "{\"resourceVersion\":\""
                + version
                + "\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}";
    }

    static String list(int version, @Nullable String next, String... items) {
        return "{\"kind\":\"PodList\",\"items\":["
                + String.join(",", items)
                + "],\"metadata\":{\"resourceVersion\":\""
                + version
                + "\",\"continue\":\""
                + next
                + "\"}}";
    }

    static String status(int code, String reason, String message) {
        return "{\"kind\":\"Status\",\"code\":%d,\"reason\":\"%s\",\"message\":\"%s\"}"
                .formatted(code, reason, message);
    }
}
