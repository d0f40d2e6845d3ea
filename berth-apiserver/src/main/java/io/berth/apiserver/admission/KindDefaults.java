package io.berth.apiserver.admission;

import static io.berth.apiserver.admission.Nodes.child;
import static io.berth.apiserver.admission.Nodes.fill;
import static io.berth.apiserver.admission.Nodes.fillZero;
import static io.berth.apiserver.admission.Nodes.objects;
import static io.berth.apiserver.admission.Nodes.unset;
import static io.berth.apiserver.admission.Nodes.with;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.berth.apiserver.resource.ResourceType;
import java.util.List;

/// The API defaults of each kind: values that a client may leave out and every reader finds.
final class KindDefaults {
    /// What a node always says about itself, if only with an empty text.
    private static final List<String> NODE_INFO =
            List.of(
                    "architecture",
                    "bootID",
                    "containerRuntimeVersion",
                    "kernelVersion",
                    "kubeProxyVersion",
                    "kubeletVersion",
                    "machineID",
                    "operatingSystem",
                    "osImage",
                    "systemUUID");

    private static final String RBAC = "rbac.authorization.k8s.io";

    private KindDefaults() {}

    static void apply(ResourceType type, ObjectNode object) {
        switch (type.builtInKind()) {
            case "Pod" -> PodDefaults.pod(object);
            case "Node" -> {
                child(object, "status");
                node(object);
            }
            case "Namespace" -> namespace(object);
            case "Service" -> service(child(object, "spec"));
            case "Secret" -> fill(object, "type", "Opaque");
            case "ReplicationController" -> replicationController(object);
            case "ReplicaSet" -> workload(child(object, "spec"));
            case "Deployment" -> deployment(child(object, "spec"));
            case "StatefulSet" -> statefulSet(child(object, "spec"));
            case "DaemonSet" -> daemonSet(child(object, "spec"));
            case "Job" -> JobDefaults.job(child(object, "spec"));
            case "CronJob" -> JobDefaults.cronJob(child(object, "spec"));
            case "PersistentVolume" -> persistentVolume(child(object, "spec"));
            case "PersistentVolumeClaim" -> fill(child(object, "spec"), "volumeMode", "Filesystem");
            case "StorageClass" -> {
                fill(object, "reclaimPolicy", "Delete");
                fill(object, "volumeBindingMode", "Immediate");
            }
            case "RoleBinding", "ClusterRoleBinding" -> roleBinding(object);
            case "CSIDriver" -> csiDriver(child(object, "spec"));
            case "PriorityClass" -> fill(object, "preemptionPolicy", "PreemptLowerPriority");
            case "CustomResourceDefinition" -> Definitions.defaults(object);
            case "ResourceClaim" -> deviceRequests(child(object, "spec"));
            case "ResourceClaimTemplate" -> deviceRequests(child(child(object, "spec"), "spec"));
            default -> {
                // The other kinds have no defaults.
            }
        }
    }

    private static void node(ObjectNode node) {
        child(node, "spec");
        with(
                node,
                "status",
                status -> {
                    fill(child(child(status, "daemonEndpoints"), "kubeletEndpoint"), "Port", 0);
                    ObjectNode info = child(status, "nodeInfo");
                    for (String field : NODE_INFO) {
                        if (!info.has(field)) {
                            info.put(field, "");
                        }
                    }
                    if (!status.has("allocatable") && status.has("capacity")) {
                        status.set("allocatable", status.get("capacity").deepCopy());
                    }
                });
    }

    private static void roleBinding(ObjectNode binding) {
        with(binding, "roleRef", role -> fill(role, "apiGroup", RBAC));
        for (ObjectNode subject : objects(binding, "subjects")) {
            if (!subject.path("kind").asText().equals("ServiceAccount")) {
                fill(subject, "apiGroup", RBAC);
            }
        }
    }

    private static void namespace(ObjectNode namespace) {
        ObjectNode metadata = child(namespace, "metadata");
        String name = metadata.path("name").asText("");
        if (!name.isEmpty()) {
            child(metadata, "labels").put("kubernetes.io/metadata.name", name);
        }
    }

    private static void service(ObjectNode spec) {
        fill(spec, "sessionAffinity", "None");
        fill(spec, "type", "ClusterIP");
        for (ObjectNode port : objects(spec, "ports")) {
            fill(port, "protocol", "TCP");
            if (unset(port, "targetPort") || port.path("targetPort").asText().equals("0")) {
                port.put("targetPort", port.path("port").asInt());
            }
        }
        String type = spec.path("type").asText();
        if (type.equals("NodePort") || type.equals("LoadBalancer")) {
            fill(spec, "externalTrafficPolicy", "Cluster");
        }
        if (!type.equals("ExternalName")) {
            fill(spec, "internalTrafficPolicy", "Cluster");
        }
        if (type.equals("LoadBalancer")) {
            fill(spec, "allocateLoadBalancerNodePorts", true);
        }
    }

