package io.berth.api.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A kind of objects that the engine follows, and where the API has it. What is watched, asked for
/// as a right, and heard of by plugins follows from these lines.
///
/// A plugin may follow any other kind as well: see [#of]. There is one object per kind, so `==`
/// tells them apart.
public final class Kind implements Comparable<Kind> {
    private static final List<Kind> BUILT_IN = new ArrayList<>();
    private static final Map<String, Kind> KNOWN = new ConcurrentHashMap<>();

    public static final Kind POD = builtIn("", "v1", "pods");
    public static final Kind NODE = builtIn("", "v1", "nodes");
    public static final Kind NAMESPACE = builtIn("", "v1", "namespaces");
    public static final Kind SERVICE = builtIn("", "v1", "services");
    public static final Kind REPLICATION_CONTROLLER = builtIn("", "v1", "replicationcontrollers");
    public static final Kind REPLICA_SET = builtIn("apps", "v1", "replicasets");
    public static final Kind STATEFUL_SET = builtIn("apps", "v1", "statefulsets");
    public static final Kind POD_DISRUPTION_BUDGET =
            builtIn("policy", "v1", "poddisruptionbudgets");
    public static final Kind PERSISTENT_VOLUME = builtIn("", "v1", "persistentvolumes");
    public static final Kind PERSISTENT_VOLUME_CLAIM = builtIn("", "v1", "persistentvolumeclaims");
    public static final Kind STORAGE_CLASS = builtIn("storage.k8s.io", "v1", "storageclasses");
    public static final Kind CSI_NODE = builtIn("storage.k8s.io", "v1", "csinodes");
    public static final Kind CSI_DRIVER = builtIn("storage.k8s.io", "v1", "csidrivers");
    public static final Kind CSI_STORAGE_CAPACITY =
            builtIn("storage.k8s.io", "v1", "csistoragecapacities");
    public static final Kind VOLUME_ATTACHMENT =
            builtIn("storage.k8s.io", "v1", "volumeattachments");
    public static final Kind RESOURCE_CLAIM = builtIn("resource.k8s.io", "v1", "resourceclaims");
    public static final Kind RESOURCE_SLICE = builtIn("resource.k8s.io", "v1", "resourceslices");
    public static final Kind DEVICE_CLASS = builtIn("resource.k8s.io", "v1", "deviceclasses");

    private static final Comparator<Kind> ORDER =
            Comparator.comparingInt((Kind kind) -> kind.place).thenComparing(Kind::resource);

    private final String group;
    private final String version;
    private final String plural;

    /// Among those with a record of their own; all others come after them.
    private final int place;

    private Kind(String group, String version, String plural, int place) {
        this.group = group;
        this.version = version;
        this.plural = plural;
        this.place = place;
    }

    private static Kind builtIn(String group, String version, String plural) {
        var kind = new Kind(group, version, plural, BUILT_IN.size());
        BUILT_IN.add(kind);
        KNOWN.put(kind.resource(), kind);
        return kind;
    }

    /// Any kind that the API server has. Objects of a kind that has no record of its own come as
    /// [CustomObject]s.
    ///
    /// @param group empty for the core
    public static Kind of(String group, String version, String plural) {
        var wanted = new Kind(group, version, plural, Integer.MAX_VALUE);
        return KNOWN.computeIfAbsent(wanted.resource(), _ -> wanted);
    }

    /// The kind with a name such as `racks.v1.example.com`; null where it is no such name.
    public static @Nullable Kind parse(String resource) {
        var parts = resource.split("\\.", 3);
        return parts.length < 3 || parts[0].isEmpty() || parts[1].isEmpty()
                ? null
                : of(parts[2], parts[1], parts[0]);
    }

    /// Whether its objects have a record of their own, and are no [CustomObject]s.
    public boolean isBuiltIn() {
        return place != Integer.MAX_VALUE;
    }

    /// The kinds that have a record of their own.
    public static Kind[] values() {
        return BUILT_IN.toArray(Kind[]::new);
    }

    /// The API group; empty for the core.
    public String group() {
        return group;
    }

    /// The name of its resource, such as `replicasets`.
    public String plural() {
        return plural;
    }

    /// The name by which plugins wait for it: `<plural>.<version>.<group>`.
    public String resource() {
        return plural + "." + version + "." + group;
    }

    /// Where its objects of all namespaces are found.
    public String path() {
        return api() + "/" + plural;
    }

    /// Where one of its objects is found.
    ///
    /// @param namespace empty for a kind that has none
    public String path(String namespace, String name) {
        return api()
                + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
                + "/"
                + plural
                + "/"
                + name;
    }

    private String api() {
        return (group.isEmpty() ? "/api/" : "/apis/" + group + "/") + version;
    }

    @Override
    public int compareTo(Kind other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return resource();
    }
}
