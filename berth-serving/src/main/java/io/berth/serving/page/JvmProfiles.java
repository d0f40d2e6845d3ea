package io.berth.serving.page;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import javax.management.JMException;
import javax.management.ObjectName;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/// What this JVM knows about itself.
final class JvmProfiles {
    private JvmProfiles() {}

    /// Switches on the measuring of how long threads wait for monitors, which costs a little.
    static void measureContention() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        if (threads.isThreadContentionMonitoringSupported()) {
            threads.setThreadContentionMonitoringEnabled(true);
        }
    }

    static String contention() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        var text = new StringBuilder("--- contention:\n");
        text.append("blocked blocked-ms waited waited-ms thread\n");
        Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingLong(ThreadInfo::getBlockedCount).reversed())
                .forEach(info ->
                        text.append(
                                "%d %d %d %d %s\n"
                                        .formatted(
                                                info.getBlockedCount(),
                                                info.getBlockedTime(),
                                                info.getWaitedCount(),
                                                info.getWaitedTime(),
                                                info.getThreadName())));
        return text.toString();
    }

    /// @param collect whether garbage is collected first, which stops the process for a moment
    static String heapHistogram(boolean collect) {
        return command("gcClassHistogram", collect ? new String[0] : new String[] {"-all"});
    }

    static String platformThreads() {
        return command("threadPrint", "-l");
    }

    static String allThreads() {
        var diagnostics = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return inFolder(folder -> {
            Path file = folder.resolve("threads");
            diagnostics.dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
            return Files.readString(file);
        });
    }

    /// Records for that long and returns the recording.
    ///
    /// @param settings a configuration that comes with the JDK: `default` or `profile`
    static byte[] record(String settings, Duration length) throws InterruptedException {
        requireRoom(Path.of(System.getProperty("java.io.tmpdir")));
        try (var recording = new Recording(Configuration.getConfiguration(settings))) {
            recording.start();
            Thread.sleep(length);
            recording.stop();
            return inFolder(folder -> {
                Path file = folder.resolve("recording.jfr");
                recording.dump(file);
                return Files.readAllBytes(file);
            });
        } catch (IOException | ParseException broken) {
            throw new IllegalStateException("the JDK's settings " + settings, broken);
        }
    }

    static List<String> commandLine() {
        ProcessHandle.Info process = ProcessHandle.current().info();
        var line = new ArrayList<String>();
        process.command().ifPresent(line::add);
        process.arguments().ifPresent(arguments -> line.addAll(List.of(arguments)));
        return line;
    }

    private static String command(String name, String... arguments) {
        try {
            var commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
            Object answer =
                    ManagementFactory.getPlatformMBeanServer()
                            .invoke(
                                    commands,
                                    name,
                                    new Object[] {arguments},
                                    new String[] {String[].class.getName()});
            return String.valueOf(answer);
        } catch (JMException unsupported) {
            return "not available in this JVM: " + unsupported.getMessage() + "\n";
        }
    }

    /// Recordings and dumps of threads are written to files first, by the JVM.
    ///
    /// @throws UncheckedIOException whose message says what to do
    static void requireRoom(Path folder) {
        if (!Files.isWritable(folder)) {
            String remedy = "this profile needs a writable folder: mount one at " + folder;
            throw new UncheckedIOException(remedy, new AccessDeniedException(folder.toString()));
        }
    }

    private interface Work<T> {
        T in(Path folder) throws IOException;
    }

    private static <T> T inFolder(Work<T> work) {
        requireRoom(Path.of(System.getProperty("java.io.tmpdir")));
        try {
            Path folder = Files.createTempDirectory("kube-scheduler-profile-");
            try {
                return work.in(folder);
            } finally {
                try (var files = Files.list(folder)) {
                    for (Path file : files.toList()) {
                        Files.delete(file);
                    }
                }
                Files.delete(folder);
            }
        } catch (IOException full) {
            throw new UncheckedIOException("no room for a profile", full);
        }
    }
}
