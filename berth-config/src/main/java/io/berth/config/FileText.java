package io.berth.config;

import io.berth.config.text.Documents;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Reads small files, with the operating system's words where that fails (rule P-71).
final class FileText {
    private FileText() {}

    /// @throws ConfigurationException where the file cannot be read
    static byte[] read(Path file) throws ConfigurationException {
        if (Files.isDirectory(file)) {
            throw new ConfigurationException("read " + file + ": is a directory");
        }
        try (var in = Files.newInputStream(file)) {
            // One byte more than allowed is enough to be told that the file is too large.
            return in.readNBytes(Documents.MOST_BYTES + 1);
        } catch (NoSuchFileException missing) {
            throw new ConfigurationException("open " + file + ": no such file or directory");
        } catch (AccessDeniedException denied) {
            throw new ConfigurationException("open " + file + ": permission denied");
        } catch (IOException broken) {
            throw new ConfigurationException("read " + file + ": " + broken.getMessage());
        }
    }
}
