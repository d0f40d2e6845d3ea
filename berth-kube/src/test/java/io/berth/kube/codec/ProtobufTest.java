package io.berth.kube.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.amount.Quantity;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.kube.codec.kind.KindTable;
import io.berth.kube.codec.kind.Metadata;
import io.berth.kube.codec.wire.Encoding;
import io.berth.kube.codec.wire.JsonInput;
import io.berth.kube.codec.wire.ProtobufInput;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.protobuf.ProtobufException;
import io.berth.kube.testing.Json;
import io.berth.kube.testing.Protobuf;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What protobuf holds is read as the same JSON would be.
@Tag("P-123")
class ProtobufTest {
    private static final int PODS = 3000;

    private final Shared shared = new Shared();

    @Test
    void podsOfEveryFormAreReadAsFromTheirTree() throws Exception {
        for (int seed = 0; seed < PODS; seed++) {
            var tree = Protobuf.withoutNothing("Pod", new RandomPods(seed).next());
            String what = "seed %d: %s".formatted(seed, Json.text(tree));
            var pod = (Pod) Objects.requireNonNull(read(Kind.POD, "Pod", tree).object());
            var expected = TreePod.read(tree);
            assertThat(pod.spec()).as(what).isEqualTo(expected.spec());
            assertThat(pod.resize()).as(what).isEqualTo(expected.resize());
            assertThat(pod).as(what).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "nodes.v1. | Node | {\"metadata\":{\"name\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"7\","
                        + "\"labels\":{\"zone\":\"z\"},\"annotations\":{\"a\":\"ä\"}},"
                        + "\"spec\":{\"unschedulable\":true,\"podCIDR\":\"10.0.0.0/8\",\"taints\":["
                        + "{\"key\":\"k\",\"value\":\"v\",\"effect\":\"NoSchedule\"},{\"key\":\"l\"}]},"
                        + "\"status\":{\"capacity\":{\"cpu\":\"9\"},"
                        + "\"allocatable\":{\"cpu\":\"4\",\"memory\":\"1Gi\",\"pods\":\"110\","
                        + "\"example.com/gpu\":\"3\"},\"conditions\":[{\"type\":\"Ready\",\"status\":"
                        + "\"True\",\"lastHeartbeatTime\":\"2026-01-02T03:04:05Z\"}],\"images\":["
                        + "{\"names\":[\"a\",\"b\"],\"sizeBytes\":5000000000},{\"names\":[\"c\"]}],"
                        + "\"declaredFeatures\":[\"X\",\"Y\"]}}",
                "namespaces.v1. | Namespace | {\"metadata\":{\"name\":\"n\",\"labels\":{\"a\":\"b\"}},"
                        + "\"spec\":{\"finalizers\":[\"kubernetes\"]},\"status\":{\"phase\":\"Active\"}}",
                "services.v1. | Service | {\"metadata\":{\"namespace\":\"n\",\"name\":\"s\"},"
                        + "\"spec\":{\"selector\":{\"a\":\"b\",\"c\":\"d\"},\"type\":\"ClusterIP\"}}",
                "services.v1. | Service | {\"metadata\":{\"namespace\":\"n\",\"name\":\"s\"},\"spec\":{}}",
                "replicationcontrollers.v1. | ReplicationController | {\"metadata\":{\"namespace\":\"n\","
                        + "\"name\":\"s\"},\"spec\":{\"replicas\":3,\"selector\":{\"a\":\"b\"}}}",
                "replicasets.v1.apps | ReplicaSet | {\"metadata\":{\"namespace\":\"n\",\"name\":\"s\"},\"spec\":"
                        + "{\"replicas\":3,\"selector\":{\"matchLabels\":{\"a\":\"b\"},"
                        + "\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"In\",\"values\":"
                        + "[\"x\",\"y\"]},{\"key\":\"l\",\"operator\":\"Exists\"}]}}}",
                "statefulsets.v1.apps | StatefulSet | {\"metadata\":{\"namespace\":\"n\",\"name\":\"s\"},"
                        + "\"spec\":{\"serviceName\":\"x\",\"selector\":{}}}",
                "poddisruptionbudgets.v1.policy | PodDisruptionBudget | {\"metadata\":{\"namespace\":\"n\","
                        + "\"name\":\"s\"},\"spec\":{\"selector\":{\"matchLabels\":{\"a\":\"b\"}}},"
                        + "\"status\":{\"disruptionsAllowed\":2,\"currentHealthy\":4,"
                        + "\"disruptedPods\":{\"p\":\"2026-01-02T03:04:05Z\","
                        + "\"q\":\"2026-01-02T03:04:05Z\"}}}",
            })
    void otherKindsAreReadAsFromJson(Kind kind, String name, String json) throws Exception {
        Decoded expected;
        try (var in = new JsonInput(json.getBytes(StandardCharsets.UTF_8), shared)) {
            in.nextValue();
            expected = new ObjectReader(kind, false).read(in);
        }
        assertThat(expected.object()).isNotNull();
        assertThat(read(kind, name, new org.yaml.snakeyaml.Yaml().<Map<String, Object>>load(json)))
                .isEqualTo(expected);
    }

