package io.berth.ui;

import io.berth.serving.http.Call;
import io.berth.serving.http.Endpoint;
import io.berth.serving.http.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The files of the page, below `/ui/`. They come from the class path, and no other host is ever
/// asked for anything: the browser is told to refuse it.
final class Assets implements Endpoint {
    static final String PREFIX = "/ui/";
    static final String INDEX = "index.html";

    /// All there is; a file that is not named here is not served.
    static final List<String> FILES =
            List.of(
                    INDEX,
                    "style.css",
                    "icon.svg",
                    "app.js",
                    "feed.js",
                    "words.js",
                    "queue.js",
                    "series.js",
                    "matrix.js",
                    "pod.js",
                    "map.js",
                    "paint.js",
                    "tiles.js",
                    "log.js",
                    "play.js",
                    "pack.js",
                    "lib/lit-html.js",
                    "lib/lit-element.js",
                    "lib/reactive-element.js",
                    "lib/css-tag.js",
                    "lib/LICENSE");

    private static final Pattern IMPORT_MAP =
            Pattern.compile("(?s)<script type=\"importmap\">(.*?)</script>");

    private final Map<String, File> files = new LinkedHashMap<>();

    private record File(byte[] bytes, String type, String tag) {}

    Assets() {
        for (var name : FILES) {
            var bytes = read(name);
            files.put(name, new File(bytes, type(name), '"' + tag(bytes) + '"'));
        }
    }

    private static byte[] read(String name) {
        try (var in = Assets.class.getResourceAsStream("page/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the page lacks its file " + name);
            }
            return in.readAllBytes();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static String tag(byte[] bytes) {
        return HexFormat.of().formatHex(sha256(bytes)).substring(0, 16);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String type(String name) {
        if (name.endsWith(".js")) {
            return "text/javascript; charset=utf-8";
        }
        if (name.endsWith(".css")) {
            return "text/css; charset=utf-8";
        }
        if (name.endsWith(".svg")) {
            return "image/svg+xml";
        }
        return name.endsWith(".html") ? "text/html; charset=utf-8" : Reply.PLAIN;
    }

    /// Scripts and styles of ours, and the one table of names that stands in the page itself.
    String policy() {
        var index = new String(file(INDEX).bytes, StandardCharsets.UTF_8);
        var table = IMPORT_MAP.matcher(index);
        var hash =
                table.find()
                        ? " 'sha256-%s'"
                                .formatted(
                                        Base64.getEncoder()
                                                .encodeToString(
                                                        sha256(
                                                                table.group(1)
                                                                        .getBytes(
                                                                                StandardCharsets
                                                                                        .UTF_8))))
                        : "";
        return "default-src 'none'; script-src 'self'"
                + hash
                + "; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none';"
                + " form-action 'none'; frame-ancestors 'none'";
    }

    private File file(String name) {
        return Optional.ofNullable(files.get(name)).orElseThrow();
    }

    @Override
    public Reply answer(Call call) {
        if (!call.method().equals("GET") && !call.method().equals("HEAD")) {
            return Reply.error(405, "method not allowed: the page is read with GET");
        }
        var name = call.path().equals(PREFIX) ? INDEX : call.path().substring(PREFIX.length());
        var file = files.get(name);
        if (file == null) {
            return Reply.notFound();
        }
        var reply =
                call.header("If-None-Match").equals(file.tag)
                        ? Reply.of(304, file.type, new byte[0])
                        : Reply.of(200, file.type, file.bytes);
        return reply.with("ETag", file.tag)
                .with("Cache-Control", "no-cache")
                .with("Content-Security-Policy", policy())
                .with("Referrer-Policy", "no-referrer")
                .with("Cross-Origin-Opener-Policy", "same-origin")
                .with("Cross-Origin-Resource-Policy", "same-origin")
                .noSniffing();
    }
}
