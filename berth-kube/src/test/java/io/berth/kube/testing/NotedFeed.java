package io.berth.kube.testing;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.engine.port.ClusterFeed;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A feed that writes down what it hears: `+ns/name` for seen, `-ns/name` for gone, `synced`.
public final class NotedFeed implements ClusterFeed {
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private final List<ClusterObject> objects = new CopyOnWriteArrayList<>();

    private final AtomicReference<@Nullable Error> failure = new AtomicReference<>();

    /// The next object that it hears of breaks it, once.
    public void failWith(Error error) {
        failure.set(error);
    }

    @Override
    public void seen(ClusterObject object) {
        var error = failure.getAndSet(null);
        if (error != null) {
            throw error;
        }
        objects.add(object);
        notes.add("+" + object.key());
    }

    @Override
    public void gone(Kind kind, String namespace, String name) {
        notes.add("-" + (namespace.isEmpty() ? name : namespace + "/" + name));
    }

    @Override
    public void synced(Kind kind) {
        notes.add("synced");
    }

    public List<String> notes() {
        return List.copyOf(notes);
    }

    public List<ClusterObject> objects() {
        return List.copyOf(objects);
    }
}
