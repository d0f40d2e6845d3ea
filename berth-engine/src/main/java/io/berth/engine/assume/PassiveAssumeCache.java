package io.berth.engine.assume;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Objects as last seen, some of them changed in thought until they are seen again (rule E-37).
///
/// It keeps the changes alone and reads the rest from the store. A change counts as long as the
/// store holds the version that it was made from: equality decides, not order, so it suits changes
/// that have yet to be sent to the API server. Nobody hears of them.
///
/// From any thread, if the store can be read from any; one lock guards the changes.
public final class PassiveAssumeCache<T> {
    /// Where objects are kept as last seen.
    ///
    /// @param byKey null where there is none
    /// @param byIndex those that have something in common, such as a storage class. A change in
    ///   thought does not move an object from one such set to another.
    public record Store<T>(
            Function<String, @Nullable T> byKey, Function<String, Collection<T>> byIndex) {}

    private final String resource;
    private final Identity<T> identity;
    private final Store<T> store;
    private final Map<String, T> assumed = new HashMap<>();

    /// @param resource its plural name, for messages, such as `persistentvolumes`
    public PassiveAssumeCache(String resource, Identity<T> identity, Store<T> store) {
        this.resource = resource;
        this.identity = identity;
        this.store = store;
    }

    /// The object with the change in thought, if there is one; null where it is not known.
    public synchronized @Nullable T find(String key) {
        var seen = store.byKey.apply(key);
        return seen == null ? null : overlaid(key, seen);
    }

    /// The object as it was last seen; null where it was not.
    public @Nullable T findSeen(String key) {
        return store.byKey.apply(key);
    }

    /// The objects that the store has under an index value, with the changes in thought.
    public synchronized List<T> in(String indexValue) {
        var result = new ArrayList<T>();
        for (var seen : store.byIndex.apply(indexValue)) {
            result.add(overlaid(identity.keyOf(seen), seen));
        }
        return result;
    }

    private T overlaid(String key, T seen) {
        var changed = assumed.get(key);
        return changed != null && isSameVersion(changed, seen) ? changed : seen;
    }

    /// Counts with a changed object.
    ///
    /// @throws AssumeException where the object is unknown, or known in another version
    public synchronized void assume(T object) {
        var key = identity.keyOf(object);
        var seen = store.byKey.apply(key);
        if (seen == null) {
            throw new AssumeException(resource + " \"" + key + "\" not found");
        }
        if (!isSameVersion(seen, object)) {
            throw new AssumeException(
                    "\"%s\" is out of sync (stored: %s, assume: %s)"
                            .formatted(key, identity.versionOf(seen), identity.versionOf(object)));
        }
        assumed.put(key, object);
    }

    /// Takes a change back, unless it has been overtaken by one of another version.
    public synchronized void restore(T object) {
        assumed.computeIfPresent(
                identity.keyOf(object),
                (key, changed) -> isSameVersion(changed, object) ? null : changed);
    }

    /// To be called after the store was told of an object that came, changed or went: a change of
    /// another version is over. Without this it would not count either, but stay in memory.
    public synchronized void storeChanged(String key) {
        var seen = store.byKey.apply(key);
        assumed.computeIfPresent(
                key, (_, changed) -> seen != null && isSameVersion(changed, seen) ? changed : null);
    }

    /// How many changes are kept.
    public synchronized int assumedCount() {
        return assumed.size();
    }

    private boolean isSameVersion(T one, T other) {
        return identity.versionOf(one).equals(identity.versionOf(other));
    }
}
