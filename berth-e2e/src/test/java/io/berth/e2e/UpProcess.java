package io.berth.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// `berth up` of the packaged tree, on any free port, with a folder of its own for what it leaves.
final class UpProcess implements AutoCloseable {
    static final Duration LIMIT = Duration.ofMinutes(2);

    private final Path folder;
    private final Path temporary;
    private final ChildProcess process;

    UpProcess(Path parent, String... words) throws IOException {
        folder = Files.createTempDirectory(parent, "up-");
        temporary = Files.createDirectory(folder.resolve("tmp"));
        var command =
                new ArrayList<>(
                        List.of(
                                "env",
                                "BERTH_JAVA_OPTS=-Djava.io.tmpdir=" + temporary,
                                launcher(),
                                "up",
                                "--port",
                                "0"));
        command.addAll(List.of(words));
        process = new ChildProcess("berth up", command, folder.resolve("up.log")).start();
    }

    static String launcher() {
        return SchedulerProgram.berth().orElseThrow().file().toString();
    }

    ChildProcess process() {
        return process;
    }

    /// The first thing that it prints.
    String link() {
        return after("See it at ");
    }

    Path kubeconfig() {
        return Path.of(after("export KUBECONFIG="));
    }

    private String after(String word) {
        var line = process.awaitLine(word, LIMIT);
        return line.substring(line.indexOf(word) + word.length()).strip();
    }

    Kubectl kubectl(Path binary) {
        return new Kubectl(binary, kubeconfig(), folder);
    }

    /// Ends it as Ctrl-C does, and returns its exit code.
    int interrupt() {
        process.signal("INT");
        return process.awaitEnd(LIMIT);
    }

    List<Path> leftovers() throws IOException {
        try (var files = Files.list(temporary)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("hsperf"))
                    .toList();
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
