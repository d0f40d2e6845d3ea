package io.berth.e2e.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.e2e.differential.scenario.Json;
import io.berth.e2e.differential.scenario.VolumeMaker;

/// Claims and volumes that the stage makes itself: a pair that no pod can use, but that a pod shows
/// to have been seen, and the claims of ephemeral volumes.
final class LastPair {
    private static final String SIZE = "1Gi";

    private LastPair() {}

    static ObjectNode claim(String namespace, String name) {
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolumeClaim",
                "metadata",
                Json.object(
                        "namespace",
                        namespace,
                        "name",
                        name,
                        "annotations",
                        Json.object(VolumeMaker.BIND_COMPLETED, "yes")),
                "spec",
                Json.object(
                        "accessModes",
                        Json.array("ReadWriteOnce"),
                        "storageClassName",
                        "",
                        "volumeName",
                        name,
                        "resources",
                        Json.object("requests", Json.object("storage", SIZE))));
    }

    /// No node has the label.
    static ObjectNode volume(String namespace, String name) {
        var requirement = Json.object("key", "differential/nowhere", "operator", "Exists");
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolume",
                "metadata",
                Json.object("name", name),
                "spec",
                Json.object(
                        "capacity",
                        Json.object("storage", SIZE),
                        "accessModes",
                        Json.array("ReadWriteOnce"),
                        "claimRef",
                        Json.object("namespace", namespace, "name", name),
                        "nodeAffinity",
                        Json.object(
                                "required",
                                Json.object(
                                        "nodeSelectorTerms",
                                        Json.array(
                                                Json.object(
                                                        "matchExpressions",
                                                        Json.array(requirement))))),
                        "nfs",
                        Json.object("server", "nfs.example.com", "path", "/")));
    }

    /// A pod that asks for the pair, and disturbs nobody.
    static ObjectNode pod(String namespace, String name, String claim, String scheduler) {
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                Json.object("namespace", namespace, "name", name),
                "spec",
                Json.object(
                        "schedulerName",
                        scheduler,
                        "priorityClassName",
                        "polite",
                        "containers",
                        Json.array(Json.object("name", "c", "image", "none")),
                        "volumes",
                        Json.array(
                                Json.object(
                                        "name",
                                        "v",
                                        "persistentVolumeClaim",
                                        Json.object("claimName", claim)))));
    }

    /// The claim of an ephemeral volume.
    ///
    /// @param isOwner whether it belongs to the pod
    static ObjectNode claimOf(JsonNode pod, JsonNode volume, boolean isOwner) {
        var owner =
                Json.object(
                        "apiVersion",
                        "v1",
                        "kind",
                        "Pod",
                        "name",
                        Kinds.name(pod),
                        "uid",
                        pod.at("/metadata/uid").asText(),
                        "controller",
                        true);
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "PersistentVolumeClaim",
                "metadata",
                Json.object(
                        "namespace",
                        Kinds.namespace(pod),
                        "name",
                        Kinds.name(pod) + "-" + volume.at("/name").asText(),
                        "ownerReferences",
                        isOwner ? Json.array(owner) : null),
                "spec",
                volume.at("/ephemeral/volumeClaimTemplate/spec"));
    }
}
