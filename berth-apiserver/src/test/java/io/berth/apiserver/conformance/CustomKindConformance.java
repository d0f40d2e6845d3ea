package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Kinds that clients define. Each test has a group of its own.
public abstract class CustomKindConformance extends ConformanceBase {
    private static final String DEFINITIONS =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final String group = namespace + ".example.com";
    private final String racks = "/apis/" + group + "/v1/racks";

    private String definition(String scope, String subresources) {
        return """
        {"metadata":{"name":"racks.%1$s"},
         "spec":{"group":"%1$s","scope":"%2$s","names":{"kind":"Rack","plural":"racks"},
                 "versions":[{"name":"v1","served":true,"storage":true,"subresources":%3$s,
                   "schema":{"openAPIV3Schema":{"type":"object",
                             "x-kubernetes-preserve-unknown-fields":true}}}]}}
        """
                .formatted(group, scope, subresources);
    }

    private String rack(String name, int watts) {
        return """
        {"apiVersion":"%s/v1","kind":"Rack","metadata":{"name":"%s"},"spec":{"watts":%d}}
        """
                .formatted(group, name, watts);
    }

    /// Defines the kind and waits until it is served: a real server takes a moment.
    private Answer defined(String scope, String subresources, String path) {
        Answer definition = created(DEFINITIONS, definition(scope, subresources));
        await().atMost(LIMIT).until(() -> client.get(path).code() == 200);
        return definition;
    }

    private Answer definitionNow() {
        return client.get(DEFINITIONS + "/racks." + group);
    }

    @AfterEach
    void deleteDefinition() {
        client.delete(DEFINITIONS + "/racks." + group);
    }

    @Test
    void aDefinitionIsCompletedAndEstablished() {
        Answer made = defined("Cluster", "{}", racks);
        assertThat(made.at("/spec/names/singular")).isEqualTo("rack");
        assertThat(made.at("/spec/names/listKind")).isEqualTo("RackList");
        assertThat(made.at("/spec/conversion/strategy")).isEqualTo("None");
        await().atMost(LIMIT).until(() -> condition("Established").equals("True"));
        assertThat(condition("NamesAccepted")).isEqualTo("True");
        assertThat(definitionNow().at("/status/acceptedNames/plural")).isEqualTo("racks");
        assertThat(definitionNow().at("/status/storedVersions/0")).isEqualTo("v1");
    }

    private String condition(String type) {
        return StreamSupport.stream(
                        definitionNow().body().at("/status/conditions").spliterator(), false)
                .filter(condition -> condition.path("type").asText().equals(type))
                .map(condition -> condition.path("status").asText())
                .findFirst()
                .orElse("");
    }