    /// What the writer for rehearsals writes is what a server would, as far as anybody here reads
    /// it.
    @Test
    void writtenObjectsAreReadAgain() throws Exception {
        for (int seed = 0; seed < 500; seed++) {
            var tree = Protobuf.withoutNothing("Pod", new RandomPods(seed).next());
            ((Map<?, ?>) Objects.requireNonNull(tree.get("metadata")))
                    .remove("deletionTimestamp"); // of less than a second
            byte[] json = Json.text(tree).getBytes(StandardCharsets.UTF_8);
            try (var reader = watch(ProtobufOutput.event("ADDED", Kind.POD, json))) {
                assertThat(reader.next())
                        .isInstanceOfSatisfying(
                                WatchEvent.Seen.class,
                                seen ->
                                        assertThat(seen.object().object())
                                                .isEqualTo(TreePod.read(tree)));
            }
        }
    }

    /// A first version handed on the buffer that a long text had just replaced by a larger one.
    @ParameterizedTest
    @ValueSource(strings = {"x", "ä", "😀"})
    void textsMayBeLong(String character) throws Exception {
        for (int length : List.of(255, 256, 257, 700, 5000)) {
            String text = character.repeat(length);
            var tree =
                    Map.of(
                            "metadata",
                            Map.of("name", text, "labels", Map.of(text + "k", text)),
                            "status",
                            Map.of(
                                    "conditions",
                                    List.of(Map.of("type", "PodScheduled", "message", text))));
            var pod = (Pod) Objects.requireNonNull(read(Kind.POD, "Pod", tree).object());
            assertThat(pod).isEqualTo(TreePod.read(tree));
            assertThat(pod.conditions().getFirst().message()).isEqualTo(text);
        }
    }

    @Test
    void watchTellsItsEvents() throws Exception {
        var bookmark =
                Map.of(
                        "metadata",
                        Map.of(
                                "resourceVersion",
                                "9",
                                "annotations",
                                Map.of(Metadata.INITIAL_EVENTS_END, "true")));
        var status =
                Map.of(
                        "code",
                        410,
                        "reason",
                        "Expired",
                        "message",
                        "too old",
                        "details",
                        Map.of(
                                "retryAfterSeconds",
                                3,
                                "causes",
                                List.of(Map.of("reason", "r", "message", "m", "field", "f"))));
        try (var reader =
                watch(
                        event("ADDED", "Pod", pod("a", "1")),
                        event("MODIFIED", "Pod", pod("a", "2")),
                        event("DELETED", "Pod", pod("a", "3")),
                        event("BOOKMARK", "Pod", bookmark),
                        event("RENAMED", "Pod", pod("a", "3")),
                        event("ERROR", "Status", status))) {
            assertThat(reader.next())
                    .isInstanceOfSatisfying(
                            WatchEvent.Seen.class,
                            seen -> assertThat(seen.object().resourceVersion()).isEqualTo("1"));
            assertThat(reader.next())
                    .isInstanceOfSatisfying(
                            WatchEvent.Seen.class,
                            seen -> assertThat(seen.object().object()).isInstanceOf(Pod.class));
            assertThat(reader.next())
                    .isEqualTo(new WatchEvent.Gone(new Decoded("n", "a", "u", "3", null)));
            assertThat(reader.next()).isEqualTo(new WatchEvent.Bookmark("9", true));
            assertThat(reader.next()).isEqualTo(new WatchEvent.Unknown("RENAMED"));
            assertThat(reader.next())
                    .isInstanceOfSatisfying(
                            WatchEvent.Failed.class,
                            failed -> {
                                assertThat(failed.status().code()).isEqualTo(410);
                                assertThat(failed.status().isExpired()).isTrue();
                                assertThat(failed.status().message()).isEqualTo("too old");
                                assertThat(failed.status().retryAfterSeconds()).isEqualTo(3);
                                assertThat(failed.status().causes())
                                        .singleElement()
                                        .hasToString("Cause[reason=r, message=m, field=f]");
                            });
            assertThat(reader.next()).isNull();
        }
    }

