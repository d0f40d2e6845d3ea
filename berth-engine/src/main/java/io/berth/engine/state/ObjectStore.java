package io.berth.engine.state;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.model.Service;
import io.berth.api.model.Workload;
import io.berth.api.plugin.Listers;
import io.berth.api.plugin.StateObserver;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Objects as last seen: all pods, assigned or not, and whatever else plugins look up. Nodes are in
/// the [ClusterState].
///
/// Owned by the engine thread. Collections it returns are live views.
public final class ObjectStore implements Listers {
    private final ByNamespace<Pod> pods = new ByNamespace<>();
    private final Map<String, Namespace> namespaces = new HashMap<>();
    private final ByNamespace<Service> services = new ByNamespace<>();
    private final Map<Kind, ByNamespace<Workload>> workloads = new EnumMap<>(Kind.class);
    private final ByNamespace<PodDisruptionBudget> budgets = new ByNamespace<>();
    private final Observers observers = new Observers();
    private long selectorsVersion;
    private long namespacesVersion;

    /// Remembers an object.
    ///
    /// @return its former form, null where it is new
    public @Nullable ClusterObject put(ClusterObject object) {
        var before =
                switch (object) {
                    case Pod pod -> pods.put(pod);
                    case Namespace namespace -> namespaces.put(namespace.name(), namespace);
                    case Service service -> services.put(service);
                    case Workload workload -> workloads(workload.kind()).put(workload);
                    case PodDisruptionBudget budget -> budgets.put(budget);
                    case Node node ->
                            throw new IllegalArgumentException(
                                    "node " + node.name() + " belongs in the cluster state");
                };
        changed(before, object);
        return before;
    }

    /// Drops an object.
    ///
    /// @return its last form, null where it was not known
    public @Nullable ClusterObject remove(Kind kind, String namespace, String name) {
        var before =
                switch (kind) {
                    case POD -> pods.remove(namespace, name);
                    case NAMESPACE -> namespaces.remove(name);
                    case SERVICE -> services.remove(namespace, name);
                    case REPLICATION_CONTROLLER, REPLICA_SET, STATEFUL_SET ->
                            workloads(kind).remove(namespace, name);
                    case POD_DISRUPTION_BUDGET -> budgets.remove(namespace, name);
                    case NODE ->
                            throw new IllegalArgumentException(
                                    "node " + name + " belongs in the cluster state");
                };
        changed(before, null);
        return before;
    }

    /// Tells an observer of every change of an object other than a pod from now on, after telling
    /// it what there is.
    public void observe(StateObserver observer) {
        namespaces.values().forEach(object -> observer.objectChanged(null, object));
        services.forEach(object -> observer.objectChanged(null, object));
        workloads.values().forEach(all -> all.forEach(o -> observer.objectChanged(null, o)));
        budgets.forEach(object -> observer.objectChanged(null, object));
        observers.add(observer);
    }

    private void changed(@Nullable ClusterObject before, @Nullable ClusterObject after) {
        var either = after == null ? before : after;
        if (either == null
                || either instanceof Pod
                || either.equals(after) && either.equals(before)) {
            return;
        }
        switch (either) {
            case Service service -> selectorsVersion++;
            case Workload workload -> selectorsVersion++;
            case Namespace namespace -> namespacesVersion++;
            case PodDisruptionBudget budget -> {}
            case Pod pod -> {}
            case Node node -> {}
        }
        observers.objectChanged(before, after);
    }

    @Override
    public @Nullable Pod pod(String namespace, String name) {
        return pods.get(namespace, name);
    }

    public void forEachPod(Consumer<Pod> consumer) {
        pods.forEach(consumer);
    }

    public int podCount() {
        return pods.size();
    }

    @Override
    public @Nullable Namespace namespace(String name) {
        return namespaces.get(name);
    }

    @Override
    public Collection<Namespace> namespaces() {
        return Collections.unmodifiableCollection(namespaces.values());
    }

    @Override
    public Collection<Service> services(String namespace) {
        return services.in(namespace);
    }

    @Override
    public @Nullable Workload workload(Kind kind, String namespace, String name) {
        var ofKind = workloads.get(kind);
        return ofKind == null ? null : ofKind.get(namespace, name);
    }

    @Override
    public Collection<PodDisruptionBudget> podDisruptionBudgets(String namespace) {
        return budgets.in(namespace);
    }

    @Override
    public long selectorsVersion() {
        return selectorsVersion;
    }

    @Override
    public long namespacesVersion() {
        return namespacesVersion;
    }

    private ByNamespace<Workload> workloads(Kind kind) {
        return workloads.computeIfAbsent(kind, key -> new ByNamespace<>());
    }
}