    @Test
    void objectsOfTheKindAreMadeReadChangedAndDeleted() {
        defined("Cluster", "{}", racks);
        Answer made = created(racks, rack("a", 4000));
        assertThat(made.at("/kind")).isEqualTo("Rack");
        assertThat(made.at("/apiVersion")).isEqualTo(group + "/v1");
        assertThat(made.at("/metadata/generation")).isEqualTo("1");
        assertThat(made.at("/metadata/namespace")).isEmpty();

        Answer list = client.get(racks);
        assertThat(list.at("/kind")).isEqualTo("RackList");
        assertThat(list.at("/items/0/spec/watts")).isEqualTo("4000");

        String one = racks + "/a";
        assertThat(client.patch(one, Client.MERGE, "{\"spec\":{\"watts\":5000}}").code())
                .isEqualTo(200);
        assertThat(client.get(one).at("/metadata/generation")).isEqualTo("2");
        client.patch(one, Client.MERGE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        assertThat(client.get(one).at("/metadata/generation")).isEqualTo("2");
        assertThat(client.get(racks + "?labelSelector=a%3Db").at("/items/0/metadata/name"))
                .isEqualTo("a");

        Answer deleted = client.delete(one);
        assertThat(deleted.at("/status")).isEqualTo("Success");
        assertFailure(client.get(one), 404, "NotFound", "racks." + group + " \"a\" not found");
    }

    @Test
    void changesOfCustomObjectsAreWatched() {
        defined("Cluster", "{}", racks);
        String start = client.get(racks).version();
        try (WatchStream watch = client.watch(racks + "?watch=1&resourceVersion=" + start)) {
            created(racks, rack("a", 1));
            assertThat(watch.nextBrief()).isEqualTo("ADDED a");
            client.patch(racks + "/a", Client.MERGE, "{\"spec\":{\"watts\":2}}");
            JsonNode modified = watch.next();
            assertThat(modified.at("/object/spec/watts").asInt()).isEqualTo(2);
            client.delete(racks + "/a");
            assertThat(watch.nextBrief()).isEqualTo("DELETED a");
        }
    }

    @Test
    void objectsOfANamespacedKindLiveInNamespaces() {
        String own = "/apis/" + group + "/v1/namespaces/" + namespace + "/racks";
        defined("Namespaced", "{}", racks);
        assertThat(created(own, rack("a", 1)).at("/metadata/namespace")).isEqualTo(namespace);
        assertThat(client.get(racks).at("/items/0/metadata/namespace")).isEqualTo(namespace);
        assertThat(client.get(racks + "/a").code()).isEqualTo(404);
    }

    @Test
    void withAStatusSubresourceTheStatusIsWrittenThereAlone() {
        defined("Cluster", "{\"status\":{}}", racks);
        String withStatus = rack("a", 1).replace("\"spec\"", "\"status\":{\"on\":true},\"spec\"");
        assertThat(created(racks, withStatus).body().has("status")).isFalse();
        String one = racks + "/a";
        client.patch(one, Client.MERGE, "{\"status\":{\"on\":true}}");
        assertThat(client.get(one).body().has("status")).isFalse();
        client.patch(
                one + "/status", Client.MERGE, "{\"status\":{\"on\":true},\"spec\":{\"watts\":9}}");
        assertThat(client.get(one).at("/status/on")).isEqualTo("true");
        assertThat(client.get(one).at("/spec/watts")).isEqualTo("1");
        assertThat(client.get(one).at("/metadata/generation")).isEqualTo("1");
    }

    @Test
    void withoutOneItIsAPartLikeAnyOther() {
        defined("Cluster", "{}", racks);
        created(racks, rack("a", 1));
        String one = racks + "/a";
        client.patch(one, Client.MERGE, "{\"status\":{\"on\":true}}");
        assertThat(client.get(one).at("/status/on")).isEqualTo("true");
        assertThat(client.get(one + "/status").code()).isEqualTo(404);
    }

    @Test
    void theKindIsDiscovered() {
        defined("Cluster", "{}", racks);
        await().atMost(LIMIT).until(() -> client.get("/apis/" + group + "/v1").code() == 200);
        JsonNode resource = client.get("/apis/" + group + "/v1").body().path("resources").path(0);
        assertThat(resource.path("name").asText()).isEqualTo("racks");
        assertThat(resource.path("singularName").asText()).isEqualTo("rack");
        assertThat(resource.path("kind").asText()).isEqualTo("Rack");
        assertThat(resource.path("namespaced").asBoolean()).isFalse();
        await().atMost(LIMIT).until(() -> client.get("/apis").text().contains(group));
        assertThat(client.get("/apis/" + group).at("/preferredVersion/version")).isEqualTo("v1");
    }

    @Test
    void patchesThatNeedASchemaAreRefused() {
        defined("Cluster", "{}", racks);
        created(racks, rack("a", 1));
        assertFailure(
                client.patch(racks + "/a", Client.STRATEGIC, "{\"spec\":{\"watts\":2}}"),
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include:"
                        + " application/json-patch+json, application/merge-patch+json,"
                        + " application/apply-patch+yaml");
    }

    @Test
    void aReplacementNamesTheVersionThatItReplaces() {
        defined("Cluster", "{}", racks);
        created(racks, rack("a", 1));
        Answer blind = client.put(racks + "/a", rack("a", 2));
        assertFailure(
                blind,
                422,
                "Invalid",
                "racks."
                        + group
                        + " \"a\" is invalid: metadata.resourceVersion: Invalid value: 0: must be"
                        + " specified for an update");
    }

    @Test
    void withItsDefinitionTheKindAndItsObjectsGo() {
        defined("Cluster", "{}", racks);
        created(racks, rack("a", 1));
        assertThat(client.delete(DEFINITIONS + "/racks." + group).code()).isEqualTo(200);
        await().atMost(LIMIT).until(() -> definitionNow().code() == 404);
        await().atMost(LIMIT).until(() -> client.get(racks).code() == 404);

        defined("Cluster", "{}", racks);
        assertThat(client.get(racks).body().path("items")).isEmpty();
    }

    @Test
    void aDefinitionThatMakesNoSenseIsRefused() {
        String wrong =
                definition("Cluster", "{}").replace("\"scope\":\"Cluster\"", "\"scope\":\"Moon\"");
        assertFailure(
                client.post(DEFINITIONS, wrong),
                422,
                "Invalid",
                "CustomResourceDefinition.apiextensions.k8s.io \"racks."
                        + group
                        + "\" is invalid: spec.scope: Unsupported value: \"Moon\": supported values:"
                        + " \"Cluster\", \"Namespaced\"");
        String misnamed =
                definition("Cluster", "{}")
                        .replace("\"name\":\"racks." + group, "\"name\":\"shelves." + group);
        Answer refused = client.post(DEFINITIONS, misnamed);
        assertThat(refused.code()).isEqualTo(422);
        assertThat(refused.message())
                .contains(
                        "metadata.name: Invalid value: \"shelves."
                                + group
                                + "\": must be spec.names.plural+\".\"+spec.group");
    }

    @Test
    void whereAKindLivesCannotChange() {
        defined("Cluster", "{}", racks);
        await().atMost(LIMIT).until(() -> condition("Established").equals("True"));
        Answer moved =
                client.patch(
                        DEFINITIONS + "/racks." + group,
                        Client.MERGE,
                        "{\"spec\":{\"scope\":\"Namespaced\"}}");
        assertThat(moved.code()).isEqualTo(422);
        assertThat(moved.message())
                .contains("spec.scope: Invalid value: \"Namespaced\": field is immutable");
    }

    /// The names of built-in kinds are free for others in their own groups, without their rules.
    @Test
    void aCustomJobIsNoJob() {
        Answer made =
                created(
                        DEFINITIONS,
                        definition("Namespaced", "{}")
                                .replace("\"kind\":\"Rack\"", "\"kind\":\"Job\"")
                                .replace("\"plural\":\"racks\"", "\"plural\":\"jobs\"")
                                .replace("\"name\":\"racks.", "\"name\":\"jobs."));
        try {
            String jobs = "/apis/" + group + "/v1/namespaces/" + namespace + "/jobs";
            await().atMost(LIMIT).until(() -> client.get(jobs).code() == 200);
            Answer job = created(jobs, rack("j", 1).replace("Rack", "Job"));
            assertThat(job.at("/spec/watts")).isEqualTo("1");
            assertThat(job.body().path("spec").size()).isEqualTo(1);
            assertThat(job.body().has("status")).isFalse();
        } finally {
            client.delete(DEFINITIONS + "/" + made.name());
        }
    }
}
