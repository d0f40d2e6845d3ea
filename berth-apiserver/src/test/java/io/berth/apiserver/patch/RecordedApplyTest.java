package io.berth.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.Recorded;
import io.berth.apiserver.admission.Admission;
import io.berth.apiserver.admission.ClusterFacts;
import io.berth.apiserver.admission.Decoder;
import io.berth.apiserver.admission.FieldError;
import io.berth.apiserver.admission.Refusal;
import io.berth.apiserver.admission.Validation;
import io.berth.apiserver.patch.ServerSideApply.Applier;
import io.berth.apiserver.patch.ServerSideApply.Outcome;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Sequences of creates, patches and applies, replayed step by step: each has the answer, the
/// managers and the content that a real kube-apiserver had. Where that one says 500 to a malformed
/// configuration, 400 is expected, and a wrong type is told in the words of the decoder.
class RecordedApplyTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private final Admission admission =
            new Admission(ClusterFacts.NONE, InstantSource.fixed(NOW), new Admission.Options(true));

    static Stream<JsonNode> scenarios() {
        return Recorded.entries(RecordedApplyTest.class, "apply.json");
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void everyStepGoesAsRecorded(JsonNode scenario) {
        ResourceType type =
                ResourceTable.ALL.stream()
                        .filter(t -> t.kind().equals(scenario.path("kind").asText()))
                        .findFirst()
                        .orElseThrow();
        ObjectNode live = null;
        int number = 0;
        for (JsonNode step : scenario.path("steps")) {
            String place = scenario.path("name").asText() + ", step " + number++;
            ObjectNode result = null;
            try {
                result = run(type, step, live);
            } catch (PatchException e) {
                assertThat(e.text()).as(place).isEqualTo(step.path("message").asText());
                assertThat(e.status()).as(place).isEqualTo(step.path("code").asInt());
            } catch (Refusal e) {
                assertThat(e.text()).as(place).isEqualTo(step.path("message").asText());
            } catch (Conflict e) {
                assertThat(e.outcome.message()).as(place).isEqualTo(step.path("message").asText());
                assertThat(e.outcome.causes())
                        .extracting(ServerSideApply.Cause::field, ServerSideApply.Cause::message)
                        .containsExactlyElementsOf(
                                step.path("causes")
                                        .valueStream()
                                        .map(c ->
                                                tuple(
                                                        c.path("field").asText(),
                                                        c.path("message").asText()))
                                        .toList());
            }
            if (result == null) {
                assertThat(step.path("code").asInt()).as(place).isGreaterThanOrEqualTo(400);
                continue;
            }
            assertThat(step.path("message").asText("")).as(place).isEmpty();
            assertThat(managers(result)).as(place).isEqualTo(managers(step.path("object")));
            assertThat(content(result)).as(place).isEqualTo(content(step.path("object")));
            if (step.path("unchanged").asBoolean()) {
                assertThat(result).as(place).isSameAs(live);
            }
            live = result;
        }
    }

    /// What an HTTP handler would do, in small.
    private @Nullable ObjectNode run(ResourceType type, JsonNode step, @Nullable ObjectNode live) {
        String manager = step.path("manager").asText();
        JsonNode body = step.path("body");
        return switch (step.path("how").asText()) {
            case "create" -> {
                ObjectNode posted =
                        Admission.defaulted(type, Decoder.decode(type, body).strict(type));
                yield create(
                        type,
                        ManagedFields.afterUpdate(
                                type, "", Optional.empty(), posted, manager, NOW));
            }
            case "merge" -> patch(type, "", body, manager, live);
            case "status" -> patch(type, "status", body, manager, live);
            case "applystatus" -> apply(type, "status", body, new Applier(manager, true), live);
            case "apply" -> apply(type, "", body, new Applier(manager, false), live);
            default -> apply(type, "", body, new Applier(manager, true), live);
        };
    }

    private @Nullable ObjectNode patch(
            ResourceType type,
            String subresource,
            JsonNode body,
            String manager,
            @Nullable ObjectNode live) {
        ObjectNode before = Objects.requireNonNull(live);
        ObjectNode patched = Decoder.decode(type, MergePatch.apply(before, body)).strict(type);
        ObjectNode updated =
                ManagedFields.afterUpdate(
                        type,
                        subresource,
                        Optional.of(before),
                        Admission.defaulted(type, patched),
                        manager,
                        NOW);
        return admission.update(type, subresource, before, updated);
    }

    private @Nullable ObjectNode apply(
            ResourceType type,
            String subresource,
            JsonNode body,
            Applier applier,
            @Nullable ObjectNode live) {
        return switch (ServerSideApply.apply(
                type, subresource, Optional.ofNullable(live), body, applier, NOW)) {
            case Outcome.Applied(var object) ->
                    live == null
                            ? create(type, object)
                            : admission.update(type, subresource, live, object);
            case Outcome.Unchanged() -> live;
            case Outcome.Conflicted conflicted -> throw new Conflict(conflicted);
        };
    }

    private ObjectNode create(ResourceType type, ObjectNode object) {
        ObjectNode created = admission.create(type, object);
        List<FieldError> errors = Validation.create(type, created);
        if (!errors.isEmpty()) {
            throw Refusal.invalid(type, created.path("metadata").path("name").asText(), errors);
        }
        return created;
    }

    private static final class Conflict extends RuntimeException {
        private final transient Outcome.Conflicted outcome;

        Conflict(Outcome.Conflicted outcome) {
            this.outcome = outcome;
        }
    }

    /// Fields by manager. A real server also lists times that are null, which only Go has.
    private static Map<String, String> managers(JsonNode object) {
        var result = new TreeMap<String, String>();
        for (JsonNode entry : object.path("metadata").path("managedFields")) {
            String fields =
                    entry.path("fieldsV1")
                            .toString()
                            .replace("\"f:lastProbeTime\":{},", "")
                            .replace("\"f:lastTransitionTime\":{},", "");
            result.put(
                    entry.path("manager").asText()
                            + " "
                            + entry.path("operation").asText()
                            + " "
                            + entry.path("subresource").asText(""),
                    fields);
        }
        return result;
    }

    /// Labels, finalizers, data and spec, without what other components of a real cluster add.
    private static String content(JsonNode object) {
        ObjectNode spec = object.path("spec").isObject() ? object.path("spec").deepCopy() : null;
        if (spec != null) {
            spec.remove(List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy"));
        }
        return sorted(object.path("metadata").path("labels"))
                + sorted(object.path("metadata").path("finalizers"))
                + (object.path("data").isEmpty() ? "" : sorted(object.path("data")))
                + (spec == null ? "" : sorted(spec));
    }

    private static String sorted(JsonNode node) {
        if (node.isObject()) {
            var parts = new TreeMap<String, String>();
            node.properties().forEach(e -> parts.put(e.getKey(), sorted(e.getValue())));
            return parts.toString();
        }
        return node.isArray()
                ? node.valueStream().map(RecordedApplyTest::sorted).toList().toString()
                : node.toString();
    }
}
