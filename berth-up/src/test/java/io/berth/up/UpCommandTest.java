package io.berth.up;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.app.CommandLine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// `berth up` on the command line of the process, which finds it as a service.
class UpCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    @TempDir private Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "upp | unknown command \"upp\"; did you mean 'up'?",
                "up x | berth up: unexpected argument \"x\"; see 'berth help up'",
                "up --x | berth up: unknown flag: --x; see 'berth help up'",
                "up --nodes | berth up: flag needs an argument: --nodes; see 'berth help up'",
                "up --nodes -1 | berth up: --nodes must be a whole number from 0 to 20000, not \"-1\"; see 'berth help up'",
                "up --nodes x | berth up: --nodes must be a whole number from 0 to 20000, not \"x\"; see 'berth help up'",
                "up --nodes= | berth up: --nodes must be a whole number from 0 to 20000, not \"\"; see 'berth help up'",
                "up --port 99999 | berth up: --port must be a whole number from 0 to 65535, not \"99999\"; see 'berth help up'",
                "up --zones 0 | berth up: --zones must be a whole number from 1 to 100, not \"0\"; see 'berth help up'",
                "up --devices=some | berth up: invalid argument \"some\" for \"--devices\" flag: strconv.ParseBool: parsing \"some\": invalid syntax; see 'berth help up'",
                "up --devices --scenario zone-outage | berth up: --from and --scenario say which nodes and pods there are; leave out --nodes, --pods, --zones and --devices; see 'berth help up'",
                "up --scenario zone-outrage | there is no scenario \"zone-outrage\"; give a file or one of 5000-nodes, bad-selector, black-friday, gpu-fragmentation, preemption-cascade, rolling-skew, zone-outage",
                "up --from nowhere.yaml | there is no file nowhere.yaml; give the path of one",
                "up --no-demo --pods 3 | berth up: --pods and --no-demo contradict each other; leave one out; see 'berth help up'",
            })
    void wrongUseIsToldInOneSentenceWithCodeTwo(String line, String sentence) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(err).hasToString("Error: " + sentence + "\n");
        assertThat(out).hasToString("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"help up", "up --help", "up -h"})
    void helpListsItsFlags(String line) {
        assertThat(run(line.split(" "))).isEqualTo(0);
        assertThat(text())
                .contains(
                        "--nodes",
                        "--pods",
                        "--port",
                        "--zones",
                        "--no-demo",
                        "--devices",
                        "18443");
    }

    @Test
    void helpOfTheProcessNamesItAndNotTheRehearsal() {
        assertThat(run("--help")).isZero();
        assertThat(text())
                .contains("\n  up          Start a small cluster", "\n  version     Print")
                .endsWith("Try it without a cluster: berth up\n")
                .doesNotContain("rehearse");
    }

    @Test
    @Tag("P-1")
    void isOfferedFirst() {
        run("__complete", "");
        assertThat(text()).isEqualTo("up\nversion\nhelp\ncompletion\n:0\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "berth up --no | --no-controllers --no-demo --no-scheduler --nodes",
                "berth up --secure | ''",
                "berth --secure-p | --secure-port",
            })
    @DisabledOnOs(OS.WINDOWS)
    @Tag("P-1")
    void bashCompletesItsFlags(String line, String expected) throws Exception {
        run("completion", "bash");
        Path script =
                Files.writeString(
                        directory.resolve("script"),
                        text()
                                + "COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _berth;"
                                        .formatted(line)
                                + " printf '%s\\n' \"${COMPREPLY[@]}\"");
        var bash = new ProcessBuilder("bash", script.toString()).redirectErrorStream(true).start();
        String offered = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(offered.lines().filter(word -> !word.isEmpty()))
                .containsExactlyInAnyOrder(
                        expected.isEmpty() ? new String[0] : expected.split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zsh", "fish", "powershell"})
    @Tag("P-1")
    void otherScriptsKnowItsFlags(String shell) {
        run("completion", shell);
        assertThat(text()).contains("up", "no-scheduler");
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private int run(String... words) {
        return new CommandLine(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .run(List.of(words));
    }
}
