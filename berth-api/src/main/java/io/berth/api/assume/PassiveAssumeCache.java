package io.berth.api.assume;

import io.berth.api.handle.Lister;
import io.berth.api.model.ClusterObject;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Objects as last seen, some of them changed in thought until they are seen again (rule E-37).
///
/// It keeps the changes alone and reads the rest from the lister. A change counts as long as the
/// lister has the version that it was made from: equality decides, not order, so it suits changes
/// that have yet to be sent to the API server. Nobody hears of them.
///
/// Owned by the engine thread.
public final class PassiveAssumeCache<T extends ClusterObject> {
    private final String resource;
    private final Lister<T> lister;
    private final Function<T, String> version;
    private final Map<String, T> assumed = new HashMap<>();

    /// @param resource its plural name, for messages, such as `persistentvolumes`
    /// @param version the `resourceVersion`
    public PassiveAssumeCache(String resource, Lister<T> lister, Function<T, String> version) {
        this.resource = resource;
        this.lister = lister;
        this.version = version;
    }

    /// The object with the change in thought, if there is one; null where it is not known.
    public @Nullable T find(String namespace, String name) {
        var seen = lister.get(namespace, name);
        return seen == null ? null : overlaid(seen);
    }

    /// An object as last seen, with the change in thought, if there is one.
    public T overlaid(T seen) {
        if (assumed.isEmpty()) {
            return seen;
        }
        var changed = assumed.get(seen.key());
        return changed != null && isSameVersion(changed, seen) ? changed : seen;
    }

    /// Counts with a changed object.
    ///
    /// @throws AssumeException where the object is unknown, or known in another version
    public void assume(T object) {
        var seen = lister.get(object.namespace(), object.name());
        if (seen == null) {
            throw new AssumeException(resource + " \"" + object.key() + "\" not found");
        }
        if (!isSameVersion(seen, object)) {
            throw new AssumeException(
                    "\"%s\" is out of sync (stored: %s, assume: %s)"
                            .formatted(object.key(), version.apply(seen), version.apply(object)));
        }
        assumed.put(object.key(), object);
    }

    /// Takes a change back, unless it has been overtaken by one of another version.
    ///
    /// @param resourceVersion the version that it was made from
    public void restore(String key, String resourceVersion) {
        assumed.computeIfPresent(
                key,
                (_, changed) -> version.apply(changed).equals(resourceVersion) ? null : changed);
    }

    /// To be called after the lister was told of an object that came, changed or went: a change of
    /// another version is over. Without this it would not count either, but stay in memory.
    public void seen(T either) {
        var now = lister.get(either.namespace(), either.name());
        assumed.computeIfPresent(
                either.key(),
                (_, changed) -> now != null && isSameVersion(changed, now) ? changed : null);
    }

    /// The changed objects, in no meaningful order; one that was overtaken may be among them.
    public Collection<T> assumed() {
        return Collections.unmodifiableCollection(assumed.values());
    }

    /// How many changes are kept.
    public int assumedCount() {
        return assumed.size();
    }

    private boolean isSameVersion(T one, T other) {
        return version.apply(one).equals(version.apply(other));
    }
}
