package io.berth.up.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// A browser without a window, which is told what to do over the DevTools protocol.
public final class Chromium implements AutoCloseable {
    private static final List<String> NAMES =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final Pattern LISTENING = Pattern.compile("ws://127\\.0\\.0\\.1:(\\d+)/");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final Path profile;
    private final int port;
    private final HttpClient http = HttpClient.newHttpClient();

    private Chromium(Process process, Path profile, int port) {
        this.process = process;
        this.profile = profile;
        this.port = port;
    }

    /// Where one is installed on this machine.
    public static Optional<Path> find() {
        var named = System.getenv("BERTH_CHROMIUM");
        if (named != null && !named.isEmpty()) {
            return Optional.of(Path.of(named));
        }
        var path = System.getenv().getOrDefault("PATH", "");
        return NAMES.stream()
                .flatMap(name ->
                        Arrays.stream(path.split(":", -1)).map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Leaves a test out where none is installed.
    static Chromium startIfThere() {
        var program = find();
        assumeTrue(
                program.isPresent(),
                "No Chromium here, so the page is not tried in a browser; install the package chromium.");
        return start(program.orElseThrow());
    }

    public static Chromium start(Path program) {
        try {
            var profile = Files.createTempDirectory("berth-chromium");
            var process =
                    new ProcessBuilder(
                                    program.toString(),
                                    "--headless=new",
                                    "--no-sandbox",
                                    "--disable-gpu",
                                    "--disable-dev-shm-usage",
                                    "--disable-extensions",
                                    "--disable-background-networking",
                                    "--no-first-run",
                                    "--hide-scrollbars",
                                    "--enable-precise-memory-info",
                                    "--remote-debugging-port=0",
                                    "--user-data-dir=" + profile,
                                    "about:blank")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return new Chromium(process, profile, port(process));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// Reads what it says until it has said where it listens, and the rest for as long as it lives.
    private static int port(Process process) {
        var port = new CompletableFuture<Integer>();
        Thread.ofVirtual()
                .name("chromium-says")
                .start(() -> {
                    try (var said =
                            new BufferedReader(
                                    new InputStreamReader(
                                            process.getErrorStream(), StandardCharsets.UTF_8))) {
                        for (var line = said.readLine(); line != null; line = said.readLine()) {
                            var found = LISTENING.matcher(line);
                            if (found.find()) {
                                port.complete(Integer.parseInt(found.group(1)));
                            }
                        }
                        port.completeExceptionally(new IOException("the browser ended"));
                    } catch (IOException broken) {
                        port.completeExceptionally(broken);
                    }
                });
        try {
            return port.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
        } catch (RuntimeException failed) {
            process.destroyForcibly();
            throw failed;
        }
    }

    /// A new page, empty.
    public Tab open() {
        try {
            var reply =
                    http.send(
                            HttpRequest.newBuilder(
                                            URI.create(
                                                    "http://127.0.0.1:%d/json/new?about:blank"
                                                            .formatted(port)))
                                    .PUT(HttpRequest.BodyPublishers.noBody())
                                    .build(),
                            BodyHandlers.ofString());
            JsonNode target = JSON.readTree(reply.body());
            return new Tab(http, URI.create(target.path("webSocketDebuggerUrl").asText()));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stop);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the browser does not end");
            }
            try (var files = Files.walk(profile)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
            }
        } catch (IOException someLeft) {
            // In a folder for temporary files.
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
