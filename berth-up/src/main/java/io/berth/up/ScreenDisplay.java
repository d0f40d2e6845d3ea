package io.berth.up;

import io.berth.app.StopSignal;
import io.berth.app.log.ProcessLog;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/// Keeps a picture of the cluster on the terminal.
final class ScreenDisplay implements Display {
    private static final Duration FRAME = Duration.ofMillis(200);
    private static final int KEPT_LOG_LINES = 200;

    private final PrintStream out;
    private final ProcessLog log;
    private final Deque<String> logLines = new ArrayDeque<>();

    ScreenDisplay(PrintStream out, ProcessLog log) {
        this.out = out;
        this.log = log;
    }

    @Override
    public void happened(ClusterPicture.Happening happening) {
        // The next frame shows it.
    }

    @Override
    public void run(List<String> header, ClusterPicture picture, StopSignal stop)
            throws InterruptedException {
        holdLogLines();
        try (var terminal = Terminal.open(out)) {
            long drawn = -1;
            do {
                long version = picture.version();
                if (version != drawn || terminal.isStale()) {
                    drawn = version;
                    draw(terminal, header, picture.snapshot());
                }
            } while (!stop.await(FRAME));
        } finally {
            releaseLogLines();
        }
        Snapshot.Counts counts = picture.snapshot().counts();
        out.printf(Locale.ROOT, "Stopped after placing %d pods.%n", counts.placed());
    }

    private static void draw(Terminal terminal, List<String> header, Snapshot snapshot) {
        terminal.measure();
        var layout = new ScreenLayout(terminal.width(), terminal.height(), Terminal.signs());
        terminal.show(layout.draw(header, snapshot));
    }

    /// Log lines on the same terminal would spoil the picture; they come after it. If they go
    /// elsewhere, they are left alone.
    private void holdLogLines() {
        if (!System.getProperty("berth.stderr", "").equals("elsewhere")) {
            log.setSink(line -> {
                synchronized (logLines) {
                    logLines.addLast(line);
                    if (logLines.size() > KEPT_LOG_LINES) {
                        logLines.removeFirst();
                    }
                }
            });
        }
    }

    private void releaseLogLines() {
        var standardError = ProcessLog.toStandardError();
        log.setSink(standardError);
        synchronized (logLines) {
            logLines.forEach(standardError);
        }
    }
}
