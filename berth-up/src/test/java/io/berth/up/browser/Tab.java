package io.berth.up.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// One page of a browser. It keeps what the page complained about.
public final class Tab implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MOST_CLICKS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final WebSocket socket;
    private final AtomicInteger lastId = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    Tab(HttpClient http, URI address) {
        socket = http.newWebSocketBuilder().buildAsync(address, new Listener()).join();
        for (var domain : List.of("Page", "Runtime", "Log", "Network")) {
            send(domain + ".enable", Map.of());
        }
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            text.append(part);
            if (isLast) {
                heard(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }

    private void heard(String text) {
        JsonNode message;
        try {
            message = JSON.readTree(text);
        } catch (JsonProcessingException broken) {
            complaints.add(text);
            return;
        }
        if (message.has("id")) {
            var answer = answers.remove(message.path("id").asInt());
            if (answer != null) {
                answer.complete(message);
            }
            return;
        }
        var told = message.path("params");
        switch (message.path("method").asText()) {
            case "Runtime.exceptionThrown" ->
                    complaints.add(told.path("exceptionDetails").toString());
            case "Runtime.consoleAPICalled" -> {
                if (List.of("error", "warning", "assert").contains(told.path("type").asText())) {
                    complaints.add(told.path("args").toString());
                }
            }
            case "Log.entryAdded" -> {
                var entry = told.path("entry");
                // Advice about speed is for axe, which looks at pixels.
                if (List.of("error", "warning").contains(entry.path("level").asText())
                        && !entry.path("source").asText().equals("rendering")) {
                    complaints.add(
                            entry.path("source").asText()
                                    + ": "
                                    + entry.path("text").asText()
                                    + " "
                                    + entry.path("url").asText());
                }
            }
            default -> {}
        }
    }

    /// What the page wrote to the console as errors or warnings, and what it was refused.
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    void forgetComplaints() {
        complaints.clear();
    }

    public JsonNode send(String method, Map<String, ?> parameters) {
        int id = lastId.incrementAndGet();
        var answer = new CompletableFuture<JsonNode>();
        answers.put(id, answer);
        ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
        message.set("params", JSON.valueToTree(parameters));
        socket.sendText(message.toString(), true).join();
        var told = answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        if (told.has("error")) {
            throw new IllegalStateException(method + ": " + told.path("error"));
        }
        return told.path("result");
    }

    public void go(String address) {
        send("Page.navigate", Map.of("url", address));
    }

    /// The value of an expression, or of what it promises.
    public JsonNode value(String expression) {
        var told =
                send(
                        "Runtime.evaluate",
                        Map.of(
                                "expression",
                                expression,
                                "awaitPromise",
                                true,
                                "returnByValue",
                                true));
        if (told.has("exceptionDetails")) {
            throw new IllegalStateException(
                    expression
                            + ": "
                            + told.path("exceptionDetails").path("exception").path("description"));
        }
        return told.path("result").path("value");
    }

    public String text(String selector) {
        return value("document.querySelector('%s')?.innerText ?? ''".formatted(selector)).asText();
    }

    /// Waits until an expression is true.
    public void await(String expression) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!value("Boolean(%s)".formatted(expression)).asBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError(
                        "did not come true: %s; the page says: %s; complaints: %s"
                                .formatted(expression, text("main"), complaints));
            }
            try {
                Thread.sleep(LOOK_AGAIN);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(stop);
            }
        }
    }

    public void awaitText(String selector, String part) {
        await("document.querySelector('%s')?.innerText.includes('%s')".formatted(selector, part));
    }

    /// As a mouse does, and again where the page moved away under it. Of a text that goes over
    /// several lines the first one is hit.
    public void click(String selector) {
        await("document.querySelector('%s')".formatted(selector));
        int tries = 0;
        do {
            var at =
                    value(
                            """
                            (() => {
                              const e = document.querySelector('%s');
                              e.scrollIntoView({block: 'center'});
                              window.clickArrived = false;
                              const noted = () => { window.clickArrived = true; };
                              e.addEventListener('click', noted, {once: true, capture: true});
                              const b = e.getClientRects()[0];
                              return [b.x + b.width / 2, b.y + b.height / 2];
                            })()
                            """
                                    .formatted(selector));
            click(at.get(0).asDouble(), at.get(1).asDouble());
            tries++;
        } while (tries < MOST_CLICKS && value("window.clickArrived === false").asBoolean());
    }

    void click(double x, double y) {
        move(x, y);
        for (var type : List.of("mousePressed", "mouseReleased")) {
            send(
                    "Input.dispatchMouseEvent",
                    Map.of("type", type, "x", x, "y", y, "button", "left", "clickCount", 1));
        }
    }

    public void move(double x, double y) {
        send("Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", x, "y", y));
    }

    /// Presses a key of one sign, or a named one.
    public void key(String key) {
        if (key.length() == 1) {
            send("Input.dispatchKeyEvent", Map.of("type", "keyDown", "key", key, "text", key));
        } else {
            var down = new HashMap<String, Object>();
            down.put("type", "keyDown");
            down.put("key", key);
            down.put("code", key);
            down.put("windowsVirtualKeyCode", code(key));
            if (key.equals("Enter")) {
                // Without a sign it would not be heard by forms.
                down.put("text", "\r");
            }
            send("Input.dispatchKeyEvent", down);
        }
        send("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
    }

    private static int code(String key) {
        return switch (key) {
            case "Enter" -> 13;
            case "Escape" -> 27;
            case "ArrowRight" -> 39;
            case "ArrowDown" -> 40;
            case "Tab" -> 9;
            default -> 0;
        };
    }

    public void type(String text) {
        send("Input.insertText", Map.of("text", text));
    }

    public void size(int width, int height) {
        send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    public void scheme(String scheme) {
        send(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    public byte[] picture() {
        return Base64.getDecoder()
                .decode(
                        send("Page.captureScreenshot", Map.of("format", "png"))
                                .path("data")
                                .asText());
    }

    @Override
    public void close() {
        socket.abort();
    }
}
