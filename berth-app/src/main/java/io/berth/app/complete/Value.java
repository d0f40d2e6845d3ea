package io.berth.app.complete;

import io.berth.app.flag.Flag;
import java.util.List;
import java.util.Set;

/// What a shell may offer after a flag.
enum Value {
    /// The flag needs no value.
    NONE,
    /// Something that no shell can guess.
    UNKNOWN,
    CONFIGURATION,
    FILE,
    FOLDER;

    /// What the files of a configuration end with.
    static final List<String> ENDINGS = List.of("yaml", "yml", "json");

    private static final Set<String> FOLDERS = Set.of("cert-dir", "plugin-dir");

    static Value of(Flag flag) {
        String name = flag.name();
        if (flag.type().valueIsOptional()) {
            return NONE;
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
}
