package io.berth.kube.connection;

import io.berth.config.text.JsonWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Names of files that stand in other files.
public final class FilePaths {
    private FilePaths() {}

    /// @param origin where the name stands, for the error message
    /// @throws ConfigException where no file can have that name
    public static Path of(String name, String origin) {
        return of(Path.of(""), name, origin);
    }

    /// A relative name is relative to `base`.
    static Path of(Path base, String name, String origin) {
        try {
            return base.resolve(name);
        } catch (InvalidPathException impossible) {
            throw new ConfigException(
                    origin + ": open " + JsonWriter.quoted(name) + ": invalid argument",
                    impossible);
        }
    }
}
