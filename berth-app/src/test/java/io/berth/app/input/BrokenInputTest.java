package io.berth.app.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whatever is wrong with the input, the program ends at once with code 1 and a sentence that names
/// the place; a stack trace helps nobody.
///
/// All lines ask for the configuration to be written, so that one which turns out to be good ends
/// too, with code 0.
@Timeout(60)
class BrokenInputTest {
    private static final long SEED = 36_4;

    @TempDir Path folder;

    static Stream<BrokenCommandLines.Case> commandLines() {
        return BrokenCommandLines.cases(new Random(SEED)).stream();
    }

    static Stream<BrokenConfigurations.Case> configurations() throws Exception {
        return BrokenConfigurations.cases(new Random(SEED)).stream();
    }

    @Test
    void thereAreHundredsOfCases() throws Exception {
        assertThat(commandLines().count()).isGreaterThan(300);
        assertThat(configurations().count()).isGreaterThan(200);
    }

    @ParameterizedTest
    @MethodSource("commandLines")
    @Tag("P-5")
    @Tag("P-10")
    void brokenCommandLineIsRefusedByName(BrokenCommandLines.Case broken) {
        var words = new ArrayList<>(broken.words());
        if (!words.toString().contains("--write-config-to")) {
            words.addFirst("--write-config-to=" + folder.resolve("out"));
        }
        if (!words.toString().contains("--kubeconfig")) {
            words.addFirst("--master=http://127.0.0.1:1");
        }
        assertRefused(Invocation.of(words), broken.named());
    }

    @ParameterizedTest
    @MethodSource("configurations")
    @Tag("P-5")
    @Tag("P-41")
    void brokenConfigurationIsRefusedByField(BrokenConfigurations.Case broken) throws Exception {
        Path file = folder.resolve("config");
        Files.writeString(file, broken.text());
        assertRefused(configured(file), broken.named());
    }

    @Test
    @Tag("P-60")
    void configurationFromWhichTheBrokenOnesAreMadeIsGood() throws Exception {
        Path file = folder.resolve("config");
        Files.writeString(file, BrokenConfigurations.GOOD);
        Invocation call = configured(file);
        assertThat(call.log()).last().asString().contains("\"Wrote configuration\"");
        assertThat(call.exitCode()).isZero();
    }

    private Invocation configured(Path file) {
        return Invocation.of(
                "--master=http://127.0.0.1:1",
                "--config=" + file,
                "--write-config-to=" + folder.resolve("out"));
    }

    private static void assertRefused(Invocation call, String named) {
        assertThat(call.exitCode()).as(call.toString()).isEqualTo(1);
        assertThat(call.lastWords()).contains(named).doesNotContain("Exception");
        assertThat(String.join("\n", call.log()) + call.err()).doesNotContain("\tat ");
        assertThat(List.of(call.out())).containsExactly("");
    }
}
