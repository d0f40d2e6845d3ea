package io.berth.kube.watch;

import static io.berth.kube.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Kind;
import io.berth.kube.client.ApiRequest;
import io.berth.kube.client.ClientOptions;
import io.berth.kube.codec.Decoded;
import io.berth.kube.testing.Protobuf;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A reflector whose server answers in protobuf, as real ones do.
@Tag("P-123")
class ProtobufReflectorTest extends ReflectorFixture {
    private static final String WATCH = ApiRequest.PROTOBUF + ";stream=watch";

    @Test
    void objectsArriveAndAreAskedForInProtobuf() throws Exception {
        var server =
                serve((request, answer) ->
                        answer.begin(WATCH)
                                .piece(event("ADDED", pod("a", "5")))
                                .piece(event("BOOKMARK", end("7")))
                                .piece(event("DELETED", pod("a", "8")))
                                .hang());
        var reflector = reflect(server);
        awaitNotes("+ns/a", "synced", "-ns/a");
        await().until(() -> reflector.state().resourceVersion().equals("8"));
        assertThat(server.requests().getFirst().headers())
                .containsEntry("accept", "application/vnd.kubernetes.protobuf, application/json");
    }

    @Test
    void jsonIsReadWhereTheServerHasNothingElse() throws Exception {
        var server =
                serve((request, answer) ->
                        answer.begin()
                                .line(
                                        "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{"
                                                + "\"resourceVersion\":\"1\",\"annotations\":{"
                                                + "\"k8s.io/initial-events-end\":\"true\"}}}}")
                                .hang());
        reflect(server);
        awaitNotes("synced");
    }

    @Test
    void jsonIsAskedForWhereTheConfigurationOrAnExtenderWantsIt() throws Exception {
        var server = serve((request, answer) -> answer.hang());
        open(server, QUICK, ClientOptions.DEFAULT.withContentTypes("", "application/json")).start();
        open(server, QUICK, ClientOptions.DEFAULT, KEEPER).start();
        await().until(() -> server.requests().size() == 2);
        assertThat(server.requests())
                .allSatisfy(request ->
                        assertThat(request.headers()).containsEntry("accept", "application/json"));
    }

    @Test
    void refusalInProtobufIsUnderstood() throws Exception {
        var server =
                serve((request, answer) -> {
                    if (request.isWatch() && !request.parameter("sendInitialEvents").isEmpty()) {
                        var status =
                                Map.of(
                                        "code",
                                        422,
                                        "reason",
                                        "Invalid",
                                        "message",
                                        "no such thing");
                        answer.send(422, ApiRequest.PROTOBUF, envelope("Status", status));
                    } else if (request.isWatch()) {
                        answer.begin(WATCH).hang();
                    } else {
                        answer.send(
                                200,
                                ApiRequest.PROTOBUF,
                                envelope(
                                        "PodList",
                                        Map.of(
                                                "metadata",
                                                Map.of("resourceVersion", "3"),
                                                "items",
                                                List.of(pod("a", "1"), pod("b", "2")))));
                    }
                });
        reflect(server);
        awaitNotes("+ns/a", "+ns/b", "synced");
    }

    @Test
    void afterBytesThatMakeNoSenseEverythingIsReadAnew() throws Exception {
        var turn = new AtomicInteger();
        var server =
                serve((request, answer) -> {
                    boolean first = turn.incrementAndGet() == 1;
                    answer.begin(WATCH)
                            .piece(event("ADDED", pod("a", "5")))
                            .piece(event("BOOKMARK", end("7")))
                            .piece(
                                    first
                                            ? new byte[] {0, 0, 0, 3, 1, 2, 7}
                                            : event("ADDED", pod("b", "9")))
                            .hang();
                });
        reflect(server);
        awaitNotes("+ns/a", "synced", "+ns/b");
        assertThat(server.requests())
                .allSatisfy(request ->
                        assertThat(request.parameter("sendInitialEvents")).isEqualTo("true"));
    }

    private static final RawKeeper KEEPER =
            new RawKeeper() {
                @Override
                public boolean wants(Kind kind) {
                    return true;
                }

                @Override
                public void seen(Kind kind, Decoded object) {}

                @Override
                public void gone(Kind kind, String key, String uid) {}
            };

    private static Map<String, Object> pod(String name, String version) {
        return Map.of(
                "metadata",
                Map.of(
                        "namespace",
                        "ns",
                        "name",
                        name,
                        "uid",
                        "uid-" + name,
                        "resourceVersion",
                        version));
    }

    private static Map<String, Object> end(String version) {
        return Map.of(
                "metadata",
                Map.of(
                        "resourceVersion",
                        version,
                        "annotations",
                        Map.of("k8s.io/initial-events-end", "true")));
    }

    private static byte[] envelope(String kind, Map<String, ?> tree) {
        return Protobuf.inEnvelope("v1", kind, Protobuf.object(kind, tree));
    }

    private static byte[] event(String type, Map<String, ?> tree) {
        return Protobuf.event(type, envelope("Pod", tree));
    }
}
