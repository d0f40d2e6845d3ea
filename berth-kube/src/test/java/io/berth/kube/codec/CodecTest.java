package io.berth.kube.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.amount.Quantity;
import io.berth.api.amount.Resources;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.model.CustomObject;
import io.berth.api.model.GeneratedClaims;
import io.berth.api.model.Kind;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.NodeImage;
import io.berth.api.model.Pod;
import io.berth.api.model.PodController;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.model.Service;
import io.berth.api.spec.Taint;
import io.berth.api.spec.Volume;
import io.berth.kube.codec.kind.KindTable;
import io.berth.kube.codec.kind.PodSpecReader;
import io.berth.kube.codec.wire.Encoding;
import io.berth.kube.codec.wire.JsonInput;
import io.berth.kube.codec.wire.Shared;
import io.berth.kube.codec.wire.TextCache;
import io.berth.kube.codec.wire.Times;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the readers make of the API's JSON.
class CodecTest {
    private final Shared shared = new Shared();

    @Nested
    class Pods {
        @Test
        void aPodOfADeploymentIsReadInFull() throws Exception {
            var pod =
                    pod(
                            """
                            {"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-7d4b9c-x2x4z",
                             "generateName":"web-7d4b9c-","namespace":"shop","uid":"u-1",
                             "resourceVersion":"4711","generation":2,
                             "creationTimestamp":"2026-05-01T10:00:00Z",
                             "labels":{"app":"web","pod-template-hash":"7d4b9c"},
                             "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet",
                              "name":"web-7d4b9c","uid":"u-rs","controller":true}],
                             "managedFields":[{"manager":"kubelet","fieldsV1":{"f:status":{}}}]},
                             "spec":{"nodeName":"node-1","priority":10,
                              "containers":[{"name":"c","image":"nginx:1.27",
                               "resources":{"requests":{"cpu":"250m","memory":"64Mi"},
                                            "limits":{"cpu":1}},
                               "ports":[{"containerPort":80,"hostPort":8080}]}],
                              "volumes":[{"name":"kube-api-access-abcde","projected":{"sources":[]}}],
                              "tolerations":[{"key":"k","operator":"Exists","effect":"NoExecute",
                                              "tolerationSeconds":300}]},
                             "status":{"phase":"Running","startTime":"2026-05-01T10:00:03Z",
                              "conditions":[{"type":"Ready","status":"True"},
                               {"type":"PodScheduled","status":"True",
                                "lastTransitionTime":"2026-05-01T10:00:01Z"}]}}
                            """);
            assertThat(pod.key()).isEqualTo("shop/web-7d4b9c-x2x4z");
            assertThat(pod.uid()).isEqualTo("u-1");
            assertThat(pod.resourceVersion()).isEqualTo("4711");
            assertThat(pod.generation()).isEqualTo(2);
            assertThat(pod.nodeName()).isEqualTo("node-1");
            assertThat(pod.phase()).isEqualTo("Running");
            assertThat(pod.labels())
                    .isEqualTo(Labels.of("app", "web", "pod-template-hash", "7d4b9c"));
            assertThat(Objects.requireNonNull(pod.controller()).name()).isEqualTo("web-7d4b9c");
            assertThat(pod.createdAt()).isEqualTo("2026-05-01T10:00:00Z");
            assertThat(pod.startedAt()).isEqualTo("2026-05-01T10:00:03Z");
            assertThat(pod.conditions())
                    .singleElement()
                    .satisfies(condition -> {
                        assertThat(condition.type()).isEqualTo("PodScheduled");
                        assertThat(condition.status()).isEqualTo("True");
                    });
            assertThat(pod.resize()).isNull();
            var container = pod.spec().containers().getFirst();
            assertThat(container.requests())
                    .isEqualTo(
                            Map.of(
                                    "cpu",
                                    Quantity.parse("250m"),
                                    "memory",
                                    Quantity.parse("64Mi")));
            assertThat(container.limits()).isEqualTo(Map.of("cpu", Quantity.of(1)));
            assertThat(pod.spec().hostPorts())
                    .singleElement()
                    .satisfies(port -> assertThat(port.port()).isEqualTo(8080));
            assertThat(pod.spec().volumes())
                    .containsExactly(new Volume("", new Volume.Other("projected")));
            assertThat(pod.spec().nodeSelector()).isNull();
        }

