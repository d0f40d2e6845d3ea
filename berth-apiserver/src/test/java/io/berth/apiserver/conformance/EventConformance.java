package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Events, which two API groups show.
public abstract class EventConformance extends ConformanceBase {
    private String core() {
        return "/api/v1/namespaces/" + namespace + "/events";
    }

    private String group() {
        return "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events";
    }

    private String newEvent(String name) {
        return "{\"metadata\":{\"name\":\""
                + name
                + "\"},\"regarding\":{\"kind\":\"Pod\",\"namespace\":\""
                + namespace
                + "\",\"name\":\"p\"},\"reason\":\"Scheduled\",\"note\":\"done\","
                + "\"type\":\"Normal\",\"action\":\"Binding\",\"reportingController\":"
                + "\"default-scheduler\",\"reportingInstance\":\"i\","
                + "\"eventTime\":\"2026-01-01T00:00:00.000001Z\"}";
    }

    @Test
    void eventOfTheNewGroupIsReadInTheOldForm() {
        created(group(), newEvent("e"));
        Answer event = client.get(core() + "/e");
        assertThat(event.at("/kind")).isEqualTo("Event");
        assertThat(event.at("/apiVersion")).isEqualTo("v1");
        assertThat(event.at("/involvedObject/name")).isEqualTo("p");
        assertThat(event.at("/message")).isEqualTo("done");
        assertThat(event.at("/reportingComponent")).isEqualTo("default-scheduler");
        assertThat(event.body().has("firstTimestamp")).isTrue();
        assertThat(event.body().get("firstTimestamp").isNull()).isTrue();
        assertThat(event.at("/eventTime")).isEqualTo("2026-01-01T00:00:00.000001Z");
    }

    @Test
    void eventOfTheOldGroupIsReadInTheNewForm() {
        created(
                core(),
                "{\"metadata\":{\"name\":\"e\"},\"involvedObject\":{\"kind\":\"Pod\",\"namespace\":\""
                        + namespace
                        + "\",\"name\":\"p\"},\"reason\":\"R\",\"message\":\"M\",\"count\":3,"
                        + "\"source\":{\"component\":\"c\"},"
                        + "\"firstTimestamp\":\"2026-01-01T00:00:00Z\"}");
        Answer event = client.get(group() + "/e");
        assertThat(event.at("/apiVersion")).isEqualTo("events.k8s.io/v1");
        assertThat(event.at("/regarding/name")).isEqualTo("p");
        assertThat(event.at("/note")).isEqualTo("M");
        assertThat(event.at("/deprecatedCount")).isEqualTo("3");
        assertThat(event.at("/deprecatedSource/component")).isEqualTo("c");
        assertThat(event.at("/deprecatedFirstTimestamp")).isEqualTo("2026-01-01T00:00:00Z");
    }

    @Test
    void seriesIsPatchedIn() {
        created(group(), newEvent("e"));
        Answer patched =
                client.patch(
                        group() + "/e",
                        Client.STRATEGIC,
                        "{\"series\":{\"count\":2,\"lastObservedTime\":"
                                + "\"2026-01-01T00:00:05.000000Z\"}}");
        assertThat(patched.code()).as(patched.text()).isEqualTo(200);
        assertThat(patched.at("/series/count")).isEqualTo("2");
        assertThat(client.get(core() + "/e").at("/series/count")).isEqualTo("2");
    }

    @Test
    void eachGroupSelectsByItsOwnNames() {
        created(group(), newEvent("e"));
        assertThat(
                        client.get(group() + "?fieldSelector=regarding.name%3Dp,reason%3DScheduled")
                                .at("/items/0/metadata/name"))
                .isEqualTo("e");
        assertThat(
                        client.get(core() + "?fieldSelector=involvedObject.name%3Dp,type%3DNormal")
                                .at("/items/0/metadata/name"))
                .isEqualTo("e");
        assertFailure(
                client.get(group() + "?fieldSelector=involvedObject.name%3Dp"),
                400,
                "BadRequest",
                "field label not supported: involvedObject.name");
    }

    @Test
    void bothGroupsCanBeWatched() {
        try (WatchStream watch = client.watch(group() + "?watch=1&resourceVersion=0")) {
            created(group(), newEvent("e"));
            var event = watch.next();
            assertThat(event.at("/object/apiVersion").asText()).isEqualTo("events.k8s.io/v1");
            assertThat(event.at("/object/note").asText()).isEqualTo("done");
        }
    }

    @Test
    void incompleteEventIsRefused() {
        assertFailure(
                client.post(group(), "{\"metadata\":{\"name\":\"e\"}}"),
                422,
                "Invalid",
                "Event \"e\" is invalid: [involvedObject.namespace: Invalid value: \"\": does not"
                        + " match event.namespace, eventTime: Required value, type: Invalid value:"
                        + " \"\": has invalid value: ]");
    }
}
