package io.berth.apiserver.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.Recorded;
import io.berth.apiserver.resource.ResourceType;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Create requests are answered as a real kube-apiserver answered them. One recorded text was
/// changed: the duplicate taint is shown with the names of the API, not with those of Go.
class RecordedAdmissionTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));
    private static final ClusterFacts FACTS =
            new ClusterFacts() {
                @Override
                public List<ObjectNode> priorityClasses() {
                    return SystemObjects.priorityClasses();
                }

                @Override
                public List<ObjectNode> storageClasses() {
                    return List.of();
                }
            };

    static Stream<JsonNode> refusals() {
        return Recorded.entries(RecordedAdmissionTest.class, "refusals.json");
    }

    static Stream<JsonNode> created() {
        return Recorded.entries(RecordedAdmissionTest.class, "created.json");
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void wrongObjectIsRefusedInTheSameWords(JsonNode recorded) {
        ResourceType type = Recorded.type(recorded.path("resource").asText());
        var refusal =
                catchThrowableOfType(Refusal.class, () -> store(type, recorded.path("object")));
        assertThat(refusal).isNotNull();
        assertThat(refusal.text()).isEqualTo(recorded.path("message").asText());
        assertThat(refusal.status()).isEqualTo(recorded.path("code").asInt());
        assertThat(refusal.reason()).isEqualTo(recorded.path("reason").asText());
        assertThat(refusal.errors())
                .extracting(FieldError::field, e -> e.reason().code(), FieldError::message)
                .containsExactlyElementsOf(
                        recorded.path("causes")
                                .valueStream()
                                .map(cause ->
                                        org.assertj.core.groups.Tuple.tuple(
                                                cause.path("field").asText(),
                                                cause.path("reason").asText(),
                                                cause.path("message").asText()))
                                .toList());
    }

    @ParameterizedTest
    @MethodSource("created")
    void rightObjectGetsTheSameDefaults(JsonNode recorded) {
        ResourceType type = Recorded.type(recorded.path("resource").asText());
        ObjectNode stored = store(type, recorded.path("object"));
        ObjectNode expected = recorded.path("stored").deepCopy();
        comparable(stored, type);
        comparable(expected, type);
        assertThat(stored.toPrettyString()).isEqualTo(expected.toPrettyString());
    }

    private static ObjectNode store(ResourceType type, JsonNode body) {
        ObjectNode decoded = Decoder.decode(type, body).strict(type);
        var admission = new Admission(FACTS, CLOCK, new Admission.Options(true));
        ObjectNode object = admission.create(type, decoded);
        List<FieldError> errors = Validation.create(type, object);
        if (!errors.isEmpty()) {
            throw Refusal.invalid(type, object.path("metadata").path("name").asText(), errors);
        }
        return object;
    }

    /// Sorts fields, and takes out what the store adds and what is left out on purpose.
    private static void comparable(ObjectNode object, ResourceType type) {
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        metadata.remove(List.of("namespace", "finalizers"));
        if (object.path("status") instanceof ObjectNode status) {
            status.remove("lastPhaseTransitionTime");
            status.path("conditions").forEach(c -> ((ObjectNode) c).remove("lastTransitionTime"));
        }
        if (type.kind().equals("DaemonSet")) {
            metadata.remove("annotations");
        }
        if (type.kind().equals("Service")) {
            ((ObjectNode) object.path("spec"))
                    .remove(List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy"));
        }
        sort(object);
    }

    private static void sort(JsonNode node) {
        node.forEach(RecordedAdmissionTest::sort);
        if (node instanceof ObjectNode object) {
            var sorted = new java.util.TreeMap<String, JsonNode>();
            object.properties().forEach(e -> sorted.put(e.getKey(), e.getValue()));
            object.removeAll();
            sorted.forEach(object::set);
        }
    }
}
