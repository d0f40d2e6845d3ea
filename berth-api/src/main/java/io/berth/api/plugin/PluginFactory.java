package io.berth.api.plugin;

import io.berth.api.handle.Handle;
import io.berth.api.model.Kind;
import java.util.Set;

/// Makes a plugin for a profile. The jars of the plugin folder name theirs as services of
/// `ServiceLoader`.
public interface PluginFactory {
    /// The name under which profiles enable the plugin.
    String name();

    /// @throws IllegalArgumentException where the arguments make no sense; the message names the
    ///   field
    Plugin create(Arguments arguments, Handle handle);

    /// The kinds of objects, beside pods and nodes, that the plugin looks at if it gets these
    /// arguments; they may be kinds of its own. What no plugin looks at is not watched. All that
    /// have a record of their own, unless the factory knows better.
    default Set<Kind> kinds(Arguments arguments) {
        return Set.of(Kind.values());
    }
}
