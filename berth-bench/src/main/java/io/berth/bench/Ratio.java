package io.berth.bench;

import java.util.Locale;

/// How many times as much one thing costs as another, which is to be no more than a bound.
///
/// @param atMost about twice what is usual, so that a loss of half is noticed and a busy machine is
///   not
record Ratio(String what, double oneMicros, String beside, double otherMicros, double atMost) {
    static final String HEADER =
            """
            | what | µs | beside | µs | ratio | at most |
            |---|---|---|---|---|---|
            """;

    double value() {
        return oneMicros / otherMicros;
    }

    boolean isKept() {
        return value() <= atMost;
    }

    /// As a line of a table.
    String line() {
        return String.format(
                Locale.ROOT,
                "| %s | %.1f | %s | %.1f | %.2f | %.2f%s |%n",
                what,
                oneMicros,
                beside,
                otherMicros,
                value(),
                atMost,
                isKept() ? "" : " (exceeded)");
    }
}
