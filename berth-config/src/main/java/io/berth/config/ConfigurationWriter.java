package io.berth.config;

import io.berth.config.text.JsonWriter;
import io.berth.config.text.Value;
import io.berth.config.text.YamlWriter;

/// Writes a configuration in the form of v1, every default shown.
public final class ConfigurationWriter {
    private ConfigurationWriter() {}

    /// For `--write-config-to` and the log (rule P-61).
    public static String yaml(SchedulerConfiguration configuration) {
        return YamlWriter.write(configuration.fields());
    }

    /// The body of `/configz` (rule P-194).
    public static String configz(SchedulerConfiguration configuration) {
        return JsonWriter.write(Value.of("componentconfig", configuration.fields()));
    }
}
