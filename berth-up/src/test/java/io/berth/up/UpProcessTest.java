package io.berth.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.app.Main;
import io.berth.testkit.HeldPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `berth up` as a process of its own: what it prints, and how it ends.
@DisabledOnOs(OS.WINDOWS)
@Timeout(420)
class UpProcessTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir Path directory;
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP"})
    void signalStopsItWithCodeZeroAndLeavesNothingBehind(String signal) throws Exception {
        Process up = start("up", "--port", "0", "--nodes", "2", "--pods", "5");
        awaitPlacement(up);
        assertThat(out()).contains("export KUBECONFIG=" + directory, "kubectl get pods");
        signal(up, signal);
        assertThat(up.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(up.exitValue()).isZero();
        assertThat(err()).isEmpty();
        assertThat(leftovers()).isEmpty();
    }

    @Test
    void busyPortIsToldInOneSentence() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process up = start("up", "--port", Integer.toString(taken.getLocalPort()));
            assertThat(up.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(up.exitValue()).isEqualTo(1);
            assertThat(err())
                    .startsWith("Error: port " + taken.getLocalPort() + " is in use")
                    .contains("--port")
                    .hasLineCount(1);
            assertThat(leftovers()).isEmpty();
        }
    }

    @Test
    void killedProcessDoesNotHinderTheNext() throws Exception {
        try (var held = new HeldPort()) {
            String port = Integer.toString(held.number());
            Process killed = start("up", "--port", port, "--nodes", "1", "--pods", "2");
            awaitPlacement(killed);
            killed.destroyForcibly().waitFor();
            Process next = start("up", "--port", port, "--nodes", "1", "--pods", "2");
            awaitPlacement(next);
            signal(next, "TERM");
            assertThat(next.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(next.exitValue()).isZero();
            assertThat(leftovers()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | {nodes: [{}], steps: [{expect: {pending: 0}}]} | everything came as expected",
                "3 | {nodes: [{}], steps: [{expect: {running: 1, within: 1ms}}]} | expected {running=1} within 1ms and found {running=0}",
                "3 | {steps: [{scale: deploy/nobody 3}]} | a step was refused: ",
                "2 | {steps: [{dance: 1}]} | steps[0] is none of",
            })
    void scenarioEndsTheProcessWithACodeThatTellsHowItWent(int code, String text, String line)
            throws Exception {
        Path file = Files.writeString(directory.resolve("scenario.yaml"), text);
        Process up = start("up", "--port", "0", "--scenario", file.toString(), "--until-done");
        assertThat(up.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(up.exitValue()).as(out() + err()).isEqualTo(code);
        assertThat(out() + err()).contains(line);
    }

    private Process start(String... arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("tmp")),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName()));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(directory.resolve("out").toFile())
                        .redirectError(directory.resolve("err").toFile())
                        .start();
        started.add(process);
        return process;
    }

    private void awaitPlacement(Process up) {
        await().atMost(PATIENCE)
                .failFast("berth up ended by itself", () -> !up.isAlive())
                .until(() -> out().contains(" -> node-"));
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    private String out() throws IOException {
        return Files.readString(directory.resolve("out"));
    }

    private String err() throws IOException {
        return Files.readString(directory.resolve("err"));
    }

    private List<Path> leftovers() throws IOException {
        try (var files = Files.list(directory.resolve("tmp"))) {
            return files.filter(file -> !file.getFileName().toString().startsWith("hsperf"))
                    .toList();
        }
    }
}