    @Test
    void listTellsItsItemsAndItsVersion() throws Exception {
        var items = List.of(pod("a", "1"), pod("b", "2"), pod("c", "3"));
        byte[] list =
                list(
                        Map.of(
                                "metadata",
                                Map.of("resourceVersion", "5", "continue", "c"),
                                "items",
                                items));
        var names = new ArrayList<String>();
        assertThat(readList(list, names)).isEqualTo(new ListReader.Page("5", "c"));
        assertThat(names).containsExactly("a", "b", "c");
    }

    @Test
    void listWithoutVersionIsNone() {
        assertThatThrownBy(() ->
                        readList(list(Map.of("items", List.of(pod("a", "1")))), new ArrayList<>()))
                .hasMessage("not a list: metadata.resourceVersion is missing");
        assertThatThrownBy(() ->
                        readList("<html>".getBytes(StandardCharsets.UTF_8), new ArrayList<>()))
                .isInstanceOf(ProtobufException.class);
        assertThatThrownBy(() -> readList(new byte[0], new ArrayList<>()))
                .isInstanceOf(ProtobufException.class);
    }

    @Test
    void objectWithAValueOfTheWrongTypeIsPassedOver() throws Exception {
        // Field 2 (spec) with field 25 (priority) as a text.
        byte[] odd = {0x12, 4, (byte) 0xca, 1, 1, 'x'};
        byte[] name = Protobuf.object("Pod", pod("odd", "4"));
        byte[] both = Arrays.copyOf(name, name.length + odd.length);
        System.arraycopy(odd, 0, both, name.length, odd.length);
        try (var reader =
                watch(
                        Protobuf.event("ADDED", Protobuf.inEnvelope("v1", "Pod", both)),
                        event("ADDED", "Pod", pod("b", "5")))) {
            assertThat(reader.next())
                    .isEqualTo(new WatchEvent.Seen(new Decoded("n", "odd", "u", "4", null)));
            assertThat(reader.next())
                    .isInstanceOfSatisfying(
                            WatchEvent.Seen.class,
                            seen -> assertThat(seen.object().object()).isNotNull());
        }
    }

