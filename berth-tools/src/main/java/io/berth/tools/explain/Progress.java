package io.berth.tools.explain;

import java.io.PrintStream;
import java.util.Locale;

/// A line on a terminal that says how far reading has come, and goes when it is done.
public final class Progress {
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream err;
    private final boolean isShown;

    public Progress(PrintStream err, boolean isShown) {
        this.err = err;
        this.isShown = isShown;
    }

    void show(String what, int count) {
        if (isShown) {
            err.print(CLEAR + String.format(Locale.ROOT, "reading %s: %,d", what, count));
            err.flush();
        }
    }

    void done() {
        if (isShown) {
            err.print(CLEAR);
            err.flush();
        }
    }
}
