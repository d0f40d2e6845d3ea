package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Reading objects, alone and in lists.
public abstract class ListConformance extends ConformanceBase {
    private static List<String> names(Answer list) {
        assertThat(list.code()).as(list.text()).isEqualTo(200);
        var names = new ArrayList<String>();
        for (JsonNode item : list.body().path("items")) {
            names.add(item.at("/metadata/name").asText());
        }
        return names;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private void createLabelled() {
        created(configMaps(), configMap("a", "{\"app\":\"web\",\"tier\":\"front\"}"));
        created(configMaps(), configMap("b", "{\"app\":\"web\",\"tier\":\"back\"}"));
        created(configMaps(), configMap("c", "{\"app\":\"db\",\"size\":\"7\"}"));
        created(configMaps(), configMap("d", "{}"));
    }

    @Test
    void listIsOrderedAndItsItemsLeaveOutTheirKind() {
        created(configMaps(), configMap("b", "{}"));
        created(configMaps(), configMap("a", "{}"));
        Answer list = client.get(configMaps());
        assertThat(list.at("/kind")).isEqualTo("ConfigMapList");
        assertThat(list.at("/apiVersion")).isEqualTo("v1");
        assertThat(list.version()).matches("[1-9][0-9]*");
        assertThat(names(list)).containsExactly("a", "b");
        assertThat(list.body().at("/items/0").has("kind")).isFalse();
        assertThat(list.body().at("/items/0").has("apiVersion")).isFalse();
    }

    @Test
    void emptyListHasItems() {
        assertThat(client.get(pods()).body().path("items").isArray()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "app=web; a,b",
                "app==web,tier!=front; b",
                "app in (web, db); a,b,c",
                "app notin (web); c,d",
                "!app; d",
                "app; a,b,c",
                "app,!tier; c",
                "tier in (front,back),app=web; a,b",
                "size>5; c",
                "size<5; ''",
                "app=; ''",
                "app!=web; c,d",
            })
    void labelSelectorChooses(String selector, String expected) {
        createLabelled();
        String query = "?labelSelector=" + encoded(selector);
        assertThat(String.join(",", names(client.get(configMaps() + query)))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "a b; unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
                "a in b; unable to parse requirement: found 'b' expected: '('",
                "','; found ',', expected: !, identifier, or 'end of string'",
                "'a=b,,'; found ',', expected: identifier after ','",
            })
    void nonsenseSelectorIsRefused(String selector, String message) {
        assertFailure(
                client.get(configMaps() + "?labelSelector=" + encoded(selector)),
                400,
                "BadRequest",
                message);
    }

    @Test
    void podsAreSelectedByFields() {
        created(pods(), pod("a"));
        created(pods(), pod("b", "\"schedulerName\":\"other\","));
        bound("a", "n1");
        String path = pods() + "?fieldSelector=";
        assertThat(names(client.get(path + encoded("spec.nodeName=n1")))).containsExactly("a");
        assertThat(names(client.get(path + encoded("spec.nodeName=")))).containsExactly("b");
        assertThat(names(client.get(path + encoded("spec.schedulerName!=other"))))
                .containsExactly("a");
        assertThat(names(client.get(path + encoded("metadata.name=b,status.phase=Pending"))))
                .containsExactly("b");
        assertThat(
                        names(
                                client.get(
                                        "/api/v1/pods?fieldSelector="
                                                + encoded("metadata.namespace=" + namespace))))
                .containsExactly("a", "b");
    }

    @Test
    void fieldThatAKindDoesNotOfferIsRefused() {
        assertFailure(
                client.get(pods() + "?fieldSelector=spec.foo%3Dx"),
                400,
                "BadRequest",
                "field label not supported: spec.foo");
        assertFailure(
                client.get(configMaps() + "?fieldSelector=foo%3Dx"),
                400,
                "BadRequest",
                "\"foo\" is not a known field selector: only \"metadata.name\","
                        + " \"metadata.namespace\"");
    }

    @Test
    void pagesShowOneMoment() {
        for (String name : List.of("a", "b", "c", "d", "e")) {
            created(configMaps(), configMap(name, "{}"));
        }
        Answer first = client.get(configMaps() + "?limit=2");
        assertThat(names(first)).containsExactly("a", "b");
        assertThat(first.at("/metadata/remainingItemCount")).isEqualTo("3");

        client.delete(configMaps() + "/c");
        created(configMaps(), configMap("bb", "{}"));
        Answer second =
                client.get(configMaps() + "?limit=2&continue=" + first.at("/metadata/continue"));
        assertThat(names(second)).containsExactly("c", "d");
        assertThat(second.version()).isEqualTo(first.version());
        Answer third =
                client.get(configMaps() + "?limit=2&continue=" + second.at("/metadata/continue"));
        assertThat(names(third)).containsExactly("e");
        assertThat(third.body().path("metadata").has("continue")).isFalse();
    }

    @Test
    void pagesWithASelectorDoNotCountTheRest() {
        createLabelled();
        Answer first = client.get(configMaps() + "?limit=1&labelSelector=app%3Dweb");
        assertThat(names(first)).containsExactly("a");
        assertThat(first.body().path("metadata").has("remainingItemCount")).isFalse();
        Answer second =
                client.get(
                        configMaps()
                                + "?limit=1&labelSelector=app%3Dweb&continue="
                                + first.at("/metadata/continue"));
        assertThat(names(second)).containsExactly("b");
    }

    @Test
    void exactVersionShowsThePast() {
        created(configMaps(), configMap("a", "{}"));
        String then = client.get(configMaps()).version();
        created(configMaps(), configMap("b", "{}"));
        String exact = "?resourceVersionMatch=Exact&resourceVersion=" + then;
        assertThat(names(client.get(configMaps() + exact))).containsExactly("a");
        String newer = "?resourceVersionMatch=NotOlderThan&resourceVersion=" + then;
        assertThat(names(client.get(configMaps() + newer))).containsExactly("a", "b");
    }

    @Test
    void versionOptionsAreChecked() {
        assertFailure(
                client.get(pods() + "?resourceVersionMatch=Exact"),
                422,
                "Invalid",
                "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden:"
                        + " resourceVersionMatch is forbidden unless resourceVersion is provided");
        assertFailure(
                client.get(pods() + "?resourceVersion=abc"),
                400,
                "BadRequest",
                "invalid resource version: resourceVersion: Invalid value: \"abc\":"
                        + " strconv.ParseUint: parsing \"abc\": invalid syntax");
    }

    @Test
    void metadataAloneCanBeAskedFor() {
        created(pods(), pod("a"));
        Answer list =
                client.get(
                        pods(), "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
        assertThat(list.at("/kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(list.at("/items/0/metadata/name")).isEqualTo("a");
        assertThat(list.body().at("/items/0").has("spec")).isFalse();
        Answer one =
                client.get(
                        pods() + "/a",
                        "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
        assertThat(one.at("/kind")).isEqualTo("PartialObjectMetadata");
    }

    @Test
    void tablesHaveColumnsAndRows() {
        created(pods(), pod("a"));
        Answer table = client.get(pods(), "application/json;as=Table;g=meta.k8s.io;v=v1");
        assertThat(table.at("/kind")).isEqualTo("Table");
        assertThat(table.at("/columnDefinitions/0/name")).isEqualTo("Name");
        assertThat(table.at("/rows/0/cells/0")).isEqualTo("a");
        assertThat(table.at("/rows/0/object/kind")).isEqualTo("PartialObjectMetadata");
    }
}
