package io.berth.api.plugin;

/// Makes a plugin for a profile. Found with `ServiceLoader`, in the application or in the jars of
/// the plugin folder.
public interface PluginFactory {
    /// The name under which profiles enable the plugin.
    String name();

    /// @throws IllegalArgumentException where the arguments make no sense; the message names the
    ///   field
    Plugin create(Arguments arguments, Handle handle);
}
