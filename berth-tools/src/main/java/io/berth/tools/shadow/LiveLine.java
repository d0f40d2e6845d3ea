package io.berth.tools.shadow;

import java.io.PrintStream;

/// Says how it stands: on a terminal in a line that is rewritten, elsewhere in a line each time.
/// Used by one thread.
final class LiveLine {
    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream out;
    private final boolean isTerminal;
    private final int width;
    private String last = "";

    LiveLine(PrintStream out, boolean isTerminal, int width) {
        this.out = out;
        this.isTerminal = isTerminal;
        this.width = width;
    }

    void show(String line) {
        if (isTerminal) {
            out.print(CLEAR + (line.length() < width ? line : line.substring(0, width - 2) + "…"));
            out.flush();
        } else if (!line.equals(last)) {
            out.println(line);
        }
        last = line;
    }

    void clear() {
        if (isTerminal) {
            out.print(CLEAR);
            out.flush();
        }
    }
}
