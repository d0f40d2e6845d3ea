package io.berth.tools.cluster;

import static io.berth.app.flag.FlagType.STRING;

import io.berth.app.flag.Flag;
import io.berth.config.CompletedProfiles;
import io.berth.config.ConfigurationReader;
import io.berth.config.ConfigurationWriter;
import io.berth.config.EngineSetup;
import io.berth.config.SchedulerConfiguration;
import io.berth.config.Validation;
import io.berth.config.gate.FeatureGates;
import io.berth.config.text.ConfigurationException;
import io.berth.lab.explain.ExplainException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// The configuration that pods are judged by.
///
/// @param hash short, of the configuration with all defaults filled in
public record Judgement(EngineSetup setup, String hash) {
    private static final int HASH_LENGTH = 8;

    /// The flag that names its file.
    public static Flag configurationFlag(String group) {
        return new Flag(
                group,
                "config",
                (char) 0,
                STRING,
                "",
                "Scheduler configuration to judge by; kube-scheduler's default where none is"
                        + " given.");
    }

    /// @throws ExplainException where the file cannot be used
    public static Judgement by(Optional<Path> file) {
        var gates = FeatureGates.DEFAULT;
        try {
            var configuration =
                    file.isPresent()
                            ? new ConfigurationReader(gates).read(file.get()).configuration()
                            : SchedulerConfiguration.defaults(gates);
            var problems = Validation.check(configuration, gates);
            if (!problems.isEmpty()) {
                throw new ExplainException(
                        "%s: %s".formatted(file.orElseThrow(), String.join("; ", problems)));
            }
            return new Judgement(
                    EngineSetup.of(configuration, gates, List.of(), EngineSetup.MAX_TIME_PARKED),
                    hash(configuration));
        } catch (ConfigurationException broken) {
            throw new ExplainException(
                    file.map(path -> path + ": ").orElse("") + String.join("; ", broken.problems()),
                    broken);
        }
    }

    private static String hash(SchedulerConfiguration configuration) throws ConfigurationException {
        var yaml = ConfigurationWriter.yaml(CompletedProfiles.in(configuration));
        try {
            var digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(yaml.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_LENGTH);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
