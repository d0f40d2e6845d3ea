package io.berth.app.log;

import io.berth.serving.tls.ServerLog;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The log of this process. Used by every thread; a line is written whole.
///
/// There is one, reached through [#process()], because libraries find their logger without being
/// handed one.
public final class ProcessLog implements ServerLog {
    /// Classes that stand between the origin of an entry and this one.
    private static final Set<String> LOGGING =
            Set.of(
                    ProcessLog.class.getName(),
                    HushableLog.class.getName(),
                    LibraryLogger.class.getName());

    private static final StackWalker STACK = StackWalker.getInstance();
    private static final ProcessLog PROCESS = new ProcessLog(toStandardError());

    private volatile LogFormat format = LogFormat.TEXT;
    private volatile int verbosity;
    private volatile boolean libraryWarnings = true;
    private volatile Vmodule vmodule = Vmodule.NONE;
    private volatile LogSink sink;

    /// A log of its own, beside that of the process.
    public ProcessLog(Consumer<String> sink) {
        this.sink = single(sink);
    }

    public static ProcessLog process() {
        return PROCESS;
    }

    /// A sink that writes each line at once to standard error.
    public static Consumer<String> toStandardError() {
        var stream = new FileOutputStream(FileDescriptor.err);
        return line -> write(stream, line);
    }

    public void setVerbosity(int verbosity) {
        this.verbosity = verbosity;
    }

    public int verbosity() {
        return verbosity;
    }

    public void setVmodule(Vmodule vmodule) {
        this.vmodule = vmodule;
    }

    public void setFormat(LogFormat format) {
        this.format = format;
    }

    /// Whether warnings of libraries, and troubles of our own watches, are shown. While everything
    /// is being closed, they only tell of the connections that we break ourselves.
    public void showLibraryWarnings(boolean shown) {
        libraryWarnings = shown;
    }

    boolean showsLibraryWarnings() {
        return libraryWarnings;
    }

    /// Sends the lines elsewhere, for example away from a screen that is being drawn.
    public void setSink(Consumer<String> sink) {
        this.sink = single(sink);
    }

    void setSink(LogSink sink) {
        this.sink = sink;
    }

    /// Writes what is held back.
    public void flush() {
        sink.flush();
    }

    private static LogSink single(Consumer<String> sink) {
        return (_, line) -> sink.accept(line);
    }

    @Override
    public boolean isOn(int level) {
        return level <= verbosity || !vmodule.isEmpty() && level <= originVerbosity();
    }

    @Override
    public void info(int level, String sentence, @Nullable Object... keysAndValues) {
        if (isOn(level)) {
            write(LogEntry.Severity.INFO, level, null, sentence, null, pairs(keysAndValues));
        }
    }

    @Override
    public void error(
            @Nullable Throwable cause, String sentence, @Nullable Object... keysAndValues) {
        write(LogEntry.Severity.ERROR, 0, null, sentence, cause, pairs(keysAndValues));
    }

    @Override
    public void warning(String sentence, @Nullable Object... keysAndValues) {
        write(LogEntry.Severity.WARNING, 0, null, sentence, null, pairs(keysAndValues));
    }

    @Override
    public void line(int level, String line) {
        if (isOn(level)) {
            writeLine(LogEntry.Severity.INFO, level, line);
        }
    }

    @Override
    public void warningLine(String line) {
        writeLine(LogEntry.Severity.WARNING, 0, line);
    }

    private void writeLine(LogEntry.Severity severity, int level, String line) {
        write(
                new LogEntry(
                        severity,
                        level,
                        Instant.now(),
                        true,
                        caller(),
                        Optional.empty(),
                        line,
                        Optional.empty(),
                        List.of()));
    }

    void write(
            LogEntry.Severity severity,
            int level,
            @Nullable String logger,
            String sentence,
            @Nullable Throwable cause,
            List<LogEntry.Pair> pairs) {
        write(
                new LogEntry(
                        severity,
                        level,
                        Instant.now(),
                        caller(),
                        Optional.ofNullable(logger),
                        sentence,
                        Optional.ofNullable(cause),
                        pairs));
    }

    private void write(LogEntry entry) {
        sink.write(entry.severity() == LogEntry.Severity.INFO, format.line(entry));
    }

    private static List<LogEntry.Pair> pairs(@Nullable Object[] keysAndValues) {
        var pairs = new ArrayList<LogEntry.Pair>((keysAndValues.length + 1) / 2);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            // A key without value is a mistake in the caller, told the way klog tells it.
            Object value = i + 1 < keysAndValues.length ? keysAndValues[i + 1] : "(MISSING)";
            pairs.add(new LogEntry.Pair(String.valueOf(keysAndValues[i]), value));
        }
        return pairs;
    }

    private static String caller() {
        return origin().map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse("unknown:0");
    }

    private int originVerbosity() {
        return origin().map(frame ->
                        vmodule.verbosity(
                                frame.getClassName(),
                                Objects.requireNonNullElse(frame.getFileName(), "")))
                .orElse(-1);
    }

    private static Optional<StackWalker.StackFrame> origin() {
        return STACK.walk(
                frames -> frames.filter(frame -> !isLogging(frame.getClassName())).findFirst());
    }

    private static boolean isLogging(String className) {
        // A list that hands its items to the log is not where they come from.
        return LOGGING.contains(className)
                || className.startsWith("org.slf4j.")
                || className.startsWith("java.");
    }

    private static void write(OutputStream stream, String line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            stream.write(bytes);
        } catch (IOException closed) {
            // Nobody reads the log any more, and there is nowhere else to say so.
        }
    }
}
