package io.berth.apiserver.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Compared with what a real kube-apiserver v1.36.4 said, for all that both serve.
class DiscoveryTest {
    static final List<ResourceType> served = ResourceTable.ALL;
    private static final JsonNode DOCUMENTS = read("documents.json");
    private static final JsonNode AGGREGATED = read("aggregated.json");
    private final Discovery discovery = new Discovery(ResourceTable.ALL);
    private final AggregatedDiscovery aggregated = new AggregatedDiscovery(ResourceTable.ALL);

    @ParameterizedTest
    @FieldSource("served")
    void resourceIsDescribedAsUpstreamDoes(ResourceType type) {
        String path = (type.group().isEmpty() ? "/api/" : "/apis/") + type.apiVersion();
        Map<String, JsonNode> own = byName(discovery.document(path).orElseThrow(), "name");
        assertThat(own).containsKey(type.plural());
        if (!DOCUMENTS.has(path)) {
            return; // a group that the recording server had switched off
        }
        Map<String, JsonNode> recorded = byName(DOCUMENTS.path(path), "name");
        own.forEach((name, entry) -> assertThat(entry).isEqualTo(recorded.get(name)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/apis/apps", "/apis/policy"})
    void groupIsDescribedAsUpstreamDoes(String path) {
        assertThat(discovery.document(path)).contains((ObjectNode) DOCUMENTS.path(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v2", "/apis/nope", "/apis/apps/v2", "/apis/apps/v1/x", "/nope"})
    void unknownPathHasNoDocument(String path) {
        assertThat(discovery.document(path)).isEmpty();
    }

    @Test
    void groupListLeavesOutTheCoreGroup() {
        var names =
                discovery.document("/apis").orElseThrow().path("groups").findValuesAsText("name");
        assertThat(names).contains("apps", "coordination.k8s.io").doesNotContain("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api", "/apis"})
    void aggregatedResourcesAreUpstreams(String path) {
        JsonNode own = aggregated.document(path, "v2").orElseThrow();
        assertThat(own.path("apiVersion").asText()).isEqualTo("apidiscovery.k8s.io/v2");
        for (JsonNode recordedGroup : AGGREGATED.path(path).path("items")) {
            String group = recordedGroup.path("metadata").path("name").asText("");
            JsonNode ownGroup = item(own, group).orElseThrow();
            Map<String, JsonNode> recorded =
                    byName(recordedGroup.path("versions").get(0), "resource");
            byName(ownGroup.path("versions").get(0), "resource")
                    .forEach((name, entry) ->
                            assertThat(withoutSubresources(entry))
                                    .isEqualTo(
                                            withoutSubresources(
                                                    recorded.getOrDefault(
                                                            name, MissingNode.getInstance()))));
        }
    }

    @Test
    void aggregatedDiscoveryHasTheOlderVersionToo() {
        assertThat(
                        aggregated
                                .document("/apis", "v2beta1")
                                .orElseThrow()
                                .path("apiVersion")
                                .asText())
                .isEqualTo("apidiscovery.k8s.io/v2beta1");
        assertThat(aggregated.document("/apis/apps", "v2")).isEmpty();
    }

    @Test
    void aggregatedSubresourcesAreUpstreams() {
        JsonNode own = aggregated.document("/api", "v2").orElseThrow();
        JsonNode pods =
                byName(item(own, "").orElseThrow().path("versions").get(0), "resource")
                        .getOrDefault("pods", MissingNode.getInstance());
        JsonNode recorded =
                byName(
                                AGGREGATED
                                        .path("/api")
                                        .path("items")
                                        .get(0)
                                        .path("versions")
                                        .get(0),
                                "resource")
                        .getOrDefault("pods", MissingNode.getInstance());
        Map<String, JsonNode> theirs = subresources(recorded);
        assertThat(subresources(pods)).isNotEmpty();
        subresources(pods).forEach((name, entry) -> assertThat(entry).isEqualTo(theirs.get(name)));
    }

    @Test
    void versionNamesThisServer() {
        JsonNode version = Discovery.version();
        assertThat(version.path("minor").asText()).isEqualTo("36");
        assertThat(version.path("gitVersion").asText()).matches("v1\\.36\\.\\d+\\+berth");
    }

    private static Optional<JsonNode> item(JsonNode document, String group) {
        return document.path("items")
                .valueStream()
                .filter(i -> i.path("metadata").path("name").asText("").equals(group))
                .findFirst();
    }

    private static JsonNode withoutSubresources(JsonNode entry) {
        return entry instanceof ObjectNode object
                ? object.deepCopy().without("subresources")
                : entry;
    }

    private static Map<String, JsonNode> subresources(JsonNode resource) {
        return resource.path("subresources")
                .valueStream()
                .collect(Collectors.toMap(s -> s.path("subresource").asText(), s -> s));
    }

    private static Map<String, JsonNode> byName(JsonNode document, String key) {
        return document.path("resources")
                .valueStream()
                .collect(Collectors.toMap(r -> r.path(key).asText(), r -> r));
    }

    private static JsonNode read(String file) {
        try (var in = DiscoveryTest.class.getResourceAsStream(file)) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
