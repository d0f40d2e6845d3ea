package io.berth.app.input;

import io.berth.app.CommandLine;
import io.berth.app.StopSignal;
import io.berth.app.log.ProcessLog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// One call of the program inside this process, with streams and a log of its own.
///
/// @param log the lines that went to the log
public record Invocation(int exitCode, String out, String err, List<String> log) {
    public static Invocation of(String... words) {
        return of(List.of(words));
    }

    public static Invocation of(List<String> words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var lines = Collections.synchronizedList(new ArrayList<String>());
        var log = new ProcessLog(lines::add);
        int exitCode =
                new CommandLine(
                                new PrintStream(out, true, StandardCharsets.UTF_8),
                                new PrintStream(err, true, StandardCharsets.UTF_8),
                                log,
                                StopSignal::new)
                        .run(words);
        return new Invocation(
                exitCode,
                out.toString(StandardCharsets.UTF_8),
                err.toString(StandardCharsets.UTF_8),
                List.copyOf(lines));
    }

    /// The last thing said, wherever it was said.
    public String lastWords() {
        if (!log.isEmpty()) {
            return log.getLast();
        }
        return (err.isEmpty() ? out : err).stripTrailing().lines().toList().getLast();
    }
}
