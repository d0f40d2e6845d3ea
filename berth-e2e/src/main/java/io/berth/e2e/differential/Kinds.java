package io.berth.e2e.differential;

import com.fasterxml.jackson.databind.JsonNode;

/// Where the API has the objects of scenarios.
final class Kinds {
    private Kinds() {}

    static String kind(JsonNode object) {
        return object.at("/kind").asText();
    }

    static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }

    static String namespace(JsonNode object) {
        return object.at("/metadata/namespace").asText();
    }

    static boolean isPod(JsonNode object) {
        return kind(object).equals("Pod");
    }

    /// Volumes and claims: what schedulers write besides pods.
    static boolean isVolumeOrClaim(JsonNode object) {
        return kind(object).startsWith("PersistentVolume");
    }

    static String pathOf(JsonNode object) {
        return collectionOf(object) + "/" + name(object);
    }

    static String collectionOf(JsonNode object) {
        return collection(kind(object), namespace(object));
    }

    static String collection(String kind, String namespace) {
        var inNamespace = "/namespaces/" + namespace + "/";
        var storage = "/apis/storage.k8s.io/v1";
        return switch (kind) {
            case "Node" -> "/api/v1/nodes";
            case "Namespace" -> "/api/v1/namespaces";
            case "PriorityClass" -> "/apis/scheduling.k8s.io/v1/priorityclasses";
            case "RuntimeClass" -> "/apis/node.k8s.io/v1/runtimeclasses";
            case "Pod" -> "/api/v1" + inNamespace + "pods";
            case "Service" -> "/api/v1" + inNamespace + "services";
            case "ReplicationController" -> "/api/v1" + inNamespace + "replicationcontrollers";
            case "ReplicaSet" -> "/apis/apps/v1" + inNamespace + "replicasets";
            case "StatefulSet" -> "/apis/apps/v1" + inNamespace + "statefulsets";
            case "PodDisruptionBudget" -> "/apis/policy/v1" + inNamespace + "poddisruptionbudgets";
            case "PersistentVolume" -> "/api/v1/persistentvolumes";
            case "PersistentVolumeClaim" -> "/api/v1" + inNamespace + "persistentvolumeclaims";
            case "DeviceClass" -> ClaimStage.GROUP + "/deviceclasses";
            case "ResourceSlice" -> ClaimStage.GROUP + "/resourceslices";
            case "ResourceClaim" -> ClaimStage.GROUP + inNamespace + "resourceclaims";
            case "StorageClass" -> storage + "/storageclasses";
            case "CSINode" -> storage + "/csinodes";
            case "CSIDriver" -> storage + "/csidrivers";
            case "CSIStorageCapacity" -> storage + inNamespace + "csistoragecapacities";
            case "VolumeAttachment" -> storage + "/volumeattachments";
            default -> throw new IllegalArgumentException("unknown kind " + kind);
        };
    }
}
