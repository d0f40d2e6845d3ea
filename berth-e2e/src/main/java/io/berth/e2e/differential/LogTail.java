package io.berth.e2e.differential;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Reads what is added to a log file, whole lines only.
final class LogTail {
    private final Path file;
    private long position;

    LogTail(Path file) {
        this.file = file;
    }

    /// The lines that came since the last call.
    List<String> newLines() {
        try {
            if (!Files.exists(file) || Files.size(file) == position) {
                return List.of();
            }
            try (var input = new RandomAccessFile(file.toFile(), "r")) {
                input.seek(position);
                var bytes = new byte[(int) Math.min(input.length() - position, 1 << 24)];
                input.readFully(bytes);
                int end = bytes.length;
                while (end > 0 && bytes[end - 1] != '\n') {
                    end--;
                }
                position += end;
                return new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the log " + file, e);
        }
    }
}
