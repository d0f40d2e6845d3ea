package io.berth.engine.framework;

import io.berth.api.plugin.PluginFactory;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The plugins that profiles can name.
public final class Registry {
    private final Map<String, PluginFactory> factories = new LinkedHashMap<>();

    public static Registry of(Collection<? extends PluginFactory> factories) {
        var registry = new Registry();
        factories.forEach(registry::register);
        return registry;
    }

    /// @throws SettingsException where the name is taken
    public void register(PluginFactory factory) {
        if (factories.putIfAbsent(factory.name(), factory) != null) {
            throw new SettingsException("a plugin named " + factory.name() + " already exists");
        }
    }

    /// @throws SettingsException where there is none of that name
    public void unregister(String name) {
        if (factories.remove(name) == null) {
            throw new SettingsException("no plugin named " + name + " exists");
        }
    }

    public void merge(Registry other) {
        other.factories.values().forEach(this::register);
    }

    public @Nullable PluginFactory find(String name) {
        return factories.get(name);
    }
}
