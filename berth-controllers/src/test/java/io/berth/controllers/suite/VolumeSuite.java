package io.berth.controllers.suite;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.apiserver.conformance.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Volumes that are made for claims.
public abstract class VolumeSuite extends VolumeBase {
    private String storageClass(String mode, String policy) {
        String name = "c-" + namespace;
        created(
                "/apis/storage.k8s.io/v1/storageclasses",
                """
                {"metadata":{"name":"%s"},"provisioner":"simulated.berth.io",
                 "volumeBindingMode":"%s","reclaimPolicy":"%s"}\
                """
                        .formatted(name, mode, policy));
        return name;
    }

    @AfterEach
    void deleteStorageClass() {
        client.delete("/apis/storage.k8s.io/v1/storageclasses/c-" + namespace);
    }

    private static String podWith(String name, String claim) {
        return pod(
                name,
                "\"volumes\":[{\"name\":\"v\",\"persistentVolumeClaim\":{\"claimName\":\""
                        + claim
                        + "\"}}],");
    }

    @Test
    void immediateClassMakesVolumesAtOnceAndTakesThemBack() {
        created(claims(), claim("now", storageClass("Immediate", "Delete")));
        String volume = "/api/v1/persistentvolumes/" + bound("now").at("/spec/volumeName");
        untilAt(volume, "/status/phase", "Bound");
        client.delete(claims() + "/now");
        untilGone(volume);
    }

    @Test
    void waitingClassMakesVolumesWhereThePodGoes() {
        created(claims(), claim("later", storageClass("WaitForFirstConsumer", "Delete")));
        created(pods(), podWith("user", "later"));
        String volume = bound("later").at("/spec/volumeName");
        until(
                "the pod has a node",
                () -> !client.get(pods() + "/user").at("/spec/nodeName").isEmpty());
        String node = client.get(pods() + "/user").at("/spec/nodeName");
        String zone =
                client.get("/api/v1/nodes/" + node)
                        .at("/metadata/labels/topology.kubernetes.io~1zone");
        assertThat(
                        client.get("/api/v1/persistentvolumes/" + volume)
                                .at(
                                        "/spec/nodeAffinity/required/nodeSelectorTerms/0/matchExpressions/0/values/0"))
                .isEqualTo(zone);
    }

    @Test
    void waitingClassMakesNothingBeforeThat() {
        String name = storageClass("WaitForFirstConsumer", "Delete");
        created(claims(), claim("later", name));
        created(claims(), claim("used", name));
        created(pods(), podWith("user", "used"));
        bound("used");
        assertThat(client.get(claims() + "/later").at("/status/phase")).isEqualTo("Pending");
    }

    @Test
    void ephemeralVolumesHaveClaimsThatGoWithThePod() {
        String name = storageClass("Immediate", "Delete");
        created(
                pods(),
                pod(
                        "user",
                        """
                        "volumes":[{"name":"scratch","ephemeral":{"volumeClaimTemplate":{"spec":{
                          "accessModes":["ReadWriteOnce"],"storageClassName":"%s",
                          "resources":{"requests":{"storage":"1Gi"}}}}}}],\
                        """
                                .formatted(name)));
        Answer claim = bound("user-scratch");
        assertThat(claim.at("/metadata/ownerReferences/0/kind")).isEqualTo("Pod");
        client.delete(pods() + "/user?gracePeriodSeconds=0");
        untilGone(claims() + "/user-scratch");
        untilGone("/api/v1/persistentvolumes/" + claim.at("/spec/volumeName"));
    }

    @Test
    void statefulSetEndsWithBoundClaims() {
        String name = storageClass("WaitForFirstConsumer", "Delete");
        String spec =
                """
                "serviceName":"db","replicas":2,"volumeClaimTemplates":[{"metadata":{"name":"data"},
                  "spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"%s",
                    "resources":{"requests":{"storage":"1Gi"}}}}],\
                """
                        .formatted(name);
        created(path("apps", "statefulsets"), workload("db", spec, "nginx:1", ""));
        untilAt(path("apps", "statefulsets") + "/db", "/status/readyReplicas", "2");
        bound("data-db-0");
        bound("data-db-1");
    }
}
