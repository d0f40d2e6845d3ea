package io.berth.app.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A Java that was started with the package's options and a directive.
class LateCompilationProcessTest {
    @TempDir Path folder;

    @Test
    void methodThatWasLeftToTheFirstCompilerRises() throws Exception {
        assertThat(outputWith("-XX:+WhiteBoxAPI")).isEqualTo("level 1\nrestarted\nlevel 4\n");
    }

    @Test
    void nothingHappensWhereTheDoorIsShut() throws Exception {
        assertThat(outputWith("-XX:-WhiteBoxAPI"))
                .startsWith("level 1\nshut: java.lang.UnsatisfiedLinkError: ")
                .hasLineCount(2);
    }

    private String outputWith(String option) throws Exception {
        Path directives =
                Files.writeString(
                        folder.resolve("compiler.json"),
                        "[ { match: [\""
                                + RisingMethod.class.getName().replace('.', '/')
                                + ".work\"], c2: { Exclude: true } } ]");
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString()));
        command.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-DisplayVMOutput",
                        // Else its caller takes it in, and it is never called by itself again.
                        "-XX:CompileCommand=dontinline,"
                                + RisingMethod.class.getName()
                                + "::work"));
        command.addAll(List.of(option, "-XX:CompilerDirectivesFile=" + directives));
        command.addAll(List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        RisingMethod.class.getName()));
        Path out = folder.resolve("out");
        var process =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(out);
    }
}