    private static void workload(ObjectNode spec) {
        fill(spec, "replicas", 1);
        PodDefaults.template(spec);
    }

    private static void replicationController(ObjectNode object) {
        ObjectNode spec = child(object, "spec");
        workload(spec);
        if (spec.path("template").path("metadata").get("labels") instanceof ObjectNode labels) {
            if (spec.path("selector").isEmpty()) {
                spec.set("selector", labels.deepCopy());
            }
            ObjectNode metadata = child(object, "metadata");
            if (metadata.path("labels").isEmpty()) {
                metadata.set("labels", labels.deepCopy());
            }
        }
    }

    private static void deployment(ObjectNode spec) {
        workload(spec);
        ObjectNode strategy = child(spec, "strategy");
        fill(strategy, "type", "RollingUpdate");
        if (strategy.path("type").asText().equals("RollingUpdate")) {
            ObjectNode rolling = child(strategy, "rollingUpdate");
            fill(rolling, "maxUnavailable", "25%");
            fill(rolling, "maxSurge", "25%");
        }
        fill(spec, "revisionHistoryLimit", 10);
        fill(spec, "progressDeadlineSeconds", 600);
    }

    private static void statefulSet(ObjectNode spec) {
        fill(spec, "podManagementPolicy", "OrderedReady");
        workload(spec);
        ObjectNode strategy = child(spec, "updateStrategy");
        fill(strategy, "type", "RollingUpdate");
        if (strategy.path("type").asText().equals("RollingUpdate")) {
            fill(child(strategy, "rollingUpdate"), "partition", 0);
        }
        ObjectNode retention = child(spec, "persistentVolumeClaimRetentionPolicy");
        fill(retention, "whenDeleted", "Retain");
        fill(retention, "whenScaled", "Retain");
        fill(spec, "revisionHistoryLimit", 10);
        for (ObjectNode claim : objects(spec, "volumeClaimTemplates")) {
            fill(claim, "apiVersion", "v1");
            fill(claim, "kind", "PersistentVolumeClaim");
            fill(child(claim, "spec"), "volumeMode", "Filesystem");
            fill(child(claim, "status"), "phase", "Pending");
        }
    }

    private static void daemonSet(ObjectNode spec) {
        PodDefaults.template(spec);
        ObjectNode strategy = child(spec, "updateStrategy");
        fill(strategy, "type", "RollingUpdate");
        if (strategy.path("type").asText().equals("RollingUpdate")) {
            ObjectNode rolling = child(strategy, "rollingUpdate");
            fill(rolling, "maxUnavailable", 1);
            fill(rolling, "maxSurge", 0);
        }
        fill(spec, "revisionHistoryLimit", 10);
    }

    private static void persistentVolume(ObjectNode spec) {
        fill(spec, "persistentVolumeReclaimPolicy", "Retain");
        fill(spec, "volumeMode", "Filesystem");
        with(
                spec,
                "hostPath",
                path -> {
                    if (!path.has("type")) {
                        path.put("type", "");
                    }
                });
    }

    private static void csiDriver(ObjectNode spec) {
        fill(spec, "attachRequired", true);
        fill(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
        fill(spec, "podInfoOnMount", false);
        fill(spec, "requiresRepublish", false);
        fill(spec, "seLinuxMount", false);
        fill(spec, "storageCapacity", false);
        if (!spec.has("volumeLifecycleModes")) {
            ArrayNode modes = spec.putArray("volumeLifecycleModes");
            modes.add(TextNode.valueOf("Persistent"));
        }
    }

    private static void deviceRequests(ObjectNode spec) {
        with(
                spec,
                "devices",
                devices -> {
                    for (ObjectNode request : objects(devices, "requests")) {
                        with(request, "exactly", KindDefaults::deviceRequest);
                        objects(request, "firstAvailable").forEach(KindDefaults::deviceRequest);
                    }
                });
    }

    private static void deviceRequest(ObjectNode request) {
        fill(request, "allocationMode", "ExactCount");
        if (request.path("allocationMode").asText().equals("ExactCount")) {
            fillZero(request, "count", 1);
        }
        for (ObjectNode toleration : objects(request, "tolerations")) {
            fill(toleration, "operator", "Equal");
        }
    }
}
