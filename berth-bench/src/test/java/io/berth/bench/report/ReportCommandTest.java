package io.berth.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
    private static final Surroundings HERE = new Surroundings("2 processors", "abc1234");

    @TempDir Path folder;

    private Measurement measurement(Duration limit) {
        return new Measurement(folder, folder.resolve("results"), HERE, limit);
    }

    private ReportCommand rendering(Path into) {
        var command = new ReportCommand(folder);
        command.read(
                List.of(
                        "--render",
                        "--results",
                        folder.resolve("results").toString(),
                        "--into",
                        into.toString()));
        return command;
    }

    @Test
    void whatACommandPrintsIsKeptAndWrittenIntoTheDocument() throws Exception {
        var into = folder.resolve("document.md");
        Files.writeString(into, "words\n<!-- report: events -->\n<!-- report end -->\n");
        measurement(Duration.ofMinutes(1)).run("events", "echo '| 1 |'; echo aside >&2");

        assertThat(rendering(into).run()).isTrue();

        assertThat(Files.readString(into))
                .startsWith("words\n<!-- report: events -->\n`echo '| 1 |'; echo aside >&2`, ")
                .contains(", commit abc1234, 0 s, load before it ")
                .endsWith(":\n\n| 1 |\n<!-- report end -->\n");
    }

    @Test
    void failedCommandIsToldAndWhatWasKeptOfItStays() throws Exception {
        var measurement = measurement(Duration.ofMinutes(1));
        measurement.run("twin", "echo before");

        assertThatThrownBy(() -> measurement.run("twin", "echo half; exit 3"))
                .hasMessage("twin failed with status 3: echo half; exit 3");

        assertThat(Result.kept(folder.resolve("results"), "twin"))
                .hasValueSatisfying(kept -> assertThat(kept.output()).isEqualTo("before\n"));
    }

    @Test
    void commandThatDoesNotEndIsEnded() {
        assertThatThrownBy(() -> measurement(Duration.ofMillis(50)).run("twin", "sleep 600"))
                .hasMessage("twin did not end within 0 s: sleep 600");
    }

    @Test
    void badInputGetsASentence() throws IOException {
        var command = new ReportCommand(folder);
        assertThatThrownBy(() -> command.read(List.of("--parts", "engine,nothing")))
                .hasMessage("no part is called \"nothing\"; --list names them");
        assertThatThrownBy(() -> command.read(List.of("--parts")))
                .hasMessage("--parts wants a value");
        assertThatThrownBy(() -> command.read(List.of("--fast")))
                .hasMessage("unknown option --fast; see berth-bench/report --help");

        var results = folder.resolve("results");
        assertThatThrownBy(rendering(folder.resolve("x.md"))::run)
                .hasMessage("nothing is kept in " + results + "; measure something first");
        Files.createDirectories(results);
        Files.writeString(results.resolve("twin.json"), "{\"part\": 3");
        assertThatThrownBy(rendering(folder.resolve("x.md"))::run)
                .hasMessage(
                        results.resolve("twin.json")
                                + " holds no result of the report; measure the part again or"
                                + " delete it");
    }

    @Test
    void partsAreMeasuredInTheOrderOfTheReport() {
        assertThat(Part.named("flood,engine"))
                .extracting(Part::name)
                .containsExactly("engine", "flood");
        assertThat(Part.all()).extracting(Part::name).doesNotHaveDuplicates();
    }
}
