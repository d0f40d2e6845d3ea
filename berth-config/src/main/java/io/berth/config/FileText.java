package io.berth.config;

import io.berth.config.text.ConfigurationException;
import io.berth.config.text.SmallFiles;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Reads small files, with the operating system's words where that fails (rule P-71).
final class FileText {
    private FileText() {}

    /// @throws ConfigurationException where the file cannot be read
    static byte[] read(Path file) throws ConfigurationException {
        try {
            return SmallFiles.read(file);
        } catch (NoSuchFileException missing) {
            throw new ConfigurationException("open " + file + ": no such file or directory");
        } catch (AccessDeniedException denied) {
            throw new ConfigurationException("open " + file + ": permission denied");
        } catch (IOException broken) {
            throw new ConfigurationException("read " + file + ": " + broken.getMessage());
        }
    }
}
