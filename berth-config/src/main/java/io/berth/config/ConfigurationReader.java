package io.berth.config;

import io.berth.config.schema.ArgumentTypes;
import io.berth.config.schema.V1;
import io.berth.config.text.Documents;
import io.berth.config.text.Documents.Document;
import io.berth.config.text.TextException;
import io.berth.config.text.Value.Fields;
import java.nio.file.Path;
import java.util.List;

/// Reads configuration files of all versions.
public final class ConfigurationReader {
    private final FeatureGates gates;

    public ConfigurationReader(FeatureGates gates) {
        this.gates = gates;
    }

    /// A configuration that was read, not yet checked: flags may still change it.
    ///
    /// @param warnings for the log, such as that the file's version is out of date
    public record Loaded(SchedulerConfiguration configuration, List<String> warnings) {
        public Loaded {
            warnings = List.copyOf(warnings);
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
            throw new ConfigurationException(malformed.getMessage());
        }
        var header = Header.of(document.value(), text);
        requireKind(header);
        var decoding = new Decoding(document, header.version());
        decoding.require(V1.CONFIGURATION, ArgumentTypes.v1());
        return loaded(decoding.root(), header.version(), List.of());
    }

    private static void requireKind(Header header) throws ConfigurationException {
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
        return new Loaded(new Completion(gates).complete(v1, version), warnings);
    }
}
