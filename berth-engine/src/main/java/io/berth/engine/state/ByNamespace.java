package io.berth.engine.state;

import io.berth.api.model.ClusterObject;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Objects of one kind by namespace and name. A namespace's map goes with its last object.
final class ByNamespace<T extends ClusterObject> {
    private final Map<String, Map<String, T>> namespaces = new HashMap<>();
    private int size;

    int size() {
        return size;
    }

    @Nullable T get(String namespace, String name) {
        var objects = namespaces.get(namespace);
        return objects == null ? null : objects.get(name);
    }

    Collection<T> in(String namespace) {
        var objects = namespaces.get(namespace);
        return objects == null ? List.of() : Collections.unmodifiableCollection(objects.values());
    }

    void forEach(Consumer<T> consumer) {
        namespaces.values().forEach(objects -> objects.values().forEach(consumer));
    }

    @Nullable T put(T object) {
        var before =
                namespaces
                        .computeIfAbsent(object.namespace(), key -> new HashMap<>())
                        .put(object.name(), object);
        if (before == null) {
            size++;
        }
        return before;
    }

    @Nullable T remove(String namespace, String name) {
        var objects = namespaces.get(namespace);
        if (objects == null) {
            return null;
        }
        var removed = objects.remove(name);
        if (removed != null) {
            size--;
        }
        if (objects.isEmpty()) {
            namespaces.remove(namespace);
        }
        return removed;
    }
}
