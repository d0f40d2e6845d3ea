package io.berth.tools.explain;

import io.berth.app.command.Streams;
import io.berth.app.log.ProcessLog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What a run of `berth explain` said.
record Run(int code, String out, String err) {
    static Run of(String... words) {
        return of(Map.of(), words);
    }

    static Run of(Map<String, String> environment, String... words) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var log = new ArrayList<String>();
        int code =
                new ExplainCommand(environment)
                        .run(
                                List.of(words),
                                new Streams(
                                        new PrintStream(out, true, StandardCharsets.UTF_8),
                                        new PrintStream(err, true, StandardCharsets.UTF_8),
                                        new ProcessLog(log::add)));
        return new Run(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
