package io.berth.config;

import io.berth.config.text.Value;

/// The arguments that a profile has for one plugin.
///
/// @param args an object of a known kind for a plugin that has one, whatever the file says for
///   others, [Value.Nothing] where it says nothing
public record PluginArguments(String name, Value args) {}
