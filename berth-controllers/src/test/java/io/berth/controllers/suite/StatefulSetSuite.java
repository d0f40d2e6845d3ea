package io.berth.controllers.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Stateful sets.
public abstract class StatefulSetSuite extends SuiteBase {
    private static final String CLAIMS =
            """
            "volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{
              "accessModes":["ReadWriteOnce"],"storageClassName":"none",
              "resources":{"requests":{"storage":"1Gi"}}}}],\
            """;

    private String sets() {
        return path("apps", "statefulsets");
    }

    private String claims() {
        return path("", "persistentvolumeclaims");
    }

    private static String set(String name, int replicas, String more) {
        return workload(
                name,
                "\"serviceName\":\"" + name + "\",\"replicas\":" + replicas + "," + more,
                "nginx:1",
                "");
    }

    private List<String> names(String app) {
        return podsOf(app).stream().map(pod -> pod.at("/metadata/name").asText()).sorted().toList();
    }

    private void ready(String name, int replicas) {
        untilAt(sets() + "/" + name, "/status/readyReplicas", Integer.toString(replicas));
    }

    @Test
    void podsAreNumberedAndStartOneAfterTheOther() {
        try (var watch = client.watch(pods() + "?watch=true&resourceVersion=" + version())) {
            created(sets(), set("db", 3, ""));
            ready("db", 3);
            int readyCount = 0;
            int seen = 0;
            while (seen < 3) {
                JsonNode event = watch.next();
                boolean isReady =
                        event.at("/object/status/conditions").toString().contains("\"Ready\"");
                if (event.path("type").asText().equals("ADDED")) {
                    assertThat(readyCount).as("ready before the next begins").isEqualTo(seen);
                    assertThat(event.at("/object/metadata/name").asText()).isEqualTo("db-" + seen);
                    seen++;
                } else if (isReady && event.at("/object/status/phase").asText().equals("Running")) {
                    readyCount = seen;
                }
            }
        }
        JsonNode pod = client.get(pods() + "/db-1").body();
        assertThat(pod.at("/spec/hostname").asText()).isEqualTo("db-1");
        assertThat(pod.at("/spec/subdomain").asText()).isEqualTo("db");
        assertThat(pod.at("/metadata/labels/apps.kubernetes.io~1pod-index").asText())
                .isEqualTo("1");
    }

    private String version() {
        return client.get(pods()).at("/metadata/resourceVersion");
    }

    @Test
    void shrinkingEndsTheLastOnesAndKeepsTheirPlaces() {
        created(sets(), set("db", 3, "\"podManagementPolicy\":\"Parallel\","));
        ready("db", 3);
        merged(sets() + "/db/scale", "{\"spec\":{\"replicas\":1}}");
        until("one is left", () -> names("db").equals(List.of("db-0")));
        merged(sets() + "/db/scale", "{\"spec\":{\"replicas\":2}}");
        until("the second is back", () -> names("db").equals(List.of("db-0", "db-1")));
    }

    @Test
    void everyPodHasClaimsOfItsOwnThatOutliveIt() {
        created(sets(), set("db", 2, "\"podManagementPolicy\":\"Parallel\"," + CLAIMS));
        until("two claims", () -> items(claims()).size() == 2);
        until("two pods", () -> names("db").equals(List.of("db-0", "db-1")));
        assertThat(client.get(claims() + "/data-db-0").at("/metadata/labels/app")).isEqualTo("db");
        assertThat(client.get(pods() + "/db-1").text()).contains("data-db-1");
        deleted(sets() + "/db", "Background");
        until("the pods are gone", () -> names("db").isEmpty());
        assertThat(items(claims())).hasSize(2);
    }

    @Test
    void claimsGoWithThePodsWhereTheSetSaysSo() {
        String policy =
                """
                "persistentVolumeClaimRetentionPolicy":
                  {"whenScaled":"Delete","whenDeleted":"Delete"},\
                """;
        created(sets(), set("db", 2, "\"podManagementPolicy\":\"Parallel\"," + policy + CLAIMS));
        until("two claims", () -> items(claims()).size() == 2);
        merged(sets() + "/db/scale", "{\"spec\":{\"replicas\":1}}");
        until("one claim is left", () -> alive(claims()) == 1);
        deleted(sets() + "/db", "Background");
        until("none is left", () -> alive(claims()) == 0);
    }

    private long alive(String path) {
        return items(path).stream()
                .filter(each -> !each.at("/metadata").has("deletionTimestamp"))
                .count();
    }

    @Test
    void newTemplateReplacesTheLastPodFirst() {
        created(sets(), set("db", 2, ""));
        ready("db", 2);
        setImage(sets() + "/db", "nginx:2");
        until(
                "both are new",
                () -> {
                    var set = client.get(sets() + "/db");
                    return set.at("/status/observedGeneration")
                                    .equals(set.at("/metadata/generation"))
                            && set.at("/status/updatedReplicas").equals("2")
                            && set.at("/status/readyReplicas").equals("2")
                            && set.at("/status/currentRevision")
                                    .equals(set.at("/status/updateRevision"));
                });
        assertThat(items(path("apps", "controllerrevisions"))).hasSize(2);
        assertThat(client.get(pods() + "/db-0").at("/spec/containers/0/image"))
                .isEqualTo("nginx:2");
    }

    @Test
    void partitionKeepsTheFirstOnesAsTheyAre() {
        created(sets(), set("db", 2, "\"updateStrategy\":{\"rollingUpdate\":{\"partition\":1}},"));
        ready("db", 2);
        setImage(sets() + "/db", "nginx:2");
        untilAt(pods() + "/db-1", "/spec/containers/0/image", "nginx:2");
        untilAt(sets() + "/db", "/status/updatedReplicas", "1");
        ready("db", 2);
        assertThat(client.get(pods() + "/db-0").at("/spec/containers/0/image"))
                .isEqualTo("nginx:1");
    }

    /// What `kubectl rollout undo` does.
    @Test
    void revisionIsAPatchThatRestoresItsTemplate() {
        created(sets(), set("db", 1, ""));
        ready("db", 1);
        setImage(sets() + "/db", "nginx:2");
        untilAt(pods() + "/db-0", "/spec/containers/0/image", "nginx:2");
        JsonNode first =
                items(path("apps", "controllerrevisions")).stream()
                        .filter(each -> each.path("revision").asInt() == 1)
                        .findFirst()
                        .orElseThrow();
        client.patch(
                sets() + "/db",
                io.berth.apiserver.conformance.Client.STRATEGIC,
                first.path("data").toString());
        untilAt(pods() + "/db-0", "/spec/containers/0/image", "nginx:1");
        assertThat(items(path("apps", "controllerrevisions"))).hasSize(2);
    }
}
