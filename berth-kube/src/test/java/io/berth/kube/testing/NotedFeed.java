package io.berth.kube.testing;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.engine.port.ClusterFeed;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A feed that writes down what it hears: `+ns/name` for seen, `-ns/name` for gone, `synced`.
public final class NotedFeed implements ClusterFeed {
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private final List<ClusterObject> objects = new CopyOnWriteArrayList<>();

    @Override
    public void seen(ClusterObject object) {
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
