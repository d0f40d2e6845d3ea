package io.berth.app.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.app.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A few wrong and a few right command lines as processes of their own; the bulk is in
/// [BrokenInputTest].
class BrokenInputProcessTest {
    private static final int PATIENCE_SECONDS = 120;

    @TempDir Path folder;

    @ParameterizedTest
    @Tag("P-5")
    @Tag("P-6")
    @CsvSource(
            delimiter = '|',
            value = {
                "--nope | 1 | Error: unknown flag: --nope",
                "--secure-port=x | 1 | invalid argument \"x\" for \"--secure-port\" flag",
                "--secure-port=-1 | 1 | \"command failed\" err=\"--secure-port -1 must be",
                "-v 2 word | 1 | does not take any arguments, got [\"word\"]",
                "--feature-gates=Nope=true | 1 | \"command failed\" err=\"unrecognized feature gate: Nope\"",
                "--emulated-version=1.20 | 1 | emulation version 1.20 is not between",
                "--logging-format=xml | 1 | format: Invalid value: \"xml\"",
                "--logging-format=json --secure-port=-1 | 1 | \"msg\":\"command failed\",\"err\":\"--secure-port -1",
                "--config=/nowhere/file | 1 | open /nowhere/file: no such file or directory",
                "--config=broken.yaml | 1 | strict decoding error: unknown field",
                "--plugin-dir=/nowhere/folder | 1 | plugin folder /nowhere/folder cannot be read",
                "--leader-elect-resource-lock=endpoints | 1 | resourceLock value must be",
                "--version | 0 | Kubernetes v1.36.4",
                "--version=raw | 0 | version.Info{Major:\"1\", Minor:\"36\"",
                "--help | 0 | Leader election flags:",
                "--master=http://127.0.0.1:1 --write-config-to=out.yaml | 0 | \"Wrote configuration\" file=\"out.yaml\"",
            })
    void processEndsWithItsCodeAndASentence(String line, int exitCode, String sentence)
            throws Exception {
        Files.writeString(
                folder.resolve("broken.yaml"),
                """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                foo: 1
                """);
        Path output = folder.resolve("output");
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp"));
        command.add(System.getProperty("java.class.path"));
        command.add(Main.class.getName());
        command.addAll(List.of(line.split(" ", -1)));
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(output)).contains(sentence).doesNotContain("\tat ");
        assertThat(process.exitValue()).isEqualTo(exitCode);
    }
}
