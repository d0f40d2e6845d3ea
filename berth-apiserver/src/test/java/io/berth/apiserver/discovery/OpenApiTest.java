package io.berth.apiserver.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class OpenApiTest {
    static final List<ResourceType> served = ResourceTable.ALL;
    private final OpenApi openApi = new OpenApi(ResourceTable.ALL);

    @Test
    void indexNamesOneDocumentForEachGroupVersion() {
        JsonNode paths = openApi.document("/openapi/v3").orElseThrow().path("paths");
        assertThat(paths.fieldNames())
                .toIterable()
                .contains("api/v1", "apis/apps/v1", "apis/coordination.k8s.io/v1beta1");
        assertThat(paths.path("api/v1").path("serverRelativeURL").asText())
                .matches("/openapi/v3/api/v1\\?hash=[0-9A-F]{64}");
    }

    @ParameterizedTest
    @FieldSource("served")
    void patchOfEveryKindOffersFieldValidationAndDryRun(ResourceType type) {
        JsonNode document = v3(type);
        JsonNode patch =
                document.path("paths")
                        .valueStream()
                        .map(path -> path.path("patch"))
                        .filter(op ->
                                op.path("x-kubernetes-group-version-kind")
                                        .path("kind")
                                        .asText()
                                        .equals(type.kind()))
                        .findFirst()
                        .orElseThrow();
        assertThat(patch.path("parameters").findValuesAsText("name"))
                .contains("dryRun", "fieldValidation", "fieldManager", "force");
    }

    @ParameterizedTest
    @FieldSource("served")
    void everyReferenceLeadsSomewhere(ResourceType type) {
        JsonNode document = v3(type);
        JsonNode schemas = document.path("components").path("schemas");
        for (String ref : document.findValuesAsText("$ref")) {
            assertThat(ref).startsWith("#/components/schemas/");
            assertThat(schemas.has(ref.substring("#/components/schemas/".length())))
                    .as(ref)
                    .isTrue();
        }
        assertThat(schemas.valueStream())
                .anySatisfy(schema ->
                        assertThat(
                                        schema.path("x-kubernetes-group-version-kind")
                                                .path(0)
                                                .path("kind")
                                                .asText())
                                .isEqualTo(type.kind()));
    }

    @Test
    void mergeRulesAreThoseOfPatches() {
        JsonNode schemas =
                openApi.document("/openapi/v3/api/v1")
                        .orElseThrow()
                        .path("components")
                        .path("schemas");
        JsonNode ports = schemas.at("/io.k8s.api.core.v1.Container/properties/ports");
        assertThat(ports.path("x-kubernetes-patch-merge-key").asText()).isEqualTo("containerPort");
        assertThat(ports.path("x-kubernetes-patch-strategy").asText()).isEqualTo("merge");
        assertThat(ports.path("x-kubernetes-list-map-keys"))
                .extracting(JsonNode::asText)
                .containsExactly("containerPort", "protocol");
    }

    @Test
    void secondVersionHoldsAllKindsInOneDocument() {
        JsonNode document = openApi.document("/openapi/v2").orElseThrow();
        assertThat(document.path("swagger").asText()).isEqualTo("2.0");
        for (ResourceType type : ResourceTable.ALL) {
            assertThat(document.path("definitions").fieldNames())
                    .toIterable()
                    .anyMatch(name -> name.endsWith("." + type.version() + "." + type.kind()));
        }
        for (String ref : document.findValuesAsText("$ref")) {
            assertThat(document.path("definitions").has(ref.substring("#/definitions/".length())))
                    .as(ref)
                    .isTrue();
        }
    }

    @Test
    void unknownPathHasNoDocument() {
        assertThat(openApi.document("/openapi/v3/apis/nope/v1")).isEmpty();
        assertThat(openApi.document("/openapi/v4")).isEmpty();
    }

    private JsonNode v3(ResourceType type) {
        String root = type.group().isEmpty() ? "api/" : "apis/";
        return openApi.document("/openapi/v3/" + root + type.apiVersion()).orElseThrow();
    }
}
