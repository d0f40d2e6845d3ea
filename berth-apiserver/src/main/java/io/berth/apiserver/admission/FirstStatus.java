package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;

/// The status of a new object: whatever the client sent is dropped, and the counters that a status
/// always carries start at zero. Nodes keep theirs, since a kubelet registers with it.
final class FirstStatus {
    private FirstStatus() {}

    static void set(ResourceType type, ObjectNode object) {
        switch (type.builtInKind()) {
            case "Service" -> object.putObject("status").putObject("loadBalancer");
            case "ReplicationController", "ReplicaSet" ->
                    object.putObject("status").put("replicas", 0);
            case "StatefulSet" ->
                    object.putObject("status").put("replicas", 0).put("availableReplicas", 0);
            case "DaemonSet" ->
                    object.putObject("status")
                            .put("currentNumberScheduled", 0)
                            .put("desiredNumberScheduled", 0)
                            .put("numberMisscheduled", 0)
                            .put("numberReady", 0);
            case "PodDisruptionBudget" ->
                    object.putObject("status")
                            .put("currentHealthy", 0)
                            .put("desiredHealthy", 0)
                            .put("disruptionsAllowed", 0)
                            .put("expectedPods", 0);
            case "VolumeAttachment" -> object.putObject("status").put("attached", false);
            case "Deployment", "ResourceClaim", "Job", "CronJob" -> object.putObject("status");
            default -> {
                // No status, or one that its writer brings along.
            }
        }
    }
}
