package io.berth.app.log;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;

/// A logger of SLF4J that writes to the process log. Warnings and errors always show. What
/// libraries call information is detail to an operator, so it takes a higher verbosity than our own
/// modules' lines. Those may name theirs with the key `v`.
final class LibraryLogger extends LegacyAbstractLogger implements LoggingEventAware {
    private static final long serialVersionUID = 1;
    private static final String OURS = "io.berth.";
    private static final String VERBOSITY_KEY = "v";
    private static final int DETAIL = 5;

    private final transient ProcessLog log;
    private final boolean ours;

    LibraryLogger(String name, ProcessLog log) {
        this.name = name;
        this.log = log;
        this.ours = name.startsWith(OURS);
    }

    @Override
    public boolean isTraceEnabled() {
        return isOn(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return isOn(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return isOn(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return isOn(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return isOn(Level.ERROR);
    }

    @Override
    public void log(LoggingEvent event) {
        if (!isOn(event.getLevel())) {
            return;
        }
        var pairs = new ArrayList<LogEntry.Pair>();
        int verbosity = verbosity(event.getLevel());
        List<KeyValuePair> keyValuePairs = event.getKeyValuePairs();
        if (keyValuePairs != null) {
            for (KeyValuePair pair : keyValuePairs) {
                if (ours && pair.key.equals(VERBOSITY_KEY) && pair.value instanceof Integer named) {
                    verbosity = named;
                } else {
                    pairs.add(new LogEntry.Pair(pair.key, pair.value));
                }
            }
        }
        String sentence =
                MessageFormatter.basicArrayFormat(event.getMessage(), event.getArgumentArray());
        write(event.getLevel(), verbosity, sentence, event.getThrowable(), pairs);
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String message,
            Object @Nullable [] arguments,
            @Nullable Throwable cause) {
        write(
                level,
                verbosity(level),
                MessageFormatter.basicArrayFormat(message, arguments),
                cause,
                List.of());
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    private void write(
            Level level,
            int verbosity,
            @Nullable String sentence,
            @Nullable Throwable cause,
            List<LogEntry.Pair> pairs) {
        if (!log.isOn(verbosity) || !ours && isAboutItsEnd(cause) && !log.isOn(DETAIL)) {
            return;
        }
        log.write(
                severity(level),
                verbosity,
                ours ? null : name,
                String.valueOf(sentence),
                cause,
                pairs);
    }

    /// A server that is being stopped refuses the calls that are still on their way, and says so
    /// with a stack trace each.
    private static boolean isAboutItsEnd(@Nullable Throwable cause) {
        return cause instanceof RejectedExecutionException;
    }

    /// Whether something of that level may show: a line of ours may name a verbosity below the
    /// usual.
    private boolean isOn(Level level) {
        if ((level == Level.WARN || ours && level == Level.ERROR) && !log.showsLibraryWarnings()) {
            return false;
        }
        return log.isOn(ours ? lowestNamed(level) : verbosity(level));
    }

    private int lowestNamed(Level level) {
        return switch (level) {
            case ERROR, WARN, INFO -> 0;
            case DEBUG, TRACE -> verbosity(level) - 1;
        };
    }

    private static LogEntry.Severity severity(Level level) {
        return switch (level) {
            case ERROR -> LogEntry.Severity.ERROR;
            case WARN -> LogEntry.Severity.WARNING;
            case INFO, DEBUG, TRACE -> LogEntry.Severity.INFO;
        };
    }

    private int verbosity(Level level) {
        return switch (level) {
            case ERROR, WARN -> 0;
            case INFO -> ours ? 2 : DETAIL;
            case DEBUG -> ours ? 4 : 8;
            case TRACE -> ours ? 6 : 10;
        };
    }
}
