package io.berth.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A program started by this JVM, with its output in a file. It can be stopped, killed, frozen and
/// started again.
///
/// ```
///   created ──start──► running ◄──pause, resume──► frozen
///                       │  ▲                          │
///            stop, kill │  │ start                    │ stop, kill
///                       ▼  │                          │
///                       ended ◄───────────────────────┘
/// ```
///
/// Whatever still runs is killed when the JVM ends, also on an interrupt, and by a [Guardian] even
/// where the JVM itself is killed. Several threads may use one; its own lock guards the process
/// handle.
public final class ChildProcess implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration END_LIMIT = Duration.ofSeconds(30);
    private static final int TAIL_LINES = 40;

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();
    private static final Guardian GUARDIAN = new Guardian();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> RUNNING.forEach(ChildProcess::killTree),
                                "kill child processes"));
    }

    private final String name;
    private final List<String> command;
    private final Path log;
    private @Nullable Process process;

    /// A program that is not started yet. `name` stands in failure messages; output is appended to
    /// `log`.
    public ChildProcess(String name, List<String> command, Path log) {
        this.name = name;
        this.command = List.copyOf(command);
        this.log = log;
    }

    /// Starts the program; it must not be running.
    public synchronized ChildProcess start() {
        if (process != null && process.isAlive()) {
            throw new IllegalStateException(name + " runs already, as process " + process.pid());
        }
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name + ": " + e.getMessage(), e);
        }
        RUNNING.add(process);
        GUARDIAN.started(process);
        return this;
    }

    /// Asks the program to end as an operator would (SIGTERM); kills it if it has not ended within
    /// `limit`. Returns its exit status.
    public int stop(Duration limit) {
        Process ending = handle();
        signal(ending, "CONT"); // a frozen program would not hear the request
        ending.destroy();
        if (!endsWithin(ending, limit)) {
            return kill();
        }
        forget(ending);
        return ending.exitValue();
    }

    /// Ends the program at once (SIGKILL), frozen or not, and returns its exit status.
    public int kill() {
        Process ending = handle();
        killTree(ending);
        if (!endsWithin(ending, END_LIMIT)) {
            throw new IllegalStateException(
                    name + ", process " + ending.pid() + ", is still there after SIGKILL");
        }
        forget(ending);
        return ending.exitValue();
    }

    /// Freezes the program (SIGSTOP): its sockets stay open and nobody answers on them. Returns
    /// when its last thread stands still, which is a moment after the signal.
    public void pause() {
        signal("STOP");
        await("frozen", END_LIMIT, this::frozen);
    }

    /// Lets a frozen program go on (SIGCONT).
    public void resume() {
        signal("CONT");
    }

    /// Sends any signal by its name without `SIG`, for example `USR2`.
    public void signal(String signalName) {
        if (!signal(handle(), signalName)) {
            throw new IllegalStateException(
                    "cannot send SIG" + signalName + " to " + name + ", which is not running");
        }
    }

    /// Whether the program has been started and has not ended.
    public synchronized boolean running() {
        return process != null && process.isAlive();
    }

    /// The exit status of a program that has ended by itself or otherwise.
    public synchronized OptionalInt exitStatus() {
        return process == null || process.isAlive()
                ? OptionalInt.empty()
                : OptionalInt.of(process.exitValue());
    }

    /// The operating system's id of the process that was started last.
    public long pid() {
        return handle().pid();
    }

    /// Waits until the program ends by itself and returns its exit status.
    public int awaitEnd(Duration limit) {
        Process ending = handle();
        if (!endsWithin(ending, limit)) {
            throw new IllegalStateException(
                    "%s still runs after %s%n%s".formatted(name, text(limit), logTail()));
        }
        forget(ending);
        return ending.exitValue();
    }

    /// Waits until `reached` holds. Fails with the tail of the log when the limit passes or the
    /// program ends before.
    public void await(String what, Duration limit, BooleanSupplier reached) {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        while (!reached.getAsBoolean()) {
            OptionalInt status = exitStatus();
            if (status.isPresent()) {
                throw new IllegalStateException(
                        "%s ended with status %d before %s%n%s"
                                .formatted(name, status.getAsInt(), what, logTail()));
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException(
                        "%s: not %s within %s%n%s".formatted(name, what, text(limit), logTail()));
            }
            pausePolling();
        }
    }

    /// Waits for a line of the log that contains `text`, and returns it.
    public String awaitLine(String text, Duration limit) {
        Predicate<String> wanted = line -> line.contains(text);
        await(
                "a log line with \"" + text + "\"",
                limit,
                () -> logLines().stream().anyMatch(wanted));
        return logLines().stream().filter(wanted).findFirst().orElseThrow();
    }

    /// All that the program has written so far, over all its starts.
    public List<String> logLines() {
        try {
            // A line may be half written and a character cut, so malformed input is no error here.
            return Files.exists(log)
                    ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The file that the program's output goes to.
    public Path logFile() {
        return log;
    }

    /// The last lines of the log with a heading, for failure messages.
    public String logTail() {
        List<String> lines = logLines();
        List<String> tail = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
        return "--- last %d of %d lines of %s ---%n%s"
                .formatted(
                        tail.size(),
                        lines.size(),
                        log.getFileName(),
                        String.join(System.lineSeparator(), tail));
    }

    /// Kills the program if it runs.
    @Override
    public void close() {
        if (running()) {
            kill();
        }
    }

    /// Whether every thread is in the state `T`. Only Linux tells; elsewhere the signal is trusted.
    private boolean frozen() {
        Path threads = Path.of("/proc", Long.toString(pid()), "task");
        if (!Files.isDirectory(threads)) {
            return true;
        }
        try (var all = Files.list(threads)) {
            for (Path thread : all.toList()) {
                String line = Files.readString(thread.resolve("stat"));
                if (line.charAt(line.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException | UncheckedIOException threadEnded) {
            return false;
        }
    }

    private static String text(Duration limit) {
        return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " s" : limit.toMillis() + " ms";
    }

    private synchronized Process handle() {
        if (process == null) {
            throw new IllegalStateException(name + " has not been started");
        }
        return process;
    }

    private static void forget(Process ended) {
        RUNNING.remove(ended);
        GUARDIAN.ended(ended);
    }

    /// Also what the program started itself: a launcher script may wait for the real program.
    private static void killTree(Process process) {
        List<ProcessHandle> tree = process.descendants().toList();
        process.destroyForcibly();
        tree.forEach(ProcessHandle::destroyForcibly);
    }

    private static boolean signal(Process process, String signalName) {
        if (!process.isAlive()) {
            return false;
        }
        // `kill` is a builtin of every shell; a separate program of that name is not everywhere.
        var command = List.of("sh", "-c", "kill -" + signalName + " " + process.pid());
        try {
            Process kill =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return endsWithin(kill, END_LIMIT) && kill.exitValue() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean endsWithin(Process process, Duration limit) {
        try {
            return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a process to end", e);
        }
    }

    private static void pausePolling() {
        try {
            Thread.sleep(POLL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for a process", e);
        }
    }
}