        @Test
        void podsOfOneTemplateShareTheirSpecLabelsAndOwner() throws Exception {
            String template =
                    """
                    {"metadata":{"name":"%s","labels":{"app":"web"},"ownerReferences":[
                      {"kind":"ReplicaSet","name":"rs","uid":"u","controller":true}]},
                     "spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"%s"}}}],
                      "volumes":[{"name":"kube-api-access-%s","projected":{}}]}}
                    """;
            var one = pod(template.formatted("a", "1", "x7k2p"));
            // Another way to write the same amount.
            var two = pod(template.formatted("b", "1000m", "q9m4t"));
            assertThat(two.spec()).isSameAs(one.spec());
            assertThat(two.labels()).isSameAs(one.labels());
            assertThat(two.controller()).isSameAs(one.controller());
            assertThat(shared.specCount()).isEqualTo(1);
        }

        @Test
        @Tag("E-70")
        void claimsMadeForAPodAreRead() throws Exception {
            var pod =
                    pod(
                            """
                            {"status":{"resourceClaimStatuses":[
                              {"name":"gpu","resourceClaimName":"web-gpu-x1"},{"name":"nic"}],
                             "extendedResourceClaimStatus":{"resourceClaimName":"web-extended-x2",
                              "requestMappings":[{"containerName":"c",
                               "resourceName":"example.com/gpu","requestName":"request-0"}]}}}
                            """);
            assertThat(pod.generatedClaims())
                    .isEqualTo(
                            new GeneratedClaims(
                                    List.of(
                                            new GeneratedClaims.Generated("gpu", "web-gpu-x1"),
                                            new GeneratedClaims.Generated("nic", null)),
                                    new GeneratedClaims.Extended(
                                            "web-extended-x2",
                                            List.of(
                                                    new GeneratedClaims.Mapping(
                                                            "c",
                                                            "example.com/gpu",
                                                            "request-0")))));
            assertThat(pod("{\"status\":{\"resourceClaimStatuses\":[]}}").generatedClaims())
                    .isNull();
        }

        @Test
        void anAbsentNodeSelectorDiffersFromAnEmptyOne() throws Exception {
            assertThat(pod("{\"spec\":{}}").spec().nodeSelector()).isNull();
            assertThat(pod("{\"spec\":{\"nodeSelector\":null}}").spec().nodeSelector()).isNull();
            assertThat(pod("{\"spec\":{\"nodeSelector\":{}}}").spec().nodeSelector())
                    .isEqualTo(Labels.EMPTY);
        }

        @Test
        void anAbsentListOfPreferencesDiffersFromAnEmptyOne() throws Exception {
            String affinity = "{\"spec\":{\"affinity\":{\"nodeAffinity\":{%s}}}}";
            assertThat(pod(affinity.formatted("")).spec().affinity().hasPreferredNodes()).isFalse();
            assertThat(
                            pod(affinity.formatted(
                                            "\"preferredDuringSchedulingIgnoredDuringExecution\":[]"))
                                    .spec()
                                    .affinity()
                                    .hasPreferredNodes())
                    .isTrue();
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource(
                delimiter = '|',
                value = {
                    "status as the spec          | 100m | 100m | 100m |       | same",
                    "no allocation stated        | 100m | 100m |      |       | same",
                    "smaller than the spec       | 200m | 100m | 100m |       | same",
                    "larger than the spec        | 100m | 200m | 200m |       | resize",
                    "only more set aside         | 100m | 100m | 200m |       | resize",
                    "smaller, but refused        | 200m | 100m | 100m | Infeasible | resize",
                    "deferred                    | 200m | 100m | 100m | Deferred   | same",
                })
        void aResizeIsKeptWhereItCounts(
                String what,
                String spec,
                String given,
                String allocated,
                String reason,
                String outcome)
                throws Exception {
            String set =
                    allocated == null
                            ? ""
                            : "\"allocatedResources\":{\"cpu\":\"" + allocated + "\"},";
            var pod =
                    pod(
                            ("{\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"requests\":"
                                            + "{\"cpu\":\"%s\"}}}]},\"status\":{\"conditions\":[{\"type\":"
                                            + "\"PodResizePending\",\"reason\":\"%s\"}],\"containerStatuses\":"
                                            + "[{%s\"name\":\"c\",\"resources\":{\"requests\":{\"cpu\":\"%s\"}}},"
                                            + "{\"name\":\"other\",\"resources\":{\"requests\":{\"cpu\":\"9\"}}}]}}")
                                    .formatted(spec, reason, set, given));
            if (outcome.equals("same")) {
                assertThat(pod.resize()).as(what).isNull();
            } else {
                assertThat(Objects.requireNonNull(pod.resize()).containers()).containsOnlyKeys("c");
                assertThat(pod.resize().infeasible()).isEqualTo("Infeasible".equals(reason));
            }
        }
    }

