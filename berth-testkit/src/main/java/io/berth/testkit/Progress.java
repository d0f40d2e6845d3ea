package io.berth.testkit;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/// How far long work has come: how many of how many, failures so far, time left. One line that is
/// rewritten on a terminal, a line now and then elsewhere; to standard error, so that results on
/// standard output stay clean.
///
/// Any thread may report. What else is printed while the work goes on is preceded by [#clear].
public final class Progress {
    /// How the lines appear.
    public enum Style {
        /// One line, written over and over.
        REWRITTEN,
        /// A line now and then.
        LINES,
        /// Nothing at all.
        SILENT
    }

    /// Set by the scripts that start long work, which know whether standard error is a terminal.
    private static final String TERMINAL = "berth.progress.terminal";

    private static final String ERASE = "\r\u001b[K";
    private static final Duration BETWEEN_REWRITES = Duration.ofMillis(100);
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(15);

    private final String unit;
    private final long total;
    private final LongSupplier nanos;
    private final PrintStream out;
    private final Style style;
    private final long startNanos;
    private long toldNanos;
    private boolean isShown;
    private long done;
    private long failed;
    private String underWay = "";

    /// @param unit what is counted, such as `seeds`
    public Progress(String unit, long total, LongSupplier nanos, PrintStream out, Style style) {
        this.unit = unit;
        this.total = total;
        this.nanos = nanos;
        this.out = out;
        this.style = style;
        startNanos = nanos.getAsLong();
        toldNanos = startNanos;
    }

    public static Progress onStandardError(String unit, long total) {
        var style = Boolean.getBoolean(TERMINAL) ? Style.REWRITTEN : Style.LINES;
        return new Progress(unit, total, System::nanoTime, System.err, style);
    }

    public static Progress silent() {
        return new Progress("", 0, () -> 0, System.err, Style.SILENT);
    }

    public synchronized void advance(long count) {
        reach(done + count);
    }

    /// So many are done in all.
    public synchronized void reach(long count) {
        done = count;
        tellWhenDue();
    }

    public synchronized void failed() {
        failed++;
        tellWhenDue();
    }

    /// Names what is being worked on, until something else is.
    public synchronized void begin(String what) {
        underWay = what;
        tellWhenDue();
    }

    /// Makes room for other lines, and at the end of the work.
    public synchronized void clear() {
        if (isShown) {
            out.print(ERASE);
            out.flush();
            isShown = false;
        }
    }

    private void tellWhenDue() {
        var pause = style == Style.REWRITTEN ? BETWEEN_REWRITES : BETWEEN_LINES;
        long now = nanos.getAsLong();
        if (style == Style.SILENT || now - toldNanos < pause.toNanos()) {
            return;
        }
        toldNanos = now;
        if (style == Style.REWRITTEN) {
            out.print(ERASE + line(now));
            out.flush();
            isShown = true;
        } else {
            out.println(line(now));
        }
    }

    private String line(long now) {
        var line = new StringBuilder();
        line.append(String.format(Locale.ROOT, "%,d of %,d %s", done, total, unit));
        if (total > 0) {
            line.append(" (").append(100 * done / total).append(" %)");
        }
        line.append(", ").append(failed).append(" failed");
        if (done > 0 && done <= total) {
            double left = (double) (now - startNanos) / done * (total - done);
            line.append(", ").append(clock(Math.round(left / 1e9))).append(" left");
        }
        return underWay.isEmpty() ? line.toString() : line.append(": ").append(underWay).toString();
    }

    private static String clock(long seconds) {
        return seconds < 3600
                ? "%d:%02d".formatted(seconds / 60, seconds % 60)
                : "%d:%02d:%02d".formatted(seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
}
