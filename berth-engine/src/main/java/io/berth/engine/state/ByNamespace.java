package io.berth.engine.state;

import io.berth.api.handle.Lister;
import io.berth.api.model.ClusterObject;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Objects of one kind by namespace and name, and by whatever else somebody wants to find them. A
/// namespace's map goes with its last object.
final class ByNamespace<T extends ClusterObject> implements Lister<T> {
    private final Map<String, Map<String, T>> namespaces = new HashMap<>();
    private final List<ByValue<T>> indices = new ArrayList<>();
    private int size;
    private long version;

    int size() {
        return size;
    }

    @Override
    public @Nullable T get(String namespace, String name) {
        var objects = namespaces.get(namespace);
        return objects == null ? null : objects.get(name);
    }

    @Override
    public Collection<T> in(String namespace) {
        var objects = namespaces.get(namespace);
        return objects == null ? List.of() : Collections.unmodifiableCollection(objects.values());
    }

    @Override
    public Collection<T> all() {
        return new AbstractCollection<>() {
            @Override
            public Iterator<T> iterator() {
                return namespaces.values().stream()
                        .flatMap(objects -> objects.values().stream())
                        .iterator();
            }

            @Override
            public int size() {
                return size;
            }
        };
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public Index<T> index(Function<? super T, @Nullable String> value) {
        var index = new ByValue<T>(value);
        forEach(object -> index.changed(null, object));
        indices.add(index);
        return index;
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
        changed(before, object);
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
            changed(removed, null);
        }
        if (objects.isEmpty()) {
            namespaces.remove(namespace);
        }
        return removed;
    }

    private void changed(@Nullable T before, @Nullable T after) {
        if (before == null || !before.equals(after)) {
            version++;
        }
        for (var index : indices) {
            index.changed(before, after);
        }
    }

    /// Objects by something that they say.
    private static final class ByValue<T extends ClusterObject> implements Index<T> {
        private final Function<? super T, @Nullable String> value;
        private final Map<String, Map<String, T>> byValue = new HashMap<>();

        ByValue(Function<? super T, @Nullable String> value) {
            this.value = value;
        }

        @Override
        public Collection<T> of(String said) {
            var objects = byValue.get(said);
            return objects == null
                    ? List.of()
                    : Collections.unmodifiableCollection(objects.values());
        }

        void changed(@Nullable T before, @Nullable T after) {
            var was = before == null ? null : value.apply(before);
            var is = after == null ? null : value.apply(after);
            if (before != null && was != null && !was.equals(is)) {
                drop(was, before.key());
            }
            if (after != null && is != null) {
                byValue.computeIfAbsent(is, key -> new LinkedHashMap<>()).put(after.key(), after);
            }
        }

        private void drop(String said, String key) {
            byValue.computeIfPresent(
                    said,
                    (_, objects) -> {
                        objects.remove(key);
                        return objects.isEmpty() ? null : objects;
                    });
        }
    }
}
