package io.berth.app.serve;

import io.berth.app.log.AppLog;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A log that a test reads: lines such as `I3 HTTP [verb, GET]`.
public final class NotedLog implements AppLog {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final int verbosity;

    public NotedLog(int verbosity) {
        this.verbosity = verbosity;
    }

    @Override
    public boolean isOn(int level) {
        return level <= verbosity;
    }

    @Override
    public void info(int level, String sentence, @Nullable Object... keysAndValues) {
        if (isOn(level)) {
            lines.add("I" + level + " " + line(sentence, keysAndValues));
        }
    }

    @Override
    public void error(
            @Nullable Throwable cause, String sentence, @Nullable Object... keysAndValues) {
        String reason = cause == null ? "" : ": " + cause.getMessage();
        lines.add("E " + line(sentence + reason, keysAndValues));
    }

    @Override
    public void warning(String sentence, @Nullable Object... keysAndValues) {
        lines.add("W " + line(sentence, keysAndValues));
    }

    @Override
    public void line(int level, String line) {
        info(level, line);
    }

    @Override
    public void warningLine(String line) {
        warning(line);
    }

    private static String line(String sentence, @Nullable Object... keysAndValues) {
        return keysAndValues.length == 0
                ? sentence
                : sentence + " " + Arrays.toString(keysAndValues);
    }

    public List<String> lines() {
        return lines;
    }
}