    @Test
    void quantityThatIsNoneIsNamed() throws Exception {
        var tree =
                Map.of(
                        "metadata",
                        Map.of("name", "n"),
                        "status",
                        Map.of("allocatable", Map.of("cpu", "x")));
        assertThat(read(Kind.NODE, "Node", tree).object()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 40})
    void truncatedEventIsAnError(int length) throws Exception {
        byte[] whole = event("ADDED", "Pod", pod("a", "1"));
        try (var reader = watch(Arrays.copyOf(whole, length))) {
            assertThatThrownBy(reader::next).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void hugeFrameIsAnErrorBeforeItIsRead() throws Exception {
        try (var reader = watch(new byte[] {0x7f, -1, -1, -1, 0})) {
            assertThatThrownBy(reader::next).isInstanceOf(ProtobufException.class);
        }
    }

    /// Whatever bytes come: an event, an object that is passed over, or an error that is told as
    /// malformed; never anything else, and never without end.
    @Test
    void garbledBytesEndInAnErrorOrAnObject() throws Exception {
        var random = new Random(7);
        int malformed = 0;
        for (int seed = 0; seed < 2000; seed++) {
            byte[] object = Protobuf.object("Pod", new RandomPods(seed).next());
            for (int i = 1 + random.nextInt(3); i > 0 && object.length > 0; i--) {
                object[random.nextInt(object.length)] = (byte) random.nextInt(256);
            }
            byte[] event = Protobuf.event("ADDED", Protobuf.inEnvelope("v1", "Pod", object));
            try (var reader = watch(event)) {
                assertThat(reader.next()).isInstanceOf(WatchEvent.Seen.class);
                assertThat(reader.next()).isNull();
            } catch (IOException error) {
                assertThat(WatchReader.isMalformed(error)).as("seed %d", seed).isTrue();
                malformed++;
            }
        }
        assertThat(malformed).isPositive();
        assertThat(shared.mistakes()).isZero();
    }

    /// A mistake in reading costs the one object, in both encodings.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void mistakeInReadingCostsTheObjectAlone(boolean isJson) throws Exception {
        var faulty =
                new Shared(text -> {
                    if (text.equals("666")) {
                        throw new IllegalStateException("planted");
                    }
                    return Quantity.parse(text);
                });
        var bytes = new ByteArrayOutputStream();
        for (String cpu : List.of("1", "666", "2")) {
            // In this order, as servers write it: the name is known when the rest cannot be read.
            var tree = new LinkedHashMap<String, Object>();
            tree.put("metadata", Map.of("name", "pod-" + cpu, "uid", "u", "resourceVersion", "1"));
            tree.put("spec", Map.of("overhead", Map.of("cpu", cpu), "priority", 1));
            bytes.writeBytes(
                    isJson
                            ? Json.text(Map.of("type", "ADDED", "object", tree))
                                    .getBytes(StandardCharsets.UTF_8)
                            : event("ADDED", "Pod", tree));
        }
        var names = new ArrayList<String>();
        var unread = new ArrayList<String>();
        try (var reader =
                WatchReader.of(
                        new ByteArrayInputStream(bytes.toByteArray()),
                        isJson ? Encoding.JSON : Encoding.PROTOBUF,
                        Kind.POD,
                        faulty)) {
            for (var event = reader.next(); event != null; event = reader.next()) {
                var object = ((WatchEvent.Seen) event).object();
                (object.object() == null ? unread : names).add(object.name());
            }
        }
        assertThat(names).containsExactly("pod-1", "pod-2");
        assertThat(unread).containsExactly("pod-666");
        assertThat(faulty.mistakes()).isOne();
    }

    private static Map<String, Object> pod(String name, String version) {
        return Map.of(
                "metadata",
                Map.of("namespace", "n", "name", name, "uid", "u", "resourceVersion", version));
    }

    private static byte[] list(Map<?, ?> tree) {
        return Protobuf.inEnvelope("v1", "PodList", Protobuf.object("PodList", tree));
    }

    private ListReader.Page readList(byte[] bytes, List<String> names) throws IOException {
        return ListReader.read(
                new ByteArrayInputStream(bytes),
                Encoding.PROTOBUF,
                Kind.POD,
                shared,
                false,
                item -> names.add(item.name()));
    }

    private static byte[] event(String type, String kind, Map<?, ?> tree) {
        return Protobuf.event(type, Protobuf.inEnvelope("v1", kind, Protobuf.object(kind, tree)));
    }

    private WatchReader watch(byte[]... events) throws IOException {
        var stream = new ByteArrayOutputStream();
        for (byte[] event : events) {
            stream.writeBytes(event);
        }
        return WatchReader.of(
                new ByteArrayInputStream(stream.toByteArray()),
                Encoding.of("application/vnd.kubernetes.protobuf;stream=watch"),
                Kind.POD,
                shared);
    }

    private Decoded read(Kind kind, String name, Map<?, ?> tree) throws IOException {
        byte[] bytes = Protobuf.object(name, tree);
        var in =
                new ProtobufInput(shared)
                        .reset(bytes, 0, bytes.length, KindTable.of(kind).schema());
        return new ObjectReader(kind, false).read(in);
    }
}
