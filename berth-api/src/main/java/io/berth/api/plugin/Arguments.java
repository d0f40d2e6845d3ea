package io.berth.api.plugin;

import java.util.Map;

/// A plugin's arguments as the configuration file has them: maps, lists, strings, numbers,
/// booleans.
public record Arguments(Map<String, Object> values) {
    public static final Arguments NONE = new Arguments(Map.of());

    public Arguments {
        values = Map.copyOf(values);
    }
}
