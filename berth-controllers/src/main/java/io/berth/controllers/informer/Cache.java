package io.berth.controllers.informer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.berth.controllers.object.Held;
import io.berth.controllers.object.Meta;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The objects of a kind by key, and by what they are looked up with.
///
/// Two hands write: the watch tells what happened, in order; whoever wrote an object puts the
/// answer in, so that the next look finds it though the watch has not told it yet. A version
/// decides who is newer: versions grow with every write, and the watch has told everything up to
/// its position.
///
/// Called by many threads; every access holds the object's lock, which is held for short.
final class Cache<T extends Held> {
    private final Function<T, Collection<String>> indexer;

    @GuardedBy("this") private final Map<String, T> objects = new HashMap<>();

    @GuardedBy("this") private final Map<String, Map<String, T>> indexes = new HashMap<>();

    @GuardedBy("this") private long position;

    Cache(Function<T, Collection<String>> indexer) {
        this.indexer = indexer;
    }

    /// A change: what was there, what is there. One of both may be missing.
    record Change<T>(@Nullable T before, @Nullable T after) {}

    synchronized Optional<T> find(String key) {
        return Optional.ofNullable(objects.get(key));
    }

    synchronized List<T> all() {
        return List.copyOf(objects.values());
    }

    synchronized List<T> indexed(String index) {
        return List.copyOf(indexes.getOrDefault(index, Map.of()).values());
    }

    synchronized int size() {
        return objects.size();
    }

    synchronized long position() {
        return position;
    }

    /// The watch saw an object.
    synchronized Optional<Change<T>> seen(T object) {
        position = Math.max(position, object.meta().version());
        return putIfNewer(object);
    }

    /// The watch saw an object go.
    synchronized Optional<Change<T>> gone(Meta last) {
        position = Math.max(position, last.version());
        T known = objects.get(last.key());
        return known == null || known.meta().version() > last.version()
                ? Optional.empty()
                : Optional.of(remove(known));
    }

    synchronized void reached(long version) {
        position = Math.max(position, version);
    }

    /// The answer to a write. What the watch has told already is not told again.
    synchronized Optional<Change<T>> written(T object) {
        return object.meta().version() <= position ? Optional.empty() : putIfNewer(object);
    }

    /// The answer to a deletion that left nothing.
    synchronized Optional<Change<T>> deleted(Meta meta) {
        T known = objects.get(meta.key());
        return known == null || !known.meta().uid().equals(meta.uid())
                ? Optional.empty()
                : Optional.of(remove(known));
    }

    /// Everything there is, as of a version.
    synchronized List<Change<T>> replace(Collection<T> all, long version) {
        var changes = new ArrayList<Change<T>>();
        var next = new LinkedHashMap<String, T>();
        all.forEach(each -> next.put(each.meta().key(), each));
        for (T known : List.copyOf(objects.values())) {
            boolean newer = known.meta().version() > version;
            if (!newer && !next.containsKey(known.meta().key())) {
                changes.add(remove(known));
            }
        }
        for (T each : next.values()) {
            putIfNewer(each).ifPresent(changes::add);
        }
        position = Math.max(position, version);
        return changes;
    }

    @GuardedBy("this") private Optional<Change<T>> putIfNewer(T object) {
        String key = object.meta().key();
        T before = objects.get(key);
        if (before != null && before.meta().version() >= object.meta().version()) {
            return Optional.empty();
        }
        objects.put(key, object);
        Set<String> old = before == null ? Set.of() : Set.copyOf(indexer.apply(before));
        Set<String> now = Set.copyOf(indexer.apply(object));
        for (String word : old) {
            if (!now.contains(word)) {
                unindex(word, key);
            }
        }
        for (String word : now) {
            indexes.computeIfAbsent(word, _ -> new LinkedHashMap<>()).put(key, object);
        }
        return Optional.of(new Change<>(before, object));
    }

    @GuardedBy("this") private Change<T> remove(T known) {
        String key = known.meta().key();
        T before = Objects.requireNonNull(objects.remove(key));
        for (String word : indexer.apply(before)) {
            unindex(word, key);
        }
        return new Change<>(before, null);
    }

    @GuardedBy("this") private void unindex(String index, String key) {
        indexes.computeIfPresent(
                index,
                (_, keys) -> {
                    keys.remove(key);
                    return keys.isEmpty() ? null : keys;
                });
    }
}
