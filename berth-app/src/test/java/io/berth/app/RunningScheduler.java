package io.berth.app;

import static org.awaitility.Awaitility.await;

import io.berth.app.log.ProcessLog;
import io.berth.serving.http.TestClient;
import io.berth.testkit.HeldPort;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/// A scheduler inside this process, from its command line to its exit code, with a port and a log
/// of its own.
final class RunningScheduler implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final StopSignal stop = new StopSignal(() -> {});
    private final HeldPort port;
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

    private RunningScheduler(HeldPort port, List<String> words) {
        this.port = port;
        var nowhere =
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        var command = new CommandLine(nowhere, nowhere, new ProcessLog(lines::add), () -> stop);
        Thread.ofPlatform().name("scheduler").start(() -> exitCode.complete(command.run(words)));
    }

    static RunningScheduler start(Path kubeconfig, String... flags) throws IOException {
        var port = new HeldPort();
        var words =
                new ArrayList<>(
                        List.of("--kubeconfig=" + kubeconfig, "--secure-port=" + port.number()));
        words.addAll(Arrays.asList(flags));
        return new RunningScheduler(port, words);
    }

    TestClient pages() {
        return TestClient.secure(port.number());
    }

    int port() {
        return port.number();
    }

    List<String> log() {
        return lines;
    }

    /// The number of the first line with that text, or -1.
    int lineOf(String text) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(text)) {
                return i;
            }
        }
        return -1;
    }

    void awaitLine(String text) {
        await().atMost(PATIENCE)
                .failFast("it ended by itself", exitCode::isDone)
                .until(() -> lineOf(text) >= 0);
    }

    /// Asks it to stop and waits for its end.
    int stop() {
        stop.ask();
        return exitCode.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Override
    public void close() throws IOException {
        stop();
        port.close();
    }
}
