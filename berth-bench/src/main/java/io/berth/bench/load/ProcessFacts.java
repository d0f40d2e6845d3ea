package io.berth.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// What the operating system tells about a process. Linux only.
record ProcessFacts(double cpuSeconds, long rssBytes, long peakRssBytes) {
    /// The kernel counts processor time in these, on every Linux that Java runs on.
    private static final double TICKS_PER_SECOND = 100;

    static ProcessFacts of(long pid) {
        try {
            Path folder = Path.of("/proc", Long.toString(pid));
            String stat = Files.readString(folder.resolve("stat"));
            // The name in parentheses may hold blanks; user and system time are fields 14 and 15.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            double ticks = Double.parseDouble(fields[11]) + Double.parseDouble(fields[12]);
            List<String> status = Files.readAllLines(folder.resolve("status"));
            return new ProcessFacts(
                    ticks / TICKS_PER_SECOND, bytes(status, "VmRSS:"), bytes(status, "VmHWM:"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read about process " + pid, e);
        }
    }

    private static long bytes(List<String> status, String name) {
        return status.stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .findFirst()
                .orElse(0);
    }
}
