package io.berth.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How a Java with the package's options ends: never without a word that one could get, and never
/// with one on standard output.
@DisabledOnOs(OS.WINDOWS)
class JvmOptionsProcessTest {
    private static final Path IMAGE = Path.of("..", "deploy", "image");

    @TempDir Path folder;

    private record Outcome(int exitCode, String out, String err) {}

    /// The JVM's own sentence would be silenced at first, and for good where a door is shut.
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+WhiteBoxAPI", "-XX:-WhiteBoxAPI"})
    void endForWantOfMemoryIsTold(String door) throws Exception {
        var outcome = run(door, "-Xmx48m");
        assertThat(outcome.exitCode).isEqualTo(3);
        assertThat(outcome.out).isEmpty();
        assertThat(outcome.err).isEqualTo("Terminating due to java.lang.OutOfMemoryError\n");
    }

    @Test
    void whyItCannotBeginIsToldOnceItMaySpeak() throws Exception {
        var silent = run("-Xmx999t");
        assertThat(silent.exitCode).isEqualTo(1);
        var outcome = run("-Xmx999t", "-XX:+DisplayVMOutput");
        assertThat(outcome.exitCode).isEqualTo(1);
        assertThat(outcome.out).isEmpty();
        assertThat(outcome.err).contains("Error occurred during initialization of VM");
    }

    private Outcome run(String... options) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + IMAGE.resolve("jvm.options"));
        command.add("-XX:CompilerDirectivesFile=" + IMAGE.resolve("compiler.json"));
        command.addAll(List.of(options));
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), EndlessList.class.getName()));
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        var process =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
