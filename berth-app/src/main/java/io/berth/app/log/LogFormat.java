package io.berth.app.log;

import java.util.Locale;
import java.util.Optional;

/// How an entry becomes a line.
public enum LogFormat {
    TEXT {
        @Override
        String line(LogEntry entry) {
            return KlogText.line(entry, PID);
        }
    },
    JSON {
        @Override
        String line(LogEntry entry) {
            return KlogJson.line(entry);
        }
    };

    private static final long PID = ProcessHandle.current().pid();

    /// The format that `--logging-format` names.
    public static Optional<LogFormat> named(String name) {
        for (LogFormat format : values()) {
            if (format.name().toLowerCase(Locale.ROOT).equals(name)) {
                return Optional.of(format);
            }
        }
        return Optional.empty();
    }

    /// The line without its end. Several lines if a value has several.
    abstract String line(LogEntry entry);
}
