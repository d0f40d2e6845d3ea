package io.berth.up;

import io.berth.app.StopSignal;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// Prints a line for everything that happens: for pipes, files and plain terminals.
final class LineDisplay implements Display {
    private final PrintStream out;
    private final List<String> early = new ArrayList<>();
    private boolean started;

    LineDisplay(PrintStream out) {
        this.out = out;
    }

    @Override
    public synchronized void happened(ClusterPicture.Happening happening) {
        if (started) {
            print(happening.text());
        } else {
            // The header comes first.
            early.add(happening.text());
        }
    }

    @Override
    public void run(List<String> header, ClusterPicture picture, StopSignal stop)
            throws InterruptedException {
        synchronized (this) {
            header.forEach(this::print);
            print("");
            early.forEach(this::print);
            early.clear();
            started = true;
        }
        stop.await();
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }
}
