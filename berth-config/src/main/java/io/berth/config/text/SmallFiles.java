package io.berth.config.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Reads the files that an operator names: configurations, kubeconfigs, tokens, certificates. All
/// of them are small and at hand; one that is neither must not fill the memory or hold up the
/// process. Dumps of a cluster are read as a stream.
public final class SmallFiles {
    /// No such file comes near this size.
    public static final int MOST_BYTES = 4 << 20;

    /// For a pipe that nobody writes to, or a volume that is away.
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private SmallFiles() {}

    /// @throws IOException where the file cannot be read, is too large or takes too long
    public static byte[] read(Path file) throws IOException {
        return read(file, LONGEST);
    }

    static byte[] read(Path file, Duration longest) throws IOException {
        var reading = new FutureTask<>(() -> readNow(file));
        // A read cannot be broken off, so its thread may outlive it and must not keep the process.
        Thread.ofPlatform().daemon().name("read-" + file.getFileName()).start(reading);
        try {
            return reading.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException tooLong) {
            throw new IOException("not read within " + longest.toSeconds() + " seconds", tooLong);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IOException unreadable) {
                throw unreadable;
            }
            throw new IllegalStateException("reading " + file + " failed", failed);
        }
    }

    /// Opens a file that may be too large to be held as a whole, for whoever reads it piece by
    /// piece.
    ///
    /// @throws IOException where it cannot be read or is too large
    public static InputStream open(Path file, long mostBytes) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is no file");
        }
        long size = Files.size(file);
        if (size > mostBytes) {
            throw new IOException(
                    "%s has %,d bytes; at most %,d are read".formatted(file, size, mostBytes));
        }
        try {
            return Files.newInputStream(file);
        } catch (AccessDeniedException denied) {
            throw new IOException("open " + file + ": permission denied", denied);
        }
    }

    private static byte[] readNow(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("is a directory");
        }
        try (var in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(MOST_BYTES + 1);
            if (content.length > MOST_BYTES) {
                throw new IOException("larger than " + MOST_BYTES + " bytes");
            }
            return content;
        }
    }
}
