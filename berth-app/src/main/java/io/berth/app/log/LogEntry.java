package io.berth.app.log;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One thing worth telling: a fixed sentence with keys and values.
///
/// @param verbosity the level at which the entry is shown; errors and warnings are always shown
/// @param source file and line of the caller, such as `Binder.java:42`
/// @param formatted whether the sentence is a whole line already, shown without quotes and keys
/// @param logger the name of the logger, if the entry came from a library
record LogEntry(
        Severity severity,
        int verbosity,
        Instant time,
        boolean formatted,
        String source,
        Optional<String> logger,
        String sentence,
        Optional<Throwable> cause,
        List<Pair> pairs) {

    LogEntry(
            Severity severity,
            int verbosity,
            Instant time,
            String source,
            Optional<String> logger,
            String sentence,
            Optional<Throwable> cause,
            List<Pair> pairs) {
        this(severity, verbosity, time, false, source, logger, sentence, cause, pairs);
    }

    enum Severity {
        INFO('I'),
        WARNING('W'),
        ERROR('E');

        final char letter;

        Severity(char letter) {
            this.letter = letter;
        }
    }

    record Pair(String key, @Nullable Object value) {}
}
