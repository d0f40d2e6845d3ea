package io.berth.config;

import io.berth.config.schema.ArgumentTypes;
import io.berth.config.schema.Canonical;
import io.berth.config.text.FieldsBuilder;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;

/// The arguments that a profile has for one plugin.
///
/// @param args an object of a known kind for a plugin that has one, whatever the file says for
///   others, [Value.Nothing] where it says nothing
public record PluginArguments(String name, Value args) {
    Fields fields() {
        var type = ArgumentTypes.v1().get(name);
        return new FieldsBuilder()
                .put("name", name)
                .put(
                        "args",
                        type != null && args instanceof Fields given
                                ? Canonical.of(given, type)
                                : args)
                .build();
    }
}
