package io.berth.up;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The kubeconfig of the running cluster, in a directory that only its user can read.
///
/// The path depends on user and port alone, so that a shell that has it in `KUBECONFIG` can go on
/// after a restart, and so that leftovers of a killed process are overwritten. Where that directory
/// belongs to somebody else, a new one is made.
final class KubeconfigFile implements AutoCloseable {
    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private static final Set<KubeconfigFile> OPEN = ConcurrentHashMap.newKeySet();

    private final Path file;

    private KubeconfigFile(Path file) {
        this.file = file;
    }

    static KubeconfigFile write(String text, int port) {
        return write(text, Path.of(System.getProperty("java.io.tmpdir")), port);
    }

    static KubeconfigFile write(String text, Path parent, int port) {
        try {
            Path directory = directory(parent, port);
            Path file = directory.resolve("kubeconfig");
            Path draft = directory.resolve("kubeconfig.new");
            Files.deleteIfExists(draft);
            Files.createFile(draft, PRIVATE_FILE);
            Files.writeString(draft, text);
            // Whole or not at all: somebody may be reading what an earlier process left.
            Files.move(
                    draft,
                    file,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            var kubeconfig = new KubeconfigFile(file);
            OPEN.add(kubeconfig);
            return kubeconfig;
        } catch (IOException problem) {
            throw new UncheckedIOException(
                    "The kubeconfig cannot be written to " + parent + ": " + problem.getMessage(),
                    problem);
        }
    }

    /// Removes all that are left, before a process ends that has no time to end well.
    static void closeAll() {
        OPEN.forEach(KubeconfigFile::close);
    }

    Path path() {
        return file;
    }

    private static Path directory(Path parent, int port) throws IOException {
        String user = System.getProperty("user.name", "user").replaceAll("[^A-Za-z0-9._-]", "_");
        String name = "berth-" + user + "-" + port;
        try {
            return Files.createDirectory(parent.resolve(name), PRIVATE);
        } catch (FileAlreadyExistsException there) {
            Path directory = parent.resolve(name);
            return isOurs(directory) ? directory : Files.createTempDirectory(parent, name, PRIVATE);
        }
    }

    /// A directory that somebody else could write to might lead our secrets elsewhere.
    private static boolean isOurs(Path directory) throws IOException {
        Path probe = Files.createTempFile("berth", ".owner");
        try {
            return Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS)
                            .equals(Files.getOwner(probe))
                    && Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS)
                            .equals(PRIVATE.value());
        } finally {
            Files.delete(probe);
        }
    }

    @Override
    public void close() {
        if (!OPEN.remove(this)) {
            // By now the file may be that of the next process.
            return;
        }
        try {
            Files.deleteIfExists(file);
            Files.deleteIfExists(file.getParent());
        } catch (IOException inUse) {
            // Something else was put there; it is not ours to remove.
        }
    }
}