    @Test
    void aNodeIsRead() throws Exception {
        var node =
                (Node)
                        read(
                                        Kind.NODE,
                                        """
                                        {"metadata":{"name":"n","uid":"u","resourceVersion":"9",
                                         "labels":{"zone":"a"},"annotations":{"x":"y"}},
                                         "spec":{"unschedulable":true,"podCIDR":"10.0.0.0/24",
                                          "taints":[{"key":"k","value":"v","effect":"NoSchedule",
                                                     "timeAdded":"2026-01-01T00:00:00Z"}]},
                                         "status":{"allocatable":{"cpu":"3920m","memory":"7Gi","pods":"110",
                                            "example.com/gpu":"2","odd":"1"},
                                          "conditions":[{"type":"Ready","status":"True",
                                             "lastHeartbeatTime":"2026-01-01T00:00:00Z"}],
                                          "images":[{"names":["a@sha256:1","a:1"],"sizeBytes":7}],
                                          "declaredFeatures":["f1"]}}
                                        """)
                                .object();
        assertThat(node)
                .isEqualTo(
                        Node.builder("n")
                                .uid("u")
                                .resourceVersion("9")
                                .labels(Labels.of("zone", "a"))
                                .annotations(Labels.of("x", "y"))
                                .taint(new Taint("k", "v", "NoSchedule"))
                                .unschedulable(true)
                                .allocatable(
                                        new Resources(
                                                3920,
                                                7L << 30,
                                                0,
                                                110,
                                                Map.of("example.com/gpu", 2L)))
                                .image(new NodeImage(List.of("a@sha256:1", "a:1"), 7))
                                .condition("Ready", "True")
                                .declaredFeature("f1")
                                .build());
    }

    @Test
    void theOtherKindsAreRead() throws Exception {
        String meta =
                "{\"metadata\":{\"namespace\":\"ns\",\"name\":\"x\",\"labels\":{\"l\":\"v\"}}";
        assertThat(read(Kind.NAMESPACE, meta + "}").object())
                .isEqualTo(new Namespace("x", Labels.of("l", "v")));
        assertThat(read(Kind.SERVICE, meta + ",\"spec\":{\"selector\":{\"a\":\"b\"}}}").object())
                .isEqualTo(new Service("ns", "x", Labels.of("a", "b")));
        assertThat(read(Kind.SERVICE, meta + ",\"spec\":{}}").object())
                .isEqualTo(new Service("ns", "x", null));
        var matching = LabelSelector.matching("a", "b");
        assertThat(
                        read(
                                        Kind.REPLICATION_CONTROLLER,
                                        meta + ",\"spec\":{\"selector\":{\"a\":\"b\"}}}")
                                .object())
                .isEqualTo(new PodController(Kind.REPLICATION_CONTROLLER, "ns", "x", matching));
        for (var kind : List.of(Kind.REPLICA_SET, Kind.STATEFUL_SET)) {
            assertThat(
                            read(
                                            kind,
                                            meta
                                                    + ",\"spec\":{\"selector\":{\"matchLabels\":"
                                                    + "{\"a\":\"b\"}}}}")
                                    .object())
                    .isEqualTo(new PodController(kind, "ns", "x", matching));
        }
        assertThat(
                        read(
                                        Kind.POD_DISRUPTION_BUDGET,
                                        meta
                                                + ",\"status\":{\"disruptionsAllowed\":3,"
                                                + "\"disruptedPods\":{\"p\":\"2026-01-01T00:00:00Z\"}},"
                                                + "\"spec\":{\"selector\":{}}}")
                                .object())
                .isEqualTo(
                        new PodDisruptionBudget(
                                "ns", "x", LabelSelector.EVERYTHING, 3, Set.of("p")));
        assertThat(read(Kind.POD_DISRUPTION_BUDGET, meta + ",\"spec\":{}}").object())
                .isEqualTo(new PodDisruptionBudget("ns", "x", LabelSelector.NOTHING, 0, Set.of()));
    }

