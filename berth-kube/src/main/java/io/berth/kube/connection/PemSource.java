package io.berth.kube.connection;

import io.berth.config.text.SmallFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Where a certificate or key stands: in the configuration itself or in a file of its own, which
/// may be replaced while we run.
public sealed interface PemSource {
    /// The present content.
    byte[] read();

    /// How to name it in messages: file and field.
    String origin();

    /// Text given in place.
    record Inline(byte[] content, String origin) implements PemSource {
        @Override
        public byte[] read() {
            return content;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Inline that && Arrays.equals(content, that.content);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(content);
        }
    }

    /// Text in a file.
    record InFile(Path path, String origin) implements PemSource {
        @Override
        public byte[] read() {
            try {
                return SmallFiles.read(path);
            } catch (IOException unreadable) {
                throw new ConfigException(
                        "unable to read " + origin + " " + path + ": " + Errors.reason(unreadable),
                        unreadable);
            }
        }
    }
}
