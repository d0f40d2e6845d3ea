package io.berth.controllers.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// A kind of objects and where the API has it.
///
/// @param group empty for the core group
public record Resource(
        String group, String version, String kind, String plural, boolean namespaced) {
    public static final Resource PODS = namespaced("", "Pod", "pods");
    public static final Resource NODES = cluster("", "Node", "nodes");
    public static final Resource NAMESPACES = cluster("", "Namespace", "namespaces");
    public static final Resource SERVICE_ACCOUNTS =
            namespaced("", "ServiceAccount", "serviceaccounts");
    public static final Resource EVENTS = namespaced("", "Event", "events");
    public static final Resource REPLICATION_CONTROLLERS =
            namespaced("", "ReplicationController", "replicationcontrollers");
    public static final Resource CLAIMS =
            namespaced("", "PersistentVolumeClaim", "persistentvolumeclaims");
    public static final Resource VOLUMES = cluster("", "PersistentVolume", "persistentvolumes");
    public static final Resource CONFIG_MAPS = namespaced("", "ConfigMap", "configmaps");
    public static final Resource SECRETS = namespaced("", "Secret", "secrets");
    public static final Resource SERVICES = namespaced("", "Service", "services");
    public static final Resource REPLICA_SETS = namespaced("apps", "ReplicaSet", "replicasets");
    public static final Resource DEPLOYMENTS = namespaced("apps", "Deployment", "deployments");
    public static final Resource STATEFUL_SETS = namespaced("apps", "StatefulSet", "statefulsets");
    public static final Resource DAEMON_SETS = namespaced("apps", "DaemonSet", "daemonsets");
    public static final Resource REVISIONS =
            namespaced("apps", "ControllerRevision", "controllerrevisions");
    public static final Resource JOBS = namespaced("batch", "Job", "jobs");
    public static final Resource CRON_JOBS = namespaced("batch", "CronJob", "cronjobs");
    public static final Resource BUDGETS =
            namespaced("policy", "PodDisruptionBudget", "poddisruptionbudgets");
    public static final Resource STORAGE_CLASSES =
            cluster("storage.k8s.io", "StorageClass", "storageclasses");
    public static final Resource RESOURCE_CLAIMS =
            namespaced("resource.k8s.io", "ResourceClaim", "resourceclaims");
    public static final Resource RESOURCE_CLAIM_TEMPLATES =
            namespaced("resource.k8s.io", "ResourceClaimTemplate", "resourceclaimtemplates");
    public static final Resource RESOURCE_SLICES =
            cluster("resource.k8s.io", "ResourceSlice", "resourceslices");
    public static final Resource LEASES = namespaced("coordination.k8s.io", "Lease", "leases");

    /// Everything that may own or be owned, as far as it is known here.
    public static final List<Resource> OWNERS_AND_OWNED =
            List.of(
                    PODS,
                    NODES,
                    SERVICE_ACCOUNTS,
                    REPLICATION_CONTROLLERS,
                    CLAIMS,
                    VOLUMES,
                    CONFIG_MAPS,
                    SECRETS,
                    SERVICES,
                    REPLICA_SETS,
                    DEPLOYMENTS,
                    STATEFUL_SETS,
                    DAEMON_SETS,
                    REVISIONS,
                    JOBS,
                    CRON_JOBS,
                    BUDGETS,
                    RESOURCE_CLAIMS,
                    RESOURCE_CLAIM_TEMPLATES,
                    RESOURCE_SLICES);

    private static Resource namespaced(String group, String kind, String plural) {
        return new Resource(group, "v1", kind, plural, true);
    }

    private static Resource cluster(String group, String kind, String plural) {
        return new Resource(group, "v1", kind, plural, false);
    }

    /// The resource that an owner reference names; empty for kinds that are not known here.
    public static Optional<Resource> of(String apiVersion, String kind) {
        String group = apiVersion.contains("/") ? apiVersion.replaceFirst("/.*", "") : "";
        return OWNERS_AND_OWNED.stream()
                .filter(each -> each.group.equals(group) && each.kind.equals(kind))
                .findFirst();
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /// The path of all objects, those of all namespaces included.
    public String path() {
        return root() + "/" + plural;
    }

    /// The path of the objects of a namespace; of all where the kind has none.
    public String path(String namespace) {
        return namespaced
                ? root() + "/namespaces/" + encode(namespace) + "/" + plural
                : root() + "/" + plural;
    }

    public String path(String namespace, String name) {
        return path(namespace) + "/" + encode(name);
    }

    private String root() {
        return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
    }

    private static String encode(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
