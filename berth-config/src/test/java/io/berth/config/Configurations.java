package io.berth.config;

import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.Value.Fields;
import java.nio.charset.StandardCharsets;

/// Configurations for tests.
final class Configurations {
    private static final String HEADER =
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            """;

    private Configurations() {}

    /// Reads and checks a v1 file without its two header lines.
    static SchedulerConfiguration read(String body) throws ConfigurationException {
        return readFile(HEADER + body);
    }

    static SchedulerConfiguration readFile(String file) throws ConfigurationException {
        return load(file, FeatureGates.DEFAULT).configuration();
    }

    static ConfigurationReader.Loaded load(String file, FeatureGates gates)
            throws ConfigurationException {
        var loaded = new ConfigurationReader(gates).read(file.getBytes(StandardCharsets.UTF_8));
        Validation.require(loaded.configuration(), gates);
        return loaded;
    }

    /// What a profile says to a plugin, nothing where it has no arguments for it.
    static Fields args(ProfileConfiguration profile, String plugin) {
        return profile.pluginConfig().stream()
                .filter(config -> config.name().equals(plugin))
                .map(config -> config.args() instanceof Fields fields ? fields : Fields.EMPTY)
                .findFirst()
                .orElse(Fields.EMPTY);
    }
}
