package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.app.input.Invocation;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("P-1")
class CompletionTest {
    @TempDir Path directory;

    /// The answers of kube-scheduler to the same words.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--conf | --config :4",
                "--leader-elect-re | --leader-elect-renew-deadline --leader-elect-resource-lock"
                        + " --leader-elect-resource-name --leader-elect-resource-namespace"
                        + " --leader-elect-retry-period :4",
                "--config=a | yaml yml json :8",
                "--config,x | yaml yml json :8",
                "--kubeconfig,x | :0",
                "-v,3 | :0",
                "--leader-elect,x | :0",
                "x | :0",
            })
    void wordsAreOfferedAsKubeSchedulerDoes(String words, String expected) {
        var line = new ArrayList<>(List.of("__completeNoDesc"));
        line.addAll(List.of(words.split(",")));
        assertThat(Invocation.of(line).out().strip().replace('\n', ' ')).isEqualTo(expected);
    }

    @Test
    void candidatesAreExplained() {
        assertThat(Invocation.of("__complete", "--conf").out())
                .isEqualTo("--config\tFile with the scheduler's configuration.\n:4\n");
        assertThat(Invocation.of("__complete", "").out())
                .isEqualTo("version\nhelp\ncompletion\n:0\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish", "powershell"})
    void everyScriptKnowsBothNamesAndAllFlags(String shell) {
        var script = Invocation.of("completion", shell);
        assertThat(script.exitCode()).isZero();
        assertThat(script.out()).contains("berth", "kube-scheduler");
        SchedulerFlags.SET.sorted().forEach(flag -> assertThat(script.out()).contains(flag.name()));
    }

    @Test
    void unknownShellIsRefused() {
        var refused = Invocation.of("completion", "tcsh");
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err())
                .isEqualTo(
                        "Error: berth completion: expected one of bash, zsh, fish, powershell; got"
                                + " \"tcsh\"\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "berth --leader-elect-ret | --leader-elect-retry-period",
                "kube-scheduler --secure-p | --secure-port",
                "berth vers | version",
                "berth --config c | c.yaml c.yml c.json",
                "berth --config = c | c.yaml c.yml c.json",
                "berth --kubeconfig c | c.json c.txt c.yaml c.yml",
                "berth --cert-dir f | folder",
                "berth --secure-port 1 | ''",
                "berth --logging-format '' | text json",
                "berth --tls-min-version = VersionTLS13 | VersionTLS13",
                "berth completion '' | bash zsh fish powershell",
            })
    @DisabledOnOs(OS.WINDOWS)
    void bashCompletes(String line, String expected) throws Exception {
        for (String name : List.of("c.yaml", "c.yml", "c.json", "c.txt")) {
            Files.createFile(directory.resolve(name));
        }
        Files.createDirectory(directory.resolve("folder"));
        String offered =
                bash(
                        Invocation.of("completion", "bash").out()
                                + "COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _berth;"
                                        .formatted(line)
                                + " printf '%s\\n' \"${COMPREPLY[@]}\"");
        assertThat(offered.lines().filter(word -> !word.isEmpty()))
                .containsExactlyInAnyOrder(
                        expected.isEmpty() ? new String[0] : expected.split(" "));
    }

    /// The same questions to fish, which answers without a terminal.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "berth --leader-elect-ret | --leader-elect-retry-period",
                "kube-scheduler --secure-p | --secure-port",
                "berth vers | version",
                "berth --kubeconfig=c. | --kubeconfig=c.txt",
                "berth --cert-dir f | folder/",
                "berth --secure-port 1 | ''",
                "berth --logging-format t | text",
                "berth completion z | zsh",
            })
    @EnabledIf("hasFish")
    void fishCompletes(String line, String expected) throws Exception {
        Files.createFile(directory.resolve("c.txt"));
        Files.createDirectory(directory.resolve("folder"));
        Path script =
                Files.writeString(
                        directory.resolve("script"),
                        Invocation.of("completion", "fish").out()
                                + "complete -C '%s'\n".formatted(line));
        assertThat(run("fish", "--no-config", script.toString()).lines())
                .map(word -> word.split("\t", -1)[0])
                .containsExactlyInAnyOrder(
                        expected.isEmpty() ? new String[0] : expected.split(" "));
    }

    static boolean hasFish() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "fish")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish", "powershell"})
    void everyFlagIsExplainedOnOneLine(String shell) {
        assertThat(Invocation.of("completion", shell).out())
                .doesNotContain("These can be chosen")
                .contains("completion");
    }

    private String bash(String text) throws IOException, InterruptedException {
        return run("bash", Files.writeString(directory.resolve("script"), text).toString());
    }

    private String run(String... command) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return output;
    }
}
