package io.berth.e2e.differential;

import io.berth.e2e.SchedulerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// One of the two schedulers: a process that is heard through its log.
///
/// One thread uses it.
final class Contestant implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(3);

    private final String name;
    private final String schedulerName;
    private final SchedulerProcess process;
    private final LogTail tail;
    private final Set<String> nodes = new HashSet<>();
    private final Set<String> boundPods = new HashSet<>();
    private final List<LogLine> lines = new ArrayList<>();

    Contestant(String name, String schedulerName, SchedulerProcess process) {
        this.name = name;
        this.schedulerName = schedulerName;
        this.process = process;
        this.tail = new LogTail(process.process().logFile());
    }

    String name() {
        return name;
    }

    /// What pods ask for to be placed by this one.
    String schedulerName() {
        return schedulerName;
    }

    /// The nodes that it knows.
    Set<String> nodes() {
        return nodes;
    }

    /// Whether it has seen this pod on a node.
    boolean hasSeenBound(String pod) {
        return boundPods.contains(pod);
    }

    /// Forgets what was said about pods so far.
    void turnPage() {
        listen();
        lines.clear();
        boundPods.clear();
    }

    /// What it has said about a pod since the page was turned.
    List<LogLine> about(String pod) {
        return lines.stream()
                .filter(line ->
                        line.value("pod").equals(pod) || line.value("preemptor").equals(pod))
                .toList();
    }

    /// Listens until something has come true.
    ///
    /// @return false where the limit passed before
    boolean listenUntil(BooleanSupplier reached, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            listen();
            if (reached.getAsBoolean()) {
                return true;
            }
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            if (!process.process().running()) {
                throw new IllegalStateException(
                        name + " has ended\n" + process.process().logTail());
            }
            pause(PAUSE);
        }
    }

    static void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted between two looks at a log", e);
        }
    }

    private void listen() {
        for (var text : tail.newLines()) {
            LogLine.parse(text).ifPresent(this::hear);
        }
    }

    private void hear(LogLine line) {
        switch (line.sentence()) {
            case LogLine.NODE_ADDED -> nodes.add(line.value("node"));
            case LogLine.NODE_DELETED -> nodes.remove(line.value("node"));
            case LogLine.BOUND_POD_ADDED -> boundPods.add(line.value("pod"));
            default -> lines.add(line);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