    @Test
    void selectorsKeepTheirExpressionsBehindTheirLabels() throws Exception {
        var workload =
                (PodController)
                        read(
                                        Kind.REPLICA_SET,
                                        """
                                        {"spec":{"selector":{"matchExpressions":[
                                          {"key":"e","operator":"NotIn","values":["1","2"]}],
                                          "matchLabels":{"z":"1","a":"2"}}}}
                                        """)
                                .object();
        assertThat(Objects.requireNonNull(workload).selector().requirements())
                .containsExactly(
                        Requirement.is("a", "2"),
                        Requirement.is("z", "1"),
                        new Requirement("e", Requirement.Operator.NOT_IN, List.of("1", "2")));
    }

    static Kind[] kinds() {
        return Kind.values();
    }

    /// Whoever adds a kind is told here that it needs a reader.
    @ParameterizedTest
    @MethodSource("kinds")
    void everyKindHasAReaderOfItsOwn(Kind kind) {
        assertThat(KindTable.has(kind)).isTrue();
    }

    @Test
    @Tag("E-73")
    void kindsOfPluginsOwnAreReadAsTrees() throws Exception {
        var racks = Kind.of("example.com", "v1", "racks");
        var read =
                read(
                        racks,
                        """
                        {"apiVersion":"example.com/v1","kind":"Rack",
                         "metadata":{"name":"r","uid":"u","resourceVersion":"7","labels":{"a":"b"},
                                     "annotations":{"c":"d"},"managedFields":[{"manager":"m"}]},
                         "spec":{"watts":500,"share":0.5,"on":true,"none":null,
                                 "slots":[1,"two",{"deep":[]}]}}
                        """);
        var rack = (CustomObject) Objects.requireNonNull(read.object());
        assertThat(rack.kind()).isSameAs(racks);
        assertThat(rack.labels().value("a")).isEqualTo("b");
        assertThat(rack.annotations().value("c")).isEqualTo("d");
        assertThat(rack.at("kind")).isEqualTo("Rack");
        assertThat(rack.at("spec", "watts")).isEqualTo(500L);
        assertThat(rack.at("spec", "share")).isEqualTo(0.5);
        assertThat(rack.at("spec", "on")).isEqualTo(true);
        assertThat(rack.at("spec", "none")).isNull();
        assertThat(rack.at("spec", "slots"))
                .isEqualTo(List.of(1L, "two", Map.of("deep", List.of())));
        assertThat(rack.at("spec", "watts", "deeper")).isNull();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void nullsReadLikeAbsentFields(Kind kind) throws Exception {
        var absent = read(kind, "{\"metadata\":{\"name\":\"x\"}}");
        assertThat(
                        read(
                                kind,
                                "{\"metadata\":{\"name\":\"x\",\"labels\":null,\"annotations\":null,"
                                        + "\"ownerReferences\":null,\"generation\":null},\"spec\":null,\"status\":null}"))
                .isEqualTo(absent);
        assertThat(absent.object()).isNotNull();
    }

    @Nested
    class WrongTypes {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '\0',
                value = {
                    "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"containers\":{\"a\":[1,{}]}}}",
                    "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"containers\":[[[]]]}}",
                    "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"priority\":\"high\"}}",
                    "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"priority\":99999999999}}",
                    "{\"metadata\":{\"name\":\"x\"},\"spec\":{\"overhead\":{\"cpu\":\"abc\"}}}",
                    "{\"metadata\":{\"name\":\"x\"},\"spec\":7,\"status\":{}}",
                    "{\"metadata\":{\"name\":\"x\",\"creationTimestamp\":\"today\"}}",
                    "{\"metadata\":{\"name\":\"x\",\"labels\":[\"a\"]}}",
                })
        void theObjectIsPassedOverAndTheStreamGoesOn(String object) throws Exception {
            String stream =
                    "{\"type\":\"ADDED\",\"object\":"
                            + object
                            + "}\n{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"y\"}}}\n";
            try (var reader = watch(stream)) {
                assertThat(reader.next())
                        .isInstanceOfSatisfying(
                                WatchEvent.Seen.class,
                                seen -> assertThat(seen.object().object()).isNull());
                assertThat(reader.next())
                        .isInstanceOfSatisfying(
                                WatchEvent.Seen.class,
                                seen -> assertThat(seen.object().name()).isEqualTo("y"));
                assertThat(reader.next()).isNull();
            }
        }

        @Test
        void theMessageNamesThePath() throws Exception {
            try (var in =
                    new JsonInput(
                            bytes("{\"spec\":{\"containers\":[{},{\"name\":[]}]}}"), shared)) {
                in.nextValue();
                in.nextField();
                assertThatThrownBy(() -> new PodSpecReader().read(in))
                        .hasMessage("spec.containers[1].name: expected a string, found an array");
            }
        }
    }

