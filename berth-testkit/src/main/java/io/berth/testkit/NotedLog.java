package io.berth.testkit;

import io.berth.api.handle.Log;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// A log that a test reads. Thread-safe.
public class NotedLog implements Log {
    private static final String ERROR = "E";

    private final List<Line> noted = new CopyOnWriteArrayList<>();
    private final int verbosity;

    /// Keeps everything.
    public NotedLog() {
        this(Integer.MAX_VALUE);
    }

    /// Keeps what a process with this verbosity would write.
    public NotedLog(int verbosity) {
        this.verbosity = verbosity;
    }

    /// One line.
    ///
    /// @param severity `I3`, `W` or `E`
    /// @param cause what went wrong, as `: reason`; else empty
    private record Line(
            String severity, String sentence, String cause, List<@Nullable Object> keysAndValues) {
        String text() {
            return sentence + cause + (keysAndValues.isEmpty() ? "" : " " + keysAndValues);
        }
    }

    @Override
    public final boolean isOn(int level) {
        return level <= verbosity;
    }

    @Override
    public final void info(int level, String sentence, @Nullable Object... keysAndValues) {
        if (isOn(level)) {
            note("I" + level, sentence, "", keysAndValues);
        }
    }

    @Override
    public final void error(
            @Nullable Throwable cause, String sentence, @Nullable Object... keysAndValues) {
        note(ERROR, sentence, cause == null ? "" : ": " + cause.getMessage(), keysAndValues);
    }

    protected final void note(
            String severity, String sentence, String cause, @Nullable Object... keysAndValues) {
        noted.add(new Line(severity, sentence, cause, Arrays.asList(keysAndValues)));
    }

    /// Lines in full, such as `I3 HTTP [verb, GET]`, or `E Failed to bind pod: timeout [pod, a]`.
    public final List<String> lines() {
        return noted.stream().map(line -> line.severity + " " + line.text()).toList();
    }

    /// Sentences alone.
    public final List<String> sentences() {
        return noted.stream().map(Line::sentence).toList();
    }

    /// Sentences with their severity: `I4 Lease has expired`.
    public final List<String> headlines() {
        return noted.stream().map(line -> line.severity + " " + line.sentence).toList();
    }

    /// What is no error, without its level: `Bound pod [pod, a]`.
    public final List<String> infos() {
        return noted.stream().filter(line -> !line.severity.equals(ERROR)).map(Line::text).toList();
    }

    /// Errors, without their mark and what caused them: `Failed to bind pod [pod, a]`.
    public final List<String> errors() {
        return noted.stream()
                .filter(line -> line.severity.equals(ERROR))
                .map(line -> new Line("", line.sentence, "", line.keysAndValues).text())
                .toList();
    }

    /// What was told with a sentence last: `key=value key=value`.
    public final String detail(String sentence) {
        var line =
                noted.reversed().stream()
                        .filter(candidate -> candidate.sentence.equals(sentence))
                        .findFirst()
                        .orElseThrow(() -> new NoSuchElementException(sentence));
        var pairs = new ArrayList<String>();
        for (int i = 0; i + 1 < line.keysAndValues.size(); i += 2) {
            pairs.add(line.keysAndValues.get(i) + "=" + line.keysAndValues.get(i + 1));
        }
        return String.join(" ", pairs);
    }

    /// Forgets all of it.
    public final void clear() {
        noted.clear();
    }
}
