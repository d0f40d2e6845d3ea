package io.berth.e2e;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// kubectl on the command line, as a user of a cluster runs it.
public final class Kubectl {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final Path binary;
    private final Path kubeconfig;
    private final Path folder;

    /// Runs `binary` with the given kubeconfig; its caches and outputs go to `folder`.
    public Kubectl(Path binary, Path kubeconfig, Path folder) {
        this.binary = binary;
        this.kubeconfig = kubeconfig;
        this.folder = folder;
    }

    /// The kubectl that comes with this machine, which is usually of another version.
    public static Optional<Path> onPath() {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, "kubectl"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// What a call left behind.
    public record Result(int status, String output, String errors) {
        /// The output of a call that must have worked.
        public String ok() {
            if (status != 0) {
                throw new IllegalStateException("kubectl ended with " + status + ": " + errors);
            }
            return output;
        }
    }

    /// Runs kubectl without input.
    public Result run(String... arguments) {
        return runWithInput("", arguments);
    }

    /// Runs kubectl with `input` on standard input, for example a manifest for `apply -f -`.
    public Result runWithInput(String input, String... arguments) {
        var command = new ArrayList<String>();
        command.add(binary.toString());
        command.add("--kubeconfig=" + kubeconfig);
        command.add("--cache-dir=" + folder.resolve("kubectl-cache"));
        command.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile(folder, "kubectl", ".out");
            Path errors = Files.createTempFile(folder, "kubectl", ".err");
            try {
                return run(command, input, output, errors);
            } finally {
                Files.delete(output);
                Files.delete(errors);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(String.join(" ", command), e);
        }
    }

    private static Result run(List<String> command, String input, Path output, Path errors)
            throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(errors.toFile())
                        .start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "%s hangs for %d s: %s"
                                .formatted(
                                        String.join(" ", command),
                                        LIMIT.toSeconds(),
                                        Files.readString(errors)));
            }
            return new Result(
                    process.exitValue(), Files.readString(output), Files.readString(errors));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while kubectl runs", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
