package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Changing objects.
public abstract class UpdateConformance extends ConformanceBase {
    private static final String MODIFIED =
            "the object has been modified; please apply your changes to the latest version and try"
                    + " again";

    private String configMapWith(String name, String metadata) {
        return "{\"metadata\":{\"name\":\"" + name + "\"" + metadata + "},\"data\":{\"k\":\"v\"}}";
    }

    @Test
    void oldVersionConflicts() {
        Answer first = created(configMaps(), configMap("a", "{}"));
        String stale = ",\"resourceVersion\":\"" + first.version() + "\"";
        assertThat(client.put(configMaps() + "/a", configMapWith("a", stale)).code())
                .isEqualTo(200);
        Answer conflict = client.put(configMaps() + "/a", configMapWith("a", stale));
        assertFailure(
                conflict,
                409,
                "Conflict",
                "Operation cannot be fulfilled on configmaps \"a\": " + MODIFIED);
        assertThat(conflict.at("/details/name")).isEqualTo("a");
        assertThat(conflict.at("/details/kind")).isEqualTo("configmaps");
    }

    @Test
    void updateWithoutVersionOverwrites() {
        Answer first = created(configMaps(), configMap("a", "{}"));
        Answer second = client.put(configMaps() + "/a", configMapWith("a", ""));
        assertThat(second.code()).isEqualTo(200);
        assertThat(second.uid()).isEqualTo(first.uid());
        assertThat(second.at("/metadata/creationTimestamp"))
                .isEqualTo(first.at("/metadata/creationTimestamp"));
        assertThat(second.version()).isNotEqualTo(first.version());
    }

    @Test
    void updateThatChangesNothingKeepsTheVersion() {
        Answer first = created(configMaps(), configMapWith("a", ""));
        assertThat(client.put(configMaps() + "/a", configMapWith("a", "")).version())
                .isEqualTo(first.version());
        assertThat(client.patch(configMaps() + "/a", Client.MERGE, "{}").version())
                .isEqualTo(first.version());
        Answer pod = created(pods(), pod("p"));
        assertThat(
                        client.patch(
                                        pods() + "/p",
                                        Client.STRATEGIC,
                                        "{\"metadata\":{\"labels\":{\"app\":\"web\"}}}")
                                .version())
                .isEqualTo(pod.version());
    }

    @Test
    void nameAndUidMustAgree() {
        created(configMaps(), configMap("a", "{}"));
        assertFailure(
                client.put(configMaps() + "/a", configMapWith("b", "")),
                400,
                "BadRequest",
                "the name of the object (b) does not match the name on the URL (a)");
        assertThat(
                        client.put(configMaps() + "/a", configMapWith("a", ",\"uid\":\"other\""))
                                .message())
                .startsWith(
                        "Operation cannot be fulfilled on configmaps \"a\": StorageError: invalid"
                                + " object, Code: 4,")
                .contains("Precondition failed: UID in precondition: other, UID in object meta: ");
    }

    @Test
    void updateOfNothingIsNotFound() {
        assertFailure(
                client.put(configMaps() + "/a", configMapWith("a", "")),
                404,
                "NotFound",
                "configmaps \"a\" not found");
    }

    @Test
    void leaseIsCreatedByPutButChangedOnlyWithItsVersion() {
        String leases = "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
        String lease = "{\"metadata\":{\"name\":\"l\"},\"spec\":{\"holderIdentity\":\"me\"}}";
        assertThat(client.put(leases + "/l", lease).code()).isEqualTo(201);
        Answer refused = client.put(leases + "/l", lease);
        assertFailure(
                refused,
                422,
                "Invalid",
                "leases.coordination.k8s.io \"l\" is invalid: metadata.resourceVersion: Invalid"
                        + " value: 0: must be specified for an update");
    }

    @Test
    void generationCountsChangesOfTheSpec() {
        created(pods(), pod("a"));
        Answer labelled =
                client.patch(
                        pods() + "/a", Client.MERGE, "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}");
        assertThat(labelled.at("/metadata/generation")).isEqualTo("1");
        Answer image =
                client.patch(
                        pods() + "/a",
                        Client.STRATEGIC,
                        "{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"other\"}]}}");
        assertThat(image.at("/metadata/generation")).isEqualTo("2");
        assertThat(image.at("/spec/containers/0/image")).isEqualTo("other");
    }

