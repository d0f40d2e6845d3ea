package io.berth.bench.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Where something is measured: the machine, and which commit of the repository.
record Surroundings(String machine, String commit) {
    private static final long GIT_SECONDS = 30;

    static Surroundings of(Path root) throws IOException, InterruptedException {
        return new Surroundings(machineHere(), commitOf(root));
    }

    /// How busy the machine is just now, as it says itself.
    static double load() {
        return Math.max(0, ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    private static String machineHere() throws IOException {
        return String.format(
                Locale.ROOT,
                "%d processors (%s%s), %s of memory, Java %s of %s",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.arch"),
                after(Path.of("/proc/cpuinfo"), "model name").map(", "),
                memory(),
                System.getProperty("java.version"),
                System.getProperty("java.vendor"));
    }

    private static String memory() throws IOException {
        var kib = after(Path.of("/proc/meminfo"), "MemTotal").text.replace(" kB", "");
        return kib.isEmpty()
                ? "an unknown amount"
                : Math.round(Long.parseLong(kib) / 1024.0 / 1024.0) + " GiB";
    }

    /// A value of a file of the kernel's; empty where there is none.
    private record Value(String text) {
        String map(String before) {
            return text.isEmpty() ? "" : before + text;
        }
    }

    private static Value after(Path file, String name) throws IOException {
        if (!Files.isReadable(file)) {
            return new Value("");
        }
        for (var line : Files.readString(file).split("\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equals(name)) {
                return new Value(line.substring(colon + 1).strip());
            }
        }
        return new Value("");
    }

    /// Short, and with a word about what is not committed. The document itself does not count.
    private static String commitOf(Path root) throws IOException, InterruptedException {
        String commit = git(root, "rev-parse", "--short", "HEAD");
        boolean isChanged =
                !git(root, "status", "--porcelain", "--", ".", ":!docs/benchmarks.md").isEmpty();
        return commit.isEmpty() ? "unknown" : isChanged ? commit + " with changes" : commit;
    }

    private static String git(Path root, String... words) throws IOException, InterruptedException {
        var command = new ProcessBuilder("git");
        command.command().addAll(List.of(words));
        var process =
                command.directory(root.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean ended = process.waitFor(GIT_SECONDS, TimeUnit.SECONDS);
            return ended && process.exitValue() == 0 ? said.strip() : "";
        } finally {
            process.destroyForcibly();
        }
    }
}
