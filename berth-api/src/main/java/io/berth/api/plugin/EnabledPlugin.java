package io.berth.api.plugin;

/// A plugin that a profile uses.
///
/// @param weight for scoring; 0 means unset
public record EnabledPlugin(String name, int weight) {
    public static EnabledPlugin of(String name) {
        return new EnabledPlugin(name, 0);
    }
}
