package io.berth.apiserver.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Deleting objects.
public abstract class DeleteConformance extends ConformanceBase {
    @Test
    void deletionAnswersWithAStatusOrTheObject() {
        Answer map = created(configMaps(), configMap("a", "{}"));
        Answer deleted = client.delete(configMaps() + "/a");
        assertThat(deleted.at("/kind")).isEqualTo("Status");
        assertThat(deleted.at("/status")).isEqualTo("Success");
        assertThat(deleted.at("/details/name")).isEqualTo("a");
        assertThat(deleted.at("/details/kind")).isEqualTo("configmaps");
        assertThat(deleted.at("/details/uid")).isEqualTo(map.uid());
        created(pods(), pod("p"));
        assertThat(client.delete(pods() + "/p").at("/kind")).isEqualTo("Pod");
        assertFailure(client.delete(pods() + "/p"), 404, "NotFound", "pods \"p\" not found");
    }

    @Test
    void boundPodWaitsForItsKubelet() {
        created(pods(), pod("a"));
        bound("a", "n1");
        Answer deleting = client.delete(pods() + "/a");
        assertThat(deleting.code()).isEqualTo(200);
        assertThat(deleting.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("30");
        assertThat(deleting.at("/metadata/generation")).isEqualTo("2");
        Answer shorter = client.delete(pods() + "/a?gracePeriodSeconds=5");
        assertThat(shorter.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("5");
        Answer longer = client.delete(pods() + "/a?gracePeriodSeconds=60");
        assertThat(longer.at("/metadata/deletionGracePeriodSeconds")).isEqualTo("5");
        assertThat(client.delete(pods() + "/a", "{\"gracePeriodSeconds\":0}").code())
                .isEqualTo(200);
        assertThat(client.get(pods() + "/a").code()).isEqualTo(404);
    }

    @Test
    void podThatNeverRanGoesAtOnce() {
        created(pods(), pod("a"));
        assertThat(client.delete(pods() + "/a").code()).isEqualTo(200);
        assertThat(client.get(pods() + "/a").code()).isEqualTo(404);
    }

    @Test
    void finishedPodGoesAtOnce() {
        created(pods(), pod("a"));
        bound("a", "n1");
        client.patch(pods() + "/a/status", Client.MERGE, "{\"status\":{\"phase\":\"Succeeded\"}}");
        client.delete(pods() + "/a");
        assertThat(client.get(pods() + "/a").code()).isEqualTo(404);
    }

    @Test
    void finalizersHoldAnObject() {
        created(configMaps(), "{\"metadata\":{\"name\":\"a\",\"finalizers\":[\"ex.io/f\"]}}");
        Answer deleting = client.delete(configMaps() + "/a");
        assertThat(deleting.at("/kind")).isEqualTo("ConfigMap");
        assertThat(deleting.body().at("/metadata").has("deletionTimestamp")).isTrue();
        assertFailure(
                client.post(configMaps(), configMap("a", "{}")),
                409,
                "AlreadyExists",
                "object is being deleted: configmaps \"a\" already exists");
        Answer last =
                client.patch(
                        configMaps() + "/a", Client.MERGE, "{\"metadata\":{\"finalizers\":null}}");
        assertThat(last.code()).isEqualTo(200);
        assertThat(client.get(configMaps() + "/a").code()).isEqualTo(404);
    }

    @Test
    void preconditionsAreKept() {
        Answer pod = created(pods(), pod("a"));
        assertFailure(
                client.delete(pods() + "/a", "{\"preconditions\":{\"uid\":\"other\"}}"),
                409,
                "Conflict",
                "Operation cannot be fulfilled on Pod \"a\": the UID in the precondition (other)"
                        + " does not match the UID in record ("
                        + pod.uid()
                        + "). The object might have been deleted and then recreated");
        assertFailure(
                client.delete(pods() + "/a", "{\"preconditions\":{\"resourceVersion\":\"1\"}}"),
                409,
                "Conflict",
                "Operation cannot be fulfilled on Pod \"a\": the ResourceVersion in the"
                        + " precondition (1) does not match the ResourceVersion in record ("
                        + pod.version()
                        + "). The object might have been modified");
        assertThat(
                        client.delete(
                                        pods() + "/a",
                                        "{\"preconditions\":{\"uid\":\"" + pod.uid() + "\"}}")
                                .code())
                .isEqualTo(200);
    }

    @Test
    void dryRunDeletesNothing() {
        created(pods(), pod("a"));
        assertThat(client.delete(pods() + "/a?dryRun=All").code()).isEqualTo(200);
        assertThat(client.get(pods() + "/a").code()).isEqualTo(200);
    }

    @Test
    void collectionIsDeletedBySelector() {
        created(configMaps(), configMap("a", "{\"app\":\"web\"}"));
        created(configMaps(), configMap("b", "{}"));
        Answer deleted = client.delete(configMaps() + "?labelSelector=app%3Dweb");
        assertThat(deleted.code()).as(deleted.text()).isEqualTo(200);
        assertThat(client.get(configMaps() + "/a").code()).isEqualTo(404);
        assertThat(client.get(configMaps() + "/b").code()).isEqualTo(200);
    }

    @Test
    void systemNamespacesStay() {
        assertFailure(
                client.delete("/api/v1/namespaces/default"),
                403,
                "Forbidden",
                "namespaces \"default\" is forbidden: this namespace may not be deleted");
    }

    @Test
    void nothingNewComesIntoANamespaceThatGoes() {
        // A finalizer keeps the namespace long enough to be looked at.
        created(configMaps(), "{\"metadata\":{\"name\":\"hold\",\"finalizers\":[\"ex.io/f\"]}}");
        Answer deleting = client.delete("/api/v1/namespaces/" + namespace);
        assertThat(deleting.at("/status/phase")).isEqualTo("Terminating");
        Answer refused = client.post(configMaps(), configMap("a", "{}"));
        assertFailure(
                refused,
                403,
                "Forbidden",
                "configmaps \"a\" is forbidden: unable to create new content in namespace "
                        + namespace
                        + " because it is being terminated");
        assertThat(refused.at("/details/causes/0/reason")).isEqualTo("NamespaceTerminating");
        client.patch(configMaps() + "/hold", Client.MERGE, "{\"metadata\":{\"finalizers\":null}}");
    }
}
