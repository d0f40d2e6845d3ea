package io.berth.tools.page;

import io.berth.app.StopSignal;
import io.berth.app.command.Streams;
import io.berth.app.log.ProcessLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// `berth ui` inside this process, and a client of its page.
final class RunningUi implements AutoCloseable {
    private static final Pattern LINK =
            Pattern.compile("See it at (http://127\\.0\\.0\\.1:\\d+)/ui/#key=(\\w+)\n");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final StopSignal stop = new StopSignal();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CompletableFuture<Integer> code = new CompletableFuture<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private String address = "";
    private String key = "";

    private RunningUi(Map<String, String> environment, String... words) {
        var streams =
                new Streams(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        new ProcessLog(_ -> {}));
        Thread.ofPlatform()
                .name("ui")
                .start(() ->
                        code.complete(
                                new UiCommand(environment, stop).run(List.of(words), streams)));
    }

    /// Starts it on any free port and waits for its link.
    static RunningUi start(String... words) throws InterruptedException {
        var all = Stream.concat(Stream.of(words), Stream.of("--port=0")).toArray(String[]::new);
        var ui = new RunningUi(Map.of(), all);
        long end = System.nanoTime() + PATIENCE.toNanos();
        for (var link = LINK.matcher(ui.out()); ; link = LINK.matcher(ui.out())) {
            if (link.find()) {
                ui.address = link.group(1);
                ui.key = link.group(2);
                return ui;
            }
            if (ui.code.isDone() || System.nanoTime() > end) {
                throw new AssertionError("no link: " + ui.out() + ui.err());
            }
            Thread.sleep(20);
        }
    }

    /// What one that ends by itself said.
    record Ended(int code, String out, String err) {}

    static Ended ended(Map<String, String> environment, String... words) {
        try (var ui = new RunningUi(environment, words)) {
            int code = ui.code.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
            return new Ended(code, ui.out(), ui.err());
        }
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    URI uri(String path) {
        return URI.create(address + path);
    }

    /// As the page asks.
    HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(path)).header("X-Berth-Key", key));
    }

    HttpResponse<byte[]> post(String path, String body) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(uri(path))
                        .header("X-Berth-Key", key)
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    /// As somebody without the link asks.
    HttpResponse<byte[]> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        return http.send(request.timeout(PATIENCE).build(), BodyHandlers.ofByteArray());
    }

    /// What the stream tells until it has told something.
    String listen(String until) throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(uri("/berth/v1/stream")).header("X-Berth-Key", key).build();
        var reply = http.send(request, BodyHandlers.ofInputStream());
        var heard = new StringBuilder();
        try (var body = reply.body()) {
            var chunk = new byte[4096];
            for (int read = body.read(chunk);
                    read >= 0 && heard.indexOf(until) < 0;
                    read = body.read(chunk)) {
                heard.append(new String(chunk, 0, read, StandardCharsets.UTF_8));
            }
        }
        return heard.toString();
    }

    int stop() {
        stop.ask();
        return code.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        http.shutdownNow();
        stop();
    }
}
