package io.berth.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.e2e.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

class DocumentTest {
    private static final String TEXT =
            """
            # Benchmarks

            On <!-- no mark -->:
            <!-- report: machine -->
            some machine
            <!-- report end -->

            What it is.

            <!-- report: engine -->
            old figures

            | old |
            <!-- report end -->

            More words.

            <!-- report: events -->
            | kept |
            <!-- report end -->
            """;

    private static Result result(String part, String machine, String output) {
        return new Result(
                part, "berth-bench/" + part, "2026-11-18", "abc1234", machine, 0.25, 130, output);
    }

    private static final Result ENGINE =
            result("engine", "2 processors", "5000 nodes\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n");

    @Test
    void resultsReplaceWhatStandsInTheirPlaces() {
        assertThat(new Document(TEXT).with(List.of(ENGINE)))
                .isEqualTo(
                        """
                        # Benchmarks

                        On <!-- no mark -->:
                        <!-- report: machine -->
                        2 processors.
                        <!-- report end -->

                        What it is.

                        <!-- report: engine -->
                        `berth-bench/engine`, 2026-11-18, commit abc1234, 2 min, load before it 0.3:

                        5000 nodes

                        | a | b |
                        |---|---|
                        | 1 | 2 |
                        <!-- report end -->

                        More words.

                        <!-- report: events -->
                        | kept |
                        <!-- report end -->
                        """);
    }

    @Test
    void nothingChangesTheSecondTimeOrWithoutResults() {
        var once = new Document(TEXT).with(List.of(ENGINE));

        assertThat(new Document(once).with(List.of(ENGINE))).isEqualTo(once);
        assertThat(new Document(TEXT).with(List.of())).isEqualTo(TEXT);
    }

    @Test
    void everyMachineIsNamedOnce() {
        var events = result("events", "4 processors", "| x |");
        var twin = result("twin", "2 processors", "| x |");

        assertThat(new Document(TEXT).with(List.of(ENGINE, events, twin)))
                .contains("<!-- report: machine -->\n2 processors; 4 processors.\n<!--");
    }

    @Test
    void linesWithoutATableAreShownAsTheyWerePrinted() {
        var startup = result("startup", "2 processors", "berth\n  first binding, s   1.00\n");

        assertThat(startup.markdown()).endsWith(":\n\n```\nberth\n  first binding, s   1.00\n```");
    }

    @Test
    void ownDocumentHasASectionForEachResultInTheOrderOfTheReport() {
        var events = result("events", "2 processors", "| x |");

        assertThat(Document.of(List.of(events, ENGINE)))
                .startsWith(
                        "# Benchmarks\n\n2 processors.\n\n## The engine alone\n\n`berth-bench/engine`")
                .contains("| 1 | 2 |\n\n## Events\n\n`berth-bench/events`")
                .endsWith("| x |\n");
    }

    @Test
    void marksThatDoNotMatchAreToldWithTheirLine() {
        assertThatThrownBy(() -> new Document("<!-- report: engine -->\n"))
                .hasMessage("the place \"engine\" has no end; add a line <!-- report end -->");
        assertThatThrownBy(() -> new Document("<!-- report: a -->\n<!-- report: b -->\n"))
                .hasMessage("line 2: the place \"a\" has no end; add a line <!-- report end -->");
        assertThatThrownBy(() -> new Document("x\n<!-- report end -->"))
                .hasMessage("line 2 ends a place that has not begun; take it away");
    }

    @Test
    void benchmarksDocumentHasAPlaceForEveryPart() throws IOException {
        var text = Files.readString(Checkout.root().resolve("docs/benchmarks.md"));
        var names = Part.all().stream().map(Part::name);

        assertThat(new Document(text).places())
                .doesNotHaveDuplicates()
                .contains(Document.MACHINE)
                .filteredOn(place -> !place.equals(Document.MACHINE))
                .containsExactlyInAnyOrderElementsOf(names.toList());
    }
}
