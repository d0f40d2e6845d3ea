package io.berth.apiserver.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.Recorded;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Updates are taken or refused as a real kube-apiserver did. Of longer messages the first line
/// counts; what follows is a diff for humans.
class RecordedUpdateTest {

    static Stream<JsonNode> updates() {
        return Recorded.entries(RecordedUpdateTest.class, "updated.json");
    }

    static Stream<JsonNode> created() {
        return Recorded.entries(RecordedUpdateTest.class, "created.json");
    }

    @ParameterizedTest
    @MethodSource("updates")
    void updateIsJudgedTheSame(JsonNode recorded) {
        var type = Recorded.type(recorded.path("resource").asText());
        ObjectNode old = (ObjectNode) recorded.path("old");
        ObjectNode posted = Decoder.decode(type, recorded.path("posted")).strict(type);
        var admission =
                new Admission(ClusterFacts.NONE, InstantSource.system(), Admission.Options.DEFAULT);
        ObjectNode updated = admission.update(type, "", old, posted);
        var errors = Validation.update(type, "", old, updated);
        if (recorded.path("code").asInt() == 200) {
            assertThat(errors).isEmpty();
            assertThat(updated.path("metadata").path("generation").asInt())
                    .isEqualTo(recorded.path("generation").asInt());
        } else {
            assertThat(errors).isNotEmpty();
            String name = updated.path("metadata").path("name").asText();
            assertThat(Refusal.invalid(type, name, errors).text())
                    .startsWith(recorded.path("message").asText());
        }
    }

    /// What the server stored and what a client sends back differ in no way, not even in the Java
    /// types of numbers.
    @ParameterizedTest
    @MethodSource("created")
    void sendingBackWhatIsStoredChangesNothing(JsonNode recorded) throws Exception {
        var type = Recorded.type(recorded.path("resource").asText());
        var admission =
                new Admission(ClusterFacts.NONE, InstantSource.system(), Admission.Options.DEFAULT);
        ObjectNode body = recorded.path("object").deepCopy();
        if (body.path("spec") instanceof ObjectNode spec) {
            spec.remove("priorityClassName");
        }
        ObjectNode stored = admission.create(type, Decoder.decode(type, body).object());
        JsonNode sent = new ObjectMapper().readTree(stored.toString());
        ObjectNode updated =
                admission.update(type, "", stored, Decoder.decode(type, sent).object());
        // A null time is written by the server alone.
        updated.path("status")
                .path("conditions")
                .forEach(c -> ((ObjectNode) c).putNull("lastProbeTime"));
        assertThat(updated).isEqualTo(stored);
        assertThat(Validation.update(type, "", stored, updated)).isEmpty();
    }
}
