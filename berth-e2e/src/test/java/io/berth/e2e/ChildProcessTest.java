package io.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class ChildProcessTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int STATUS_OF_SIGKILL = 128 + 9;
    private static final int STATUS_OF_SIGTERM = 128 + 15;

    @TempDir private Path folder;
    private Stream<ChildProcess> toClose = Stream.of();

    @AfterEach
    void closeAll() {
        toClose.forEach(ChildProcess::close);
    }

    @Test
    void stopLetsTheProgramEndByItself() {
        ChildProcess child =
                shell("trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.1; done");
        child.start().awaitLine("up", LIMIT);

        assertThat(child.stop(LIMIT)).isEqualTo(3);
        assertThat(child.logLines()).containsExactly("up", "bye");
    }

    @Test
    void stopKillsAProgramThatDoesNotListen() {
        ChildProcess child = shell("trap '' TERM; echo up; while :; do sleep 0.1; done");
        child.start().awaitLine("up", LIMIT);

        assertThat(child.stop(Duration.ofMillis(200))).isEqualTo(STATUS_OF_SIGKILL);
    }

    @Test
    void frozenProgramCanBeStopped() {
        ChildProcess child = shell("echo up; exec sleep 60").start();
        child.awaitLine("up", LIMIT);
        child.pause();

        assertThat(child.stop(LIMIT)).isEqualTo(STATUS_OF_SIGTERM);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void pausedProgramStandsStillUntilItGoesOn() throws Exception {
        ChildProcess child = shell("echo up; read line <" + fifo() + "; echo $line; exec sleep 60");
        child.start().awaitLine("up", LIMIT);
        child.pause();
        assertThat(state(child.pid())).isEqualTo('T');

        child.resume();
        Files.writeString(fifo(), "hello\n");

        assertThat(child.awaitLine("hello", LIMIT)).isEqualTo("hello");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void killTakesAlongWhatTheProgramStarted() {
        ChildProcess child = shell("sleep 60 & echo pid $!; wait").start();
        long grandchild = Long.parseLong(child.awaitLine("pid ", LIMIT).substring(4));

        child.kill();

        await().atMost(LIMIT).until(() -> state(grandchild) == 'Z');
    }

    @Test
    void endedProgramCanBeStartedAgainAndAppendsToItsLog() {
        ChildProcess child = shell("echo once");
        assertThat(child.start().awaitEnd(LIMIT)).isZero();
        assertThat(child.start().awaitEnd(LIMIT)).isZero();

        assertThat(child.logLines()).containsExactly("once", "once");
    }

    @Test
    void waitingForAProgramThatEndsFailsAtOnceWithItsLog() {
        ChildProcess child = shell("echo no luck; exit 7").start();

        assertThatIllegalStateException()
                .isThrownBy(() -> child.await("ready", LIMIT, () -> false))
                .withMessageStartingWith("child ended with status 7 before ready")
                .withMessageEndingWith("no luck");
    }

    @Test
    void waitingTooLongFailsWithTheLog() {
        ChildProcess child = shell("echo busy; exec sleep 60").start();
        child.awaitLine("busy", LIMIT);

        assertThatIllegalStateException()
                .isThrownBy(() -> child.await("ready", Duration.ofMillis(100), () -> false))
                .withMessageStartingWith("child: not ready within 100 ms")
                .withMessageEndingWith("busy");
    }

    @Test
    void runningProgramIsNotStartedTwice() {
        ChildProcess child = shell("exec sleep 60").start();

        assertThatIllegalStateException()
                .isThrownBy(child::start)
                .withMessageStartingWith("child runs already, as process " + child.pid());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void programIsKilledEvenWhereTheJvmIs() throws IOException {
        Path pid = folder.resolve("pid");
        var parent =
                new ChildProcess(
                        "parent",
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                home(ChildProcess.class) + File.pathSeparator + home(Parent.class),
                                Parent.class.getName(),
                                pid.toString()),
                        folder.resolve("parent.log"));
        try (parent) {
            parent.start();
            parent.await("a parent", LIMIT, () -> Files.exists(pid));
            long child = Long.parseLong(Files.readString(pid));
            assertThat(state(child)).isNotEqualTo('Z');
            // Not the tree of processes, as `kill` would.
            parent.signal("KILL");
            await().atMost(LIMIT).until(() -> state(child) == 'Z');
        }
    }

    /// Starts a program and waits to be killed.
    static final class Parent {
        public static void main(String[] arguments) throws Exception {
            Path pid = Path.of(arguments[0]);
            var child =
                    new ChildProcess(
                            "child", List.of("sleep", "60"), pid.resolveSibling("child.log"));
            child.start();
            Path complete = pid.resolveSibling("pid.part");
            Files.writeString(complete, Long.toString(child.pid()));
            Files.move(complete, pid);
            Thread.sleep(LIMIT);
        }
    }

    private static Path home(Class<?> type) {
        return Path.of(
                URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    private ChildProcess shell(String script) {
        var child = new ChildProcess("child", List.of("sh", "-c", script), folder.resolve("log"));
        toClose = Stream.concat(toClose, Stream.of(child));
        return child;
    }

    private Path fifo() throws Exception {
        Path fifo = folder.resolve("fifo");
        if (!Files.exists(fifo)) {
            assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
        }
        return fifo;
    }

    /// The letter that Linux has for what a process does: T is stopped, Z is dead but not buried.
    private static char state(long pid) {
        Path file = Path.of("/proc", Long.toString(pid), "stat");
        try {
            String line = Files.readString(file);
            return line.charAt(line.lastIndexOf(')') + 2);
        } catch (IOException gone) {
            return 'Z';
        }
    }
}
