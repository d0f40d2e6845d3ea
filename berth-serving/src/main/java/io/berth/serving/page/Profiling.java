package io.berth.serving.page;

import io.berth.api.amount.Numbers;
import io.berth.serving.http.Call;
import io.berth.serving.http.Mux;
import io.berth.serving.http.Reply;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/// `/debug/pprof`: the paths of Go's profiler with what a JVM has to tell. `profile` and `trace`
/// are recordings of JDK Flight Recorder, everything else is text.
final class Profiling {
    private static final String ROOT = "/debug/pprof/";
    private static final Duration PROFILE = Duration.ofSeconds(30);
    private static final Duration TRACE = Duration.ofSeconds(1);

    /// A recording holds its caller for as long.

    private static final Duration LONGEST = Duration.ofMinutes(5);

    private record Profile(String description, Function<Call, Reply> page) {}

    private final Map<String, Profile> profiles = new LinkedHashMap<>();

    private Profiling() {
        add("allocs", "Objects on the heap by class, garbage included", _ -> histogram(false));
        add("block", "How often and how long each thread was blocked or waited", _ -> contention());
        add("cmdline", "The command line of this process", _ -> commandLine());
        add("goroutine", "The stacks of all threads, virtual ones included", _ -> threads());
        add(
                "heap",
                "Objects on the heap by class; gc=1 collects garbage first",
                call -> histogram(!call.parameter("gc").isEmpty()));
        add("mutex", "The same as block", _ -> contention());
        add(
                "profile",
                "Flight recording of where time is spent; seconds=30 sets for how long",
                call -> recording(call, "profile", PROFILE));
        add("symbol", "Nothing: recordings name their methods", _ -> text("num_symbols: 0\n"));
        add("threadcreate", "The stacks of all platform threads with locks", _ -> platform());
        add(
                "trace",
                "Flight recording of what happens; seconds=1 sets for how long",
                call -> recording(call, "default", TRACE));
    }

    static void install(Mux mux) {
        var pages = new Profiling();
        mux.unlisted(
                "/debug/pprof",
                _ ->
                        Reply.of(
                                        302,
                                        "text/html; charset=utf-8",
                                        "<a href=\"/debug/pprof/\">Found</a>.\n\n")
                                .with("Location", ROOT));
        mux.unlistedPrefix(ROOT, pages::page);
    }

    private void add(String name, String description, Function<Call, Reply> page) {
        profiles.put(name, new Profile(description, page));
    }

    private Reply page(Call call) {
        String name = call.path().substring(ROOT.length());
        if (name.isEmpty()) {
            return index();
        }
        Profile profile = profiles.get(name);
        if (profile == null) {
            return Reply.error(404, "Unknown profile");
        }
        try {
            return profile.page.apply(call).noSniffing();
        } catch (UncheckedIOException noRoom) {
            return Reply.error(500, String.valueOf(noRoom.getMessage()));
        }
    }

    private Reply index() {
        var html = new StringBuilder();
        html.append(
                """
                <html>
                <head>
                <title>/debug/pprof/</title>
                </head>
                <body>
                /debug/pprof/
                <br>
                Types of profiles available:
                <table>
                <thead><td>Profile</td><td>Description</td></thead>
                """);
        profiles.forEach((name, profile) ->
                html.append(
                        "<tr><td><a href='%1$s'>%1$s</a></td><td>%2$s</td></tr>\n"
                                .formatted(name, profile.description)));
        html.append("</table>\n</body>\n</html>\n");
        return Reply.of(200, "text/html; charset=utf-8", html.toString()).noSniffing();
    }

    private static Reply recording(Call call, String settings, Duration usual) {
        Duration length = seconds(call.parameter("seconds"), usual);
        if (length.compareTo(LONGEST) > 0) {
            return Reply.error(
                    400, "profile duration exceeds the limit of " + LONGEST.toSeconds() + " s");
        }
        String name = call.path().substring(ROOT.length());
        try {
            byte[] recorded = JvmProfiles.record(settings, length);
            return Reply.of(200, "application/octet-stream", recorded)
                    .with("Content-Disposition", "attachment; filename=\"" + name + ".jfr\"");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return Reply.error(503, "process is shutting down");
        }
    }

    private static Duration seconds(String text, Duration usual) {
        if (Numbers.isTooLong(text)) {
            return usual;
        }
        try {
            double number = Double.parseDouble(text);
            return number > 0 && number < 1e9 ? Duration.ofMillis((long) (number * 1000)) : usual;
        } catch (NumberFormatException unreadable) {
            return usual;
        }
    }

    private static Reply histogram(boolean collect) {
        return text(JvmProfiles.heapHistogram(collect));
    }

    private static Reply contention() {
        return text(JvmProfiles.contention());
    }

    private static Reply threads() {
        return text(JvmProfiles.allThreads());
    }

    private static Reply platform() {
        return text(JvmProfiles.platformThreads());
    }

    private static Reply commandLine() {
        return Reply.of(
                200,
                Reply.PLAIN,
                String.join("\0", JvmProfiles.commandLine()).getBytes(StandardCharsets.UTF_8));
    }

    private static Reply text(String content) {
        return Reply.text(200, content);
    }
}
