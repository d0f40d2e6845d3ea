package io.berth.controllers.suite;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What becomes of those whose owner is deleted.
public abstract class GarbageSuite extends SuiteBase {
    private String deployed() {
        created(deployments(), workload("web", 3));
        untilAt(deployments() + "/web", "/status/availableReplicas", "3");
        return deployments() + "/web";
    }

    private String setName() {
        return items(replicaSets()).getFirst().at("/metadata/name").asText();
    }

    @Test
    void backgroundTakesEverythingAfterTheOwner() {
        String path = deployed();
        deleted(path, "Background");
        assertThat(client.get(path).code()).isEqualTo(404);
        until(
                "sets and pods are gone",
                () -> items(replicaSets()).isEmpty() && items(pods()).isEmpty());
    }

    @Test
    void foregroundTakesTheOwnerLast() {
        String path = deployed();
        String set = replicaSets() + "/" + setName();
        // A finalizer holds the set, and so the deployment.
        merged(set, "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
        deleted(path, "Foreground");
        until("the pods are gone", () -> items(pods()).isEmpty());
        until(
                "the set waits for its last finalizer",
                () ->
                        client.get(set).at("/metadata/finalizers/0").equals("example.com/hold")
                                && client.get(set).at("/metadata/finalizers/1").isEmpty());
        assertThat(client.get(path).code()).isEqualTo(200);
        merged(set, "{\"metadata\":{\"finalizers\":null}}");
        untilGone(path);
    }

    @Test
    void orphansStayAndAreTakenInAgain() {
        String path = deployed();
        String set = setName();
        deleted(path, "Orphan");
        untilGone(path);
        until(
                "the set is free",
                () ->
                        client.get(replicaSets() + "/" + set)
                                .body()
                                .at("/metadata/ownerReferences")
                                .isEmpty());
        assertThat(podsOf("web")).hasSize(3);
        created(deployments(), workload("web", 3));
        untilAt(replicaSets() + "/" + set, "/metadata/ownerReferences/0/kind", "Deployment");
        untilAt(path, "/status/availableReplicas", "3");
        assertThat(items(replicaSets())).hasSize(1);
    }

    @Test
    void whatIsOwnedByNobodyThatIsThereGoes() {
        created(
                configMaps(),
                """
                {"metadata":{"name":"lost","ownerReferences":[{"apiVersion":"v1",
                  "kind":"ConfigMap","name":"never-was","uid":"0-0-0"}]}}\
                """);
        untilGone(configMaps() + "/lost");
    }

    @Test
    void oneOwnerThatStaysIsEnough() {
        String first = created(configMaps(), configMap("first", "{}")).uid();
        String second = created(configMaps(), configMap("second", "{}")).uid();
        created(
                configMaps(),
                """
                {"metadata":{"name":"shared","ownerReferences":[
                  {"apiVersion":"v1","kind":"ConfigMap","name":"first","uid":"%s"},
                  {"apiVersion":"v1","kind":"ConfigMap","name":"second","uid":"%s"}]}}\
                """
                        .formatted(first, second));
        client.delete(configMaps() + "/first");
        until(
                "the first owner is forgotten",
                () ->
                        client.get(configMaps() + "/shared")
                                        .body()
                                        .at("/metadata/ownerReferences")
                                        .size()
                                == 1);
        client.delete(configMaps() + "/second");
        untilGone(configMaps() + "/shared");
    }

    /// Kinds that are not known here are left alone.
    @Test
    void ownersOfUnknownKindsAreTrusted() {
        created(
                configMaps(),
                """
                {"metadata":{"name":"foreign","ownerReferences":[{"apiVersion":"example.com/v1",
                  "kind":"Thing","name":"t","uid":"0-0-1"}]}}\
                """);
        created(
                configMaps(),
                """
                {"metadata":{"name":"lost","ownerReferences":[{"apiVersion":"v1",
                  "kind":"ConfigMap","name":"never-was","uid":"0-0-0"}]}}\
                """);
        untilGone(configMaps() + "/lost");
        assertThat(client.get(configMaps() + "/foreign").code()).isEqualTo(200);
    }
}
