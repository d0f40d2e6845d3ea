package io.berth.api.handle;

import io.berth.api.model.ClusterObject;
import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The objects of one kind, as last seen. For the engine thread; collections are live views.
public interface Lister<T extends ClusterObject> {
    /// Null where there is none.
    @Nullable T get(String namespace, String name);

    /// An object of a kind that has no namespaces; null where there is none.
    default @Nullable T get(String name) {
        return get("", name);
    }

    /// The objects of a namespace, in no meaningful order, but the same for the same history.
    Collection<T> in(String namespace);

    /// All of them, likewise.
    Collection<T> all();

    /// Changes whenever one of them does, so that what is derived from them can be kept.
    long version();

    /// Begins to keep the objects by something that they say, such as their storage class. Made
    /// once, when a plugin is made: it costs a little with every change from then on.
    ///
    /// @param value what the objects are found by; null for those that are not to be found
    Index<T> index(Function<? super T, @Nullable String> value);

    /// Objects of a kind by something that they say.
    interface Index<T> {
        /// Those that say this, in the order in which they came to say it.
        Collection<T> of(String value);
    }
}
