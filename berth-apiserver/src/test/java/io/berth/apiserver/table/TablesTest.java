package io.berth.apiserver.table;

import static io.berth.apiserver.Trees.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.Recorded;
import io.berth.apiserver.resource.ResourceTable;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.table.Tables.IncludeObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TablesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final ResourceType PODS = ResourceTable.find("", "v1", "pods").orElseThrow();

    static Stream<JsonNode> recorded() {
        return Recorded.entries(TablesTest.class, "tables.json");
    }

    /// Ages are left out: they depend on the second in which the recording server answered.
    @ParameterizedTest
    @MethodSource("recorded")
    void listIsPrintedAsARealServerPrintsIt(JsonNode recorded) {
        ResourceType type =
                ResourceTable.find(
                                recorded.path("group").asText(),
                                "v1",
                                recorded.path("resource").asText())
                        .orElseThrow();
        JsonNode table =
                Tables.table(
                        type,
                        (ObjectNode) recorded.path("list"),
                        IncludeObject.NONE,
                        Instant.parse(recorded.path("now").asText()));
        List<String> names = new ArrayList<>();
        for (JsonNode column : table.path("columnDefinitions")) {
            names.add(column.path("name").asText());
            ((ObjectNode) column).remove("description");
        }
        assertThat(table.path("columnDefinitions").toPrettyString())
                .isEqualTo(recorded.path("columns").toPrettyString());
        assertThat(table.path("rows")).hasSameSizeAs(recorded.path("rows"));
        for (int i = 0; i < table.path("rows").size(); i++) {
            JsonNode own = table.path("rows").get(i);
            JsonNode theirs = recorded.path("rows").get(i);
            for (int j = 0; j < names.size(); j++) {
                if (!names.get(j).equals("Age")) {
                    assertThat(own.path("cells").get(j).toString())
                            .as(names.get(j) + " of " + theirs.path("cells"))
                            .isEqualTo(theirs.path("cells").get(j).toString());
                }
            }
            assertThat(own.path("conditions")).isEqualTo(theirs.path("conditions"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-5, <invalid>",
        "-1, 0s",
        "0, 0s",
        "119, 119s",
        "120, 2m",
        "303, 5m3s",
        "600, 10m",
        "10799, 179m",
        "10800, 3h",
        "11460, 3h11m",
        "28800, 8h",
        "172799, 47h",
        "172800, 2d",
        "183600, 2d3h",
        "691200, 8d",
        "63071999, 729d",
        "63072000, 2y",
        "63158400, 2y1d",
        "315360000, 10y",
    })
    void durationIsShort(long seconds, String text) {
        assertThat(Durations.human(Duration.ofSeconds(seconds))).isEqualTo(text);
    }

    @Test
    void ageCountsFromCreation() {
        JsonNode table =
                Tables.table(
                        PODS,
                        object("{metadata:{name:'p',creationTimestamp:'2025-12-31T23:55:00Z'}}"),
                        IncludeObject.METADATA,
                        NOW);
        assertThat(table.path("rows").get(0).path("cells").get(4).asText()).isEqualTo("5m");
    }

    @Test
    void rowCarriesAsMuchOfTheObjectAsAskedFor() {
        ObjectNode pod = object("{metadata:{name:'p',resourceVersion:'7'},spec:{nodeName:'n'}}");
        assertThat(rowObject(pod, IncludeObject.NONE).isNull()).isTrue();
        assertThat(rowObject(pod, IncludeObject.METADATA))
                .isEqualTo(
                        object(
                                "{kind:'PartialObjectMetadata',apiVersion:'meta.k8s.io/v1',metadata:{name:'p',resourceVersion:'7'}}"));
        assertThat(rowObject(pod, IncludeObject.OBJECT))
                .isEqualTo(
                        object(
                                "{kind:'Pod',apiVersion:'v1',metadata:{name:'p',resourceVersion:'7'},spec:{nodeName:'n'}}"));
    }

    private static JsonNode rowObject(ObjectNode pod, IncludeObject include) {
        return Tables.table(PODS, pod, include, NOW).path("rows").get(0).path("object");
    }

    @Test
    void tableOfAListKeepsItsVersionAndContinuation() {
        ObjectNode list =
                object(
                        "{kind:'PodList',metadata:{resourceVersion:'9',continue:'x',remainingItemCount:3},items:[]}");
        JsonNode table = Tables.table(PODS, list, IncludeObject.METADATA, NOW);
        assertThat(table.path("metadata")).isEqualTo(list.path("metadata"));
        assertThat(table.path("rows")).isEmpty();
    }

    @Test
    void includeObjectTakesThreeWords() {
        assertThat(IncludeObject.parse("")).isEqualTo(IncludeObject.METADATA);
        assertThat(IncludeObject.parse("Object")).isEqualTo(IncludeObject.OBJECT);
        assertThatThrownBy(() -> IncludeObject.parse("All")).hasMessageContaining("All");
    }
}
