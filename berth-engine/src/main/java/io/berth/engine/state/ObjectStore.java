package io.berth.engine.state;

import io.berth.api.handle.Lister;
import io.berth.api.handle.Listers;
import io.berth.api.handle.StateObserver;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Objects as last seen: all pods, assigned or not, and whatever else plugins look up. Nodes are in
/// the [ClusterState].
///
/// Owned by the engine thread. Collections it returns are live views.
public final class ObjectStore implements Listers {
    private final ByNamespace<Pod> pods = new ByNamespace<>();

    /// Every kind but pods and nodes.
    private final Map<Kind, ByNamespace<ClusterObject>> others = new TreeMap<>();

    private final ObjectLog log = new ObjectLog();
    private long version;
    private final Observers observers = new Observers();

    /// Changes with what is kept.
    public long version() {
        return version;
    }

    /// Remembers an object.
    ///
    /// @return its former form, null where it is new
    public @Nullable ClusterObject put(ClusterObject object) {
        version++;
        if (object instanceof Pod pod) {
            return pods.put(pod);
        }
        var before = others(object.kind()).put(object);
        if (!object.equals(before)) {
            log.add(object.kind(), object.namespace(), object.name(), false);
            observers.objectChanged(before, object);
        }
        return before;
    }

    /// Drops an object.
    ///
    /// @return its last form, null where it was not known
    public @Nullable ClusterObject remove(Kind kind, String namespace, String name) {
        version++;
        if (kind == Kind.POD) {
            return pods.remove(namespace, name);
        }
        var before = others(kind).remove(namespace, name);
        if (before != null) {
            log.add(kind, namespace, name, true);
            observers.objectChanged(before, null);
        }
        return before;
    }

    /// Tells an observer of every change of an object other than a pod from now on, after telling
    /// it what there is.
    public void observe(StateObserver observer) {
        forEachOther(object -> observer.objectChanged(null, object));
        observers.add(observer);
    }

    @Override
    @SuppressWarnings("unchecked") // the objects of a kind are all of one type
    public <T extends ClusterObject> Lister<T> of(Kind kind, Class<T> type) {
        return (Lister<T>) (Lister<?>) (kind == Kind.POD ? pods : others(kind));
    }

    private ByNamespace<ClusterObject> others(Kind kind) {
        if (kind == Kind.NODE) {
            throw new IllegalArgumentException("nodes belong in the cluster state");
        }
        return others.computeIfAbsent(kind, key -> new ByNamespace<>());
    }

    /// What happened last to objects other than pods. One that came again unchanged is not in it.
    public ObjectLog log() {
        return log;
    }

    /// An object other than a pod.
    public @Nullable ClusterObject other(Kind kind, String namespace, String name) {
        var all = others.get(kind);
        return all == null ? null : all.get(namespace, name);
    }

    public @Nullable Pod pod(String namespace, String name) {
        return pods.get(namespace, name);
    }

    public void forEachPod(Consumer<Pod> consumer) {
        pods.forEach(consumer);
    }

    /// Shows every object that is no pod.
    public void forEachOther(Consumer<? super ClusterObject> consumer) {
        others.values().forEach(all -> all.forEach(consumer::accept));
    }

    public int podCount() {
        return pods.size();
    }
}
