package io.berth.apiserver.resource;

import static io.berth.apiserver.resource.ResourceType.cluster;
import static io.berth.apiserver.resource.ResourceType.namespaced;

import java.util.List;
import java.util.Optional;

/// Every resource that the server serves from the start: all that a scheduler watches or writes,
/// and what kubectl needs around it. A new kind is one more line here. Clients add kinds of their
/// own by definitions; [ServedTypes] has those too.
public final class ResourceTable {
    /// In the order of discovery: core first, then groups.
    public static final List<ResourceType> ALL =
            List.of(
                    cluster("", "v1", "Namespace", "namespaces")
                            .shortNames("ns")
                            .subresources("status", "finalize"),
                    cluster("", "v1", "Node", "nodes").shortNames("no").subresources("status"),
                    namespaced("", "v1", "Pod", "pods")
                            .shortNames("po")
                            .categories("all")
                            .subresources(
                                    "status",
                                    "log",
                                    "binding",
                                    "eviction",
                                    "resize",
                                    "ephemeralcontainers"),
                    namespaced("", "v1", "Service", "services")
                            .shortNames("svc")
                            .categories("all")
                            .subresources("status"),
                    namespaced("", "v1", "ReplicationController", "replicationcontrollers")
                            .shortNames("rc")
                            .categories("all")
                            .subresources("status", "scale"),
                    cluster("", "v1", "PersistentVolume", "persistentvolumes")
                            .shortNames("pv")
                            .subresources("status"),
                    namespaced("", "v1", "PersistentVolumeClaim", "persistentvolumeclaims")
                            .shortNames("pvc")
                            .subresources("status"),
                    namespaced("", "v1", "ConfigMap", "configmaps").shortNames("cm"),
                    namespaced("", "v1", "Secret", "secrets"),
                    namespaced("", "v1", "ServiceAccount", "serviceaccounts").shortNames("sa"),
                    namespaced("", "v1", "Event", "events").shortNames("ev"),
                    namespaced("events.k8s.io", "v1", "Event", "events").shortNames("ev"),
                    namespaced("coordination.k8s.io", "v1", "Lease", "leases"),
                    namespaced(
                            "coordination.k8s.io", "v1beta1", "LeaseCandidate", "leasecandidates"),
                    namespaced("apps", "v1", "ReplicaSet", "replicasets")
                            .shortNames("rs")
                            .categories("all")
                            .subresources("status", "scale"),
                    namespaced("apps", "v1", "StatefulSet", "statefulsets")
                            .shortNames("sts")
                            .categories("all")
                            .subresources("status", "scale"),
                    namespaced("apps", "v1", "Deployment", "deployments")
                            .shortNames("deploy")
                            .categories("all")
                            .subresources("status", "scale"),
                    namespaced("apps", "v1", "DaemonSet", "daemonsets")
                            .shortNames("ds")
                            .categories("all")
                            .subresources("status"),
                    namespaced("apps", "v1", "ControllerRevision", "controllerrevisions"),
                    namespaced("batch", "v1", "Job", "jobs")
                            .categories("all")
                            .subresources("status"),
                    namespaced("batch", "v1", "CronJob", "cronjobs")
                            .shortNames("cj")
                            .categories("all")
                            .subresources("status"),
                    namespaced("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets")
                            .shortNames("pdb")
                            .subresources("status"),
                    cluster("storage.k8s.io", "v1", "StorageClass", "storageclasses")
                            .shortNames("sc"),
                    cluster(
                                    "storage.k8s.io",
                                    "v1",
                                    "VolumeAttributesClass",
                                    "volumeattributesclasses")
                            .shortNames("vac"),
                    cluster("storage.k8s.io", "v1", "CSINode", "csinodes"),
                    cluster("storage.k8s.io", "v1", "CSIDriver", "csidrivers"),
                    namespaced(
                            "storage.k8s.io", "v1", "CSIStorageCapacity", "csistoragecapacities"),
                    cluster("storage.k8s.io", "v1", "VolumeAttachment", "volumeattachments")
                            .subresources("status"),
                    // Kept, but not obeyed: whoever may come in may do everything.
                    namespaced("rbac.authorization.k8s.io", "v1", "Role", "roles"),
                    namespaced("rbac.authorization.k8s.io", "v1", "RoleBinding", "rolebindings"),
                    cluster("rbac.authorization.k8s.io", "v1", "ClusterRole", "clusterroles"),
                    cluster(
                            "rbac.authorization.k8s.io",
                            "v1",
                            "ClusterRoleBinding",
                            "clusterrolebindings"),
                    cluster("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses")
                            .shortNames("pc"),
                    namespaced("resource.k8s.io", "v1", "ResourceClaim", "resourceclaims")
                            .subresources("status"),
                    namespaced(
                            "resource.k8s.io",
                            "v1",
                            "ResourceClaimTemplate",
                            "resourceclaimtemplates"),
                    cluster("resource.k8s.io", "v1", "ResourceSlice", "resourceslices"),
                    cluster("resource.k8s.io", "v1", "DeviceClass", "deviceclasses"),
                    cluster(
                                    "apiextensions.k8s.io",
                                    "v1",
                                    "CustomResourceDefinition",
                                    "customresourcedefinitions")
                            .shortNames("crd", "crds")
                            .categories("api-extensions")
                            .subresources("status"));

    private ResourceTable() {}

    public static Optional<ResourceType> find(String group, String version, String plural) {
        return find(ALL, group, version, plural);
    }

    static Optional<ResourceType> find(
            List<ResourceType> types, String group, String version, String plural) {
        return types.stream()
                .filter(t ->
                        t.group().equals(group)
                                && t.version().equals(version)
                                && t.plural().equals(plural))
                .findFirst();
    }
}
