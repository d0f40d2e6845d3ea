package io.berth.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.Recorded;
import io.berth.apiserver.admission.Admission;
import io.berth.apiserver.admission.Decoder;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.schema.SchemaCatalog;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Patches of one deployment, compared with what a real kube-apiserver made of them.
class RecordedPatchTest {
    private static final ResourceType TYPE = Recorded.type("deployments");
    private static final ObjectNode LIVE =
            (ObjectNode) entries().findFirst().orElseThrow().path("live");

    static Stream<JsonNode> entries() {
        return Recorded.entries(RecordedPatchTest.class, "patches.json");
    }

    static Stream<JsonNode> patches() {
        return entries().skip(1);
    }

    @ParameterizedTest
    @MethodSource("patches")
    void patchHasTheRecordedResult(JsonNode recorded) {
        if (recorded.path("code").asInt() < 300) {
            ObjectNode patched = Decoder.decode(TYPE, apply(recorded)).strict(TYPE);
            ObjectNode result = Admission.defaulted(TYPE, patched);
            assertThat(result.path("spec")).isEqualTo(recorded.path("spec"));
            assertThat(result.path("metadata").path("labels")).isEqualTo(recorded.path("labels"));
            assertThat(result.path("metadata").path("finalizers"))
                    .isEqualTo(recorded.path("finalizers"));
        } else {
            var refusal = catchThrowableOfType(PatchException.class, () -> apply(recorded));
            assertThat(refusal).isNotNull();
            int status = recorded.path("code").asInt();
            assertThat(refusal.status()).isEqualTo(status == 500 ? 422 : status);
            String message = recorded.path("message").asText();
            if (!message.startsWith("the server rejected our request")) {
                assertThat(refusal.text()).isEqualTo(message);
            }
        }
    }

    private static ObjectNode apply(JsonNode recorded) {
        JsonNode patch = recorded.path("patch");
        return switch (recorded.path("kind").asText()) {
            case "smp" -> StrategicMergePatch.apply(LIVE, patch, SchemaCatalog.of(TYPE));
            case "json" -> JsonPatch.apply(LIVE, patch);
            default -> MergePatch.apply(LIVE, patch);
        };
    }
}
