package io.berth.config;

import io.berth.api.plugin.EnabledPlugin;
import java.util.List;

/// What a profile says about one extension point.
///
/// @param disabled names; `*` is all of them
public record PluginSet(List<EnabledPlugin> enabled, List<String> disabled) {
    public static final PluginSet EMPTY = new PluginSet(List.of(), List.of());

    public PluginSet {
        enabled = List.copyOf(enabled);
        disabled = List.copyOf(disabled);
    }

    public static PluginSet of(EnabledPlugin... enabled) {
        return new PluginSet(List.of(enabled), List.of());
    }

    public boolean isEmpty() {
        return enabled.isEmpty() && disabled.isEmpty();
    }
}
