package io.berth.up;

import io.berth.app.Signals;
import io.berth.app.command.Screen;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Draws on a terminal, in its second screen, so that what was there before comes back at the end.
/// Only lines that changed are written, all in one go. Used by one thread.
final class Terminal implements AutoCloseable {
    private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J";
    private static final String LEAVE = "\u001b[?7h\u001b[?25h\u001b[?1049l";
    // Terminals that know this pair show the frame at once; others ignore it.
    private static final String BEGIN_FRAME = "\u001b[?2026h";
    private static final String END_FRAME = "\u001b[?2026l";

    private final PrintStream out;
    private final boolean colours;
    private List<String> shown = new ArrayList<>();
    private volatile boolean stale = true;
    private int width = 80;
    private int height = 24;

    private Terminal(PrintStream out, boolean colours) {
        this.out = out;
        this.colours = colours;
    }

    /// Takes over the terminal until [#close].
    static Terminal open(PrintStream out) {
        String noColor = System.getenv("NO_COLOR");
        var terminal = new Terminal(out, noColor == null || noColor.isEmpty());
        Signals.on("WINCH", terminal::redraw);
        // After Ctrl-Z and fg the screen is somebody else's.
        Signals.on("CONT", terminal::redraw);
        out.print(ENTER);
        out.flush();
        return terminal;
    }

    /// The characters that the terminal's character set has.
    static ScreenLayout.Signs signs() {
        return System.getProperty("stdout.encoding", "")
                        .equalsIgnoreCase(StandardCharsets.UTF_8.name())
                ? ScreenLayout.Signs.UNICODE
                : ScreenLayout.Signs.ASCII;
    }

    private void redraw() {
        stale = true;
    }

    boolean isStale() {
        return stale;
    }

    /// Finds out the size again if it may have changed. Call before drawing.
    void measure() {
        if (!stale) {
            return;
        }
        Screen.measure()
                .ifPresent(screen -> {
                    height = Math.max(1, screen.rows());
                    width = Math.max(1, screen.columns());
                });
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    void show(List<Line> lines) {
        var frame = new StringBuilder(BEGIN_FRAME);
        if (stale) {
            stale = false;
            shown = new ArrayList<>();
            frame.append(ENTER);
        }
        var next = new ArrayList<String>(lines.size());
        for (int row = 0; row < lines.size(); row++) {
            String text = colours ? lines.get(row).coloured() : lines.get(row).plain();
            next.add(text);
            if (row >= shown.size() || !shown.get(row).equals(text)) {
                frame.append("\u001b[").append(row + 1).append(";1H").append(text);
                // Behind a full line the cursor stays on its last character, which must live.
                frame.append(lines.get(row).width() < width ? "\u001b[K" : "");
            }
        }
        if (next.size() < shown.size()) {
            frame.append("\u001b[").append(next.size() + 1).append(";1H\u001b[J");
        }
        if (frame.length() > BEGIN_FRAME.length()) {
            out.print(frame.append(END_FRAME));
            out.flush();
        }
        shown = next;
    }

    @Override
    public void close() {
        out.print(LEAVE);
        out.flush();
    }
}
