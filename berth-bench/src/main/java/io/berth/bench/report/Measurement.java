package io.berth.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/// Runs the commands of parts, one after the other, and keeps what they print. Their words about
/// what they are doing go to standard error as they come.
final class Measurement {
    /// A part takes minutes, the longest ones an hour or two; whoever takes longer hangs.
    static final Duration LIMIT = Duration.ofHours(4);

    private final Path root;
    private final Path folder;
    private final Surroundings surroundings;
    private final Duration limit;

    /// @param root the repository's folder
    /// @param folder where results are kept
    Measurement(Path root, Path folder, Surroundings surroundings, Duration limit) {
        this.root = root;
        this.folder = folder;
        this.surroundings = surroundings;
        this.limit = limit;
    }

    /// @throws IllegalStateException where the command failed; then nothing is kept
    void run(String part, String command) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        var output = folder.resolve(part + ".out");
        double load = Surroundings.load();
        long begun = System.nanoTime();
        var process =
                new ProcessBuilder("bash", "-c", command)
                        .directory(root.toFile())
                        .redirectOutput(output.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try {
            if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException(
                        "%s did not end within %d s: %s"
                                .formatted(part, limit.toSeconds(), command));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException(
                    "%s failed with status %d: %s".formatted(part, process.exitValue(), command));
        }
        new Result(
                        part,
                        command,
                        LocalDate.now(ZoneOffset.UTC).toString(),
                        surroundings.commit(),
                        surroundings.machine(),
                        load,
                        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun),
                        Files.readString(output))
                .keep(folder);
    }
}
