package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Nested
    class AsTheScheduler {
        @Test
        @Tag("P-14")
        void versionFlagPrintsTheKubernetesVersion() {
            assertThat(run("--version")).isEqualTo(0);
            assertThat(out).hasToString("Kubernetes v1.36.4\n");
        }

        @Test
        @Tag("P-12")
        void helpGoesToStandardOutputWithEveryGroup() {
            assertThat(run("--help")).isEqualTo(0);
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .contains("Usage:\n  berth [flags]")
                    .containsSubsequence(
                            "Misc flags:",
                            "Secure serving flags:",
                            "Authentication flags:",
                            "Authorization flags:",
                            "Deprecated flags:",
                            "Leader election flags:",
                            "Feature gate flags:",
                            "Metrics flags:",
                            "Logs flags:",
                            "Global flags:");
            assertThat(err).hasToString("");
        }

        @Test
        @Tag("P-10")
        void unknownFlagIsToldAfterTheUsage() {
            assertThat(run("--foo")).isEqualTo(1);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .startsWith("Usage:\n")
                    .endsWith("\nError: unknown flag: --foo\n");
        }

        @Test
        @Tag("P-11")
        void argumentsBehindFlagsAreRefused() {
            assertThat(run("-v", "4", "a", "", "b c")).isEqualTo(1);
            assertThat(err)
                    .hasToString(
                            "Error: \"kube-scheduler\" does not take any arguments, got [\"a\" \"\""
                                    + " \"b c\"]\n");
        }

        @Test
        @Tag("P-11")
        void wordThatIsNoCommandIsAnArgument() {
            assertThat(run("foo")).isEqualTo(1);
            assertThat(err)
                    .hasToString(
                            "Error: \"kube-scheduler\" does not take any arguments, got [\"foo\"]\n");
        }

        @Test
        @Tag("P-27")
        void unknownLogFormatIsRefused() {
            assertThat(run("--logging-format=xml")).isEqualTo(1);
            assertThat(err).hasToString("format: Invalid value: \"xml\": Unsupported log format\n");
        }
    }

    @Nested
    class Commands {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '`',
                value = {
                    "vers | unknown command \"vers\"; did you mean 'version'?",
                    "help foo | unknown command \"foo\"; see 'berth --help'",
                    "version x | berth version: unexpected argument \"x\"; the command takes none",
                })
        void wrongUseIsToldInOneSentenceWithCodeTwo(String line, String sentence) {
            assertThat(run(line.split(" "))).isEqualTo(2);
            assertThat(err).hasToString("Error: " + sentence + "\n");
            assertThat(out).hasToString("");
        }

        @Test
        void versionNamesBerthKubernetesAndJava() {
            assertThat(run("version")).isEqualTo(0);
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .containsSubsequence("Berth", "Kubernetes  v1.36.4", "Java        25");
        }
    }

    private int run(String... words) {
        return new CommandLine(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(List.of(words));
    }
}
