package io.berth.serving.auth;

import io.berth.api.handle.Log;
import io.berth.config.text.FileProblems;
import io.berth.config.text.SmallFiles;
import io.berth.kube.connection.ConfigException;
import io.berth.kube.connection.Pem;
import io.berth.serving.tls.FileChanges;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;

/// Authorities from a file, reread when it changes; a file that has become unreadable changes
/// nothing.
final class FileAuthorities implements Authorities, AutoCloseable {
    private final Path file;
    private final Log log;
    private final FileChanges changes;
    private volatile List<X509Certificate> certificates;

    /// @throws ConfigException if the file cannot be used
    FileAuthorities(Path file, Log log) {
        this.file = file;
        this.log = log;
        this.certificates = read(file);
        this.changes = FileChanges.watch(List.of(file), this::reload, log);
    }

    @Override
    public List<X509Certificate> current() {
        return certificates;
    }

    private void reload() {
        try {
            certificates = read(file);
        } catch (ConfigException broken) {
            log.error(
                    broken, "Reloading authorities failed, the old ones stay in use", "file", file);
        }
    }

    private static List<X509Certificate> read(Path file) {
        try {
            return List.copyOf(Pem.certificates(SmallFiles.read(file), file.toString()));
        } catch (IOException unreadable) {
            throw new ConfigException(
                    FileProblems.text("error reading", file, unreadable), unreadable);
        }
    }

    @Override
    public void close() {
        changes.close();
    }
}