    @Nested
    class Streams {
        @Test
        void eventsOfAllTypesAreTold() throws Exception {
            String object = "\"object\":{\"metadata\":{\"name\":\"x\",\"resourceVersion\":\"3\"}}";
            String stream =
                    String.join(
                            "\n",
                            "{\"type\":\"MODIFIED\"," + object + "}",
                            "{" + object + ",\"type\":\"DELETED\"}",
                            "{\"type\":\"BOOKMARK\"," + object + "}",
                            "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,"
                                    + "\"reason\":\"Expired\",\"message\":\"m\"}}",
                            "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Pod\"}}",
                            "{\"type\":\"HELLO\",\"object\":{}}",
                            "[1]");
            try (var reader = watch(stream)) {
                assertThat(reader.next()).isInstanceOf(WatchEvent.Seen.class);
                assertThat(reader.next())
                        .isEqualTo(new WatchEvent.Gone(new Decoded("", "x", "", "3", null)));
                assertThat(reader.next()).isEqualTo(new WatchEvent.Bookmark("3", false));
                assertThat(reader.next())
                        .isInstanceOfSatisfying(
                                WatchEvent.Failed.class,
                                failed -> assertThat(failed.status().isExpired()).isTrue());
                assertThat(reader.next()).isInstanceOf(WatchEvent.Failed.class);
                assertThat(reader.next()).isEqualTo(new WatchEvent.Unknown("HELLO"));
                assertThat(reader.next()).isInstanceOf(WatchEvent.Unknown.class);
                assertThat(reader.next()).isNull();
            }
        }

        @Test
        void aTruncatedEventIsAnError() throws Exception {
            try (var reader = watch("{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"na")) {
                assertThatThrownBy(reader::next).isInstanceOf(IOException.class);
            }
        }

        @Test
        void aListTellsItsVersionWhereverItStands() throws Exception {
            var names = new ArrayList<String>();
            var page =
                    ListReader.read(
                            new ByteArrayInputStream(
                                    bytes(
                                            "{\"items\":[{\"metadata\":{\"name\":\"a\"}},null,"
                                                    + "{\"metadata\":{\"name\":\"b\"}}],\"metadata\":"
                                                    + "{\"continue\":\"c\",\"resourceVersion\":\"5\"}}")),
                            Encoding.JSON,
                            Kind.NODE,
                            shared,
                            false,
                            item -> names.add(item.name()));
            assertThat(page).isEqualTo(new ListReader.Page("5", "c"));
            assertThat(names).containsExactly("a", "b");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-02T03:04:05Z",
                "2024-02-29T23:59:59Z",
                "1969-12-31T23:59:59Z",
                "2026-01-02T03:04:05.678901Z",
                "2026-01-02T03:04:05+02:00",
            })
    void timesAreThoseOfTheJdk(String text) {
        char[] buffer = ("\"" + text + "\"").toCharArray();
        assertThat(Times.parse(buffer, 1, text.length())).isEqualTo(Instant.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-02-29T00:00:00Z",
                "2026-13-01T00:00:00Z",
                "2026-01-02T24:00:00Z",
                "2026-01-02 03:04:05Z",
                "",
            })
    void whatIsNoTimeIsRefused(String text) {
        assertThatThrownBy(() -> Times.parse(text.toCharArray(), 0, text.length()))
                .isInstanceOf(DateTimeException.class);
    }

    @Test
    void textsOfEqualContentAreOneString() {
        char[] buffer = "xx-node-1-yy-node-1".toCharArray();
        assertThat(shared.string(buffer, 3, 6)).isEqualTo("node-1");
        assertThat(shared.string(buffer, 13, 6)).isSameAs(shared.string(buffer, 3, 6));
    }

    @Test
    void aTableOfTextsForgetsButNeverLies() {
        var cache = new TextCache<String>(3, text -> text);
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 500; i++) {
                String text = "value-" + i;
                assertThat(cache.of(text.toCharArray(), 0, text.length())).isEqualTo(text);
            }
        }
    }

    private Pod pod(String json) throws IOException {
        return (Pod) Objects.requireNonNull(read(Kind.POD, json).object());
    }

    private Decoded read(Kind kind, String json) throws IOException {
        try (var in = new JsonInput(bytes(json), shared)) {
            in.nextValue();
            return new ObjectReader(kind, false).read(in);
        }
    }

    private WatchReader watch(String stream) throws IOException {
        return WatchReader.of(
                new ByteArrayInputStream(bytes(stream)), Encoding.JSON, Kind.POD, shared);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
