package io.berth.config;

import io.berth.config.gate.FeatureGates;
import io.berth.config.schema.ArgumentTypes;
import io.berth.config.schema.ConfigurationTypes;
import io.berth.config.text.ConfigurationException;
import io.berth.config.text.Documents;
import io.berth.config.text.Documents.Document;
import io.berth.config.text.TextException;
import io.berth.config.text.Value.Fields;
import io.berth.plugins.InTree;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Reads configuration files of all versions.
public final class ConfigurationReader {
    private final FeatureGates gates;
    private final boolean acceptOlder;

    /// Reads v1, and the versions before it with a warning (rule P-76).
    public ConfigurationReader(FeatureGates gates) {
        this(gates, true);
    }

    private ConfigurationReader(FeatureGates gates, boolean acceptOlder) {
        this.gates = gates;
        this.acceptOlder = acceptOlder;
    }

    /// Reads v1 alone, as kube-scheduler 1.36 does.
    public static ConfigurationReader v1Only(FeatureGates gates) {
        return new ConfigurationReader(gates, false);
    }

    /// A configuration that was read, not yet checked: flags may still change it.
    ///
    /// @param warnings for the log, such as that the file's version is out of date
    /// @param overridden default plugins that a profile configures anew, for the log line `Default
    ///   plugin is explicitly re-configured; overriding`
    public record Loaded(
            SchedulerConfiguration configuration, List<String> warnings, List<String> overridden) {
        public Loaded {
            warnings = List.copyOf(warnings);
            overridden = List.copyOf(overridden);
        }
    }

    /// @throws ConfigurationException where the file cannot be read or understood
    public Loaded read(Path file) throws ConfigurationException {
        return read(FileText.read(file));
    }

    /// @throws ConfigurationException where the text cannot be understood
    public Loaded read(byte[] text) throws ConfigurationException {
        Document document;
        try {
            document = Documents.read(text);
        } catch (TextException malformed) {
            throw new ConfigurationException(malformed.sentence());
        }
        var header = Header.of(document.value(), text);
        var decoding = new Decoding(document, header.version());
        var older = OlderVersion.of(header.version());
        if (acceptOlder && header.kind().equals(SchedulerConfiguration.KIND) && older != null) {
            var converted = OlderFile.convert(decoding, older, gates);
            return loaded(converted.file(), header.version(), converted.warnings());
        }
        requireV1(header);
        decoding.require(ConfigurationTypes.V1, ArgumentTypes.v1());
        return loaded(decoding.root(), header.version(), List.of());
    }

    private static void requireV1(Header header) throws ConfigurationException {
        if (header.version().equals(SchedulerConfiguration.V1)) {
            if (header.kind().equals(SchedulerConfiguration.KIND)) {
                return;
            }
            if (Decoding.isArgumentsKind(header.kind())) {
                throw new ConfigurationException(
                        "couldn't decode as KubeSchedulerConfiguration, got %s, Kind=%s: "
                                .formatted(header.version(), header.kind()));
            }
        }
        throw new ConfigurationException(Header.unregistered(header.kind(), header.version()));
    }

    private Loaded loaded(Fields v1, String version, List<String> warnings) {
        return new Loaded(
                SchedulerConfiguration.of(v1, version, gates),
                warnings,
                v1.objects("profiles").stream().flatMap(this::overridden).toList());
    }

    private Stream<String> overridden(Fields profile) {
        var standard = new PluginSet(InTree.defaults(gates::isOn), List.of());
        var given =
                ProfileCompletion.plugins(profile.fields("plugins"))
                        .getOrDefault(ProfileConfiguration.MULTI_POINT, PluginSet.EMPTY);
        return PluginMerge.overridden(standard, given).stream();
    }
}