    @Test
    void mainResourceDoesNotTouchTheStatusNorTheOtherWayRound() {
        created(pods(), pod("a"));
        Answer main =
                client.patch(pods() + "/a", Client.MERGE, "{\"status\":{\"phase\":\"Running\"}}");
        assertThat(main.at("/status/phase")).isEqualTo("Pending");
        Answer status =
                client.patch(
                        pods() + "/a/status",
                        Client.MERGE,
                        "{\"spec\":{\"nodeName\":\"n\"},\"status\":{\"phase\":\"Running\"}}");
        assertThat(status.at("/status/phase")).isEqualTo("Running");
        assertThat(status.body().path("spec").has("nodeName")).isFalse();
    }

    @Test
    void conditionsMergeByTypeInAStrategicPatch() {
        created(pods(), pod("a"));
        String condition = "{\"status\":{\"conditions\":[{\"type\":\"%s\",\"status\":\"%s\"}]}}";
        client.patch(pods() + "/a/status", Client.STRATEGIC, condition.formatted("Ready", "False"));
        client.patch(
                pods() + "/a/status",
                Client.STRATEGIC,
                condition.formatted("PodScheduled", "False"));
        Answer merged =
                client.patch(
                        pods() + "/a/status",
                        Client.STRATEGIC,
                        condition.formatted("Ready", "True"));
        assertThat(merged.body().at("/status/conditions").size()).isEqualTo(2);
        // Times that nobody set are shown as null.
        assertThat(merged.body().at("/status/conditions/0").has("lastTransitionTime")).isTrue();
        assertThat(merged.body().at("/status/conditions/0/lastTransitionTime").isNull()).isTrue();
    }

    @Test
    void jsonPatchTestGuardsTheChange() {
        created(configMaps(), configMapWith("a", ""));
        assertFailure(
                client.patch(
                        configMaps() + "/a",
                        Client.JSON_PATCH,
                        "[{\"op\":\"test\",\"path\":\"/data/k\",\"value\":\"other\"}]"),
                422,
                "Invalid",
                "the server rejected our request due to an error in our request");
        Answer changed =
                client.patch(
                        configMaps() + "/a",
                        Client.JSON_PATCH,
                        "[{\"op\":\"test\",\"path\":\"/data/k\",\"value\":\"v\"},"
                                + "{\"op\":\"replace\",\"path\":\"/data/k\",\"value\":\"w\"}]");
        assertThat(changed.at("/data/k")).isEqualTo("w");
    }

    @Test
    void patchWithAnOldVersionConflicts() {
        Answer first = created(configMaps(), configMapWith("a", ""));
        client.patch(configMaps() + "/a", Client.MERGE, "{\"data\":{\"k\":\"w\"}}");
        assertFailure(
                client.patch(
                        configMaps() + "/a",
                        Client.MERGE,
                        "{\"metadata\":{\"resourceVersion\":\"" + first.version() + "\"}}"),
                409,
                "Conflict",
                "Operation cannot be fulfilled on configmaps \"a\": " + MODIFIED);
    }

    @Test
    void brokenPatchesAreExplained() {
        created(configMaps(), configMapWith("a", ""));
        assertFailure(
                client.patch(configMaps() + "/a", Client.MERGE, "{"),
                400,
                "BadRequest",
                "error decoding patch: unexpected end of JSON input");
        assertThat(client.patch(configMaps() + "/a", "application/json", "{}").code())
                .isEqualTo(415);
        assertFailure(
                client.patch(configMaps() + "/a", Client.MERGE, "{\"metadata\":{\"name\":\"b\"}}"),
                400,
                "BadRequest",
                "the name of the object (b) does not match the name on the URL (a)");
    }

    @Test
    void runningPodsSpecIsFixed() {
        created(pods(), pod("a"));
        Answer answer =
                client.patch(
                        pods() + "/a", Client.MERGE, "{\"spec\":{\"schedulerName\":\"other\"}}");
        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.message())
                .startsWith(
                        "Pod \"a\" is invalid: spec: Forbidden: pod updates may not change fields"
                                + " other than");
    }
}
