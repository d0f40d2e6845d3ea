package io.berth.serving.http;

import io.berth.serving.tls.ServerLog;
import io.berth.testkit.NotedLog;
import org.jspecify.annotations.Nullable;

/// A log with the port's own kinds of lines that a test reads.
public final class NotedServerLog extends NotedLog implements ServerLog {
    public NotedServerLog(int verbosity) {
        super(verbosity);
    }

    @Override
    public void warning(String sentence, @Nullable Object... keysAndValues) {
        note("W", sentence, "", keysAndValues);
    }

    @Override
    public void line(int level, String line) {
        info(level, line);
    }

    @Override
    public void warningLine(String line) {
        warning(line);
    }
}
