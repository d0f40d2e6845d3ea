package io.berth.app.complete;

import io.berth.app.flag.Flag;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a shell may offer after a flag.
enum Value {
    /// The flag needs no value.
    NONE,
    /// One of a few words.
    CHOICE,
    /// Something that no shell can guess.
    UNKNOWN,
    CONFIGURATION,
    FILE,
    FOLDER;

    /// What the files of a configuration end with.
    static final List<String> ENDINGS = List.of("yaml", "yml", "json");

    private static final Map<String, List<String>> CHOICES =
            Map.of(
                    "algorithm-provider", List.of("DefaultProvider", "ClusterAutoscalerProvider"),
                    "leader-elect-resource-lock", List.of("leases"),
                    "logging-format", List.of("text", "json"),
                    "tls-min-version",
                            List.of(
                                    "VersionTLS10",
                                    "VersionTLS11",
                                    "VersionTLS12",
                                    "VersionTLS13"));

    private static final Set<String> FOLDERS = Set.of("cert-dir", "plugin-dir");

    static Value of(Flag flag) {
        String name = flag.name();
        if (flag.type().valueIsOptional()) {
            return NONE;
        }
        if (CHOICES.containsKey(name)) {
            return CHOICE;
        }
        if (name.equals("config")) {
            return CONFIGURATION;
        }
        if (FOLDERS.contains(name)) {
            return FOLDER;
        }
        boolean file =
                name.endsWith("-file")
                        || name.endsWith("kubeconfig")
                        || name.endsWith("-manifest")
                        || name.equals("write-config-to");
        return file ? FILE : UNKNOWN;
    }

    /// What may follow a flag of that kind.
    static List<String> choices(Flag flag) {
        return CHOICES.getOrDefault(flag.name(), List.of());
    }

    /// The first line of what is said about a flag.
    static String about(Flag flag) {
        return flag.help().lines().findFirst().orElse("");
    }
}
