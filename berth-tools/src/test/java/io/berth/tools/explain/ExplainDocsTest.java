package io.berth.tools.explain;

import static java.io.OutputStream.nullOutputStream;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.relax.Who;
import io.berth.engine.SystemTime;
import io.berth.lab.explain.Category;
import io.berth.lab.explain.ClusterStudy;
import io.berth.lab.explain.ExplainException;
import io.berth.lab.explain.PodExplanation;
import io.berth.lab.explain.Question;
import io.berth.lab.explain.Source;
import io.berth.tools.cluster.Judgement;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// `docs/explain.md` shows what the program prints today: its table of situations, and every
/// example that begins with a command on a dump.
///
/// `-Dberth.docs.update=true` writes the page anew in place of comparing it.
final class ExplainDocsTest {
    private static final Path PAGE = Path.of("../docs/explain.md");
    private static final String RESOURCES = "src/test/resources/";
    private static final String SITUATIONS = RESOURCES + "situations";
    private static final boolean IS_UPDATE = Boolean.getBoolean("berth.docs.update");

    private static final Pattern TABLE =
            Pattern.compile(
                    "(?s)(<!-- begin situations[^\\n]*-->\\n)(.*?)(<!-- end situations -->)");
    private static final Pattern EXAMPLE =
            Pattern.compile("(?s)```\\n\\$ berth explain ([^\\n]*--from [^\\n]*)\\n(.*?)```\\n");
    private static final Pattern SITUATION =
            Pattern.compile(
                    "\\n  name: ([a-z0-9-]+)\\n(?:[^\\n]*\\n){1,3}?  annotations: \\{situation: \"([^\"]*)\"\\}");

    @Test
    void situationsAreWhatTheProgramSays() throws IOException {
        var page = Files.readString(PAGE);
        var table = TABLE.matcher(page);
        assertThat(table.find()).as("the markers of the table").isTrue();
        var rows = rows();
        assertThat(rows.lines().count()).isGreaterThan(40);
        if (IS_UPDATE) {
            Files.writeString(
                    PAGE, page.substring(0, table.start(2)) + rows + page.substring(table.end(2)));
        } else {
            assertThat(table.group(2)).isEqualTo(rows);
        }
    }

    private static String rows() throws IOException {
        var rows = new StringBuilder();
        rows.append("| the pod | category | kube-scheduler | fixes that were tried |\n");
        rows.append("|---|---|---|---|\n");
        var situations =
                SITUATION.matcher(Files.readString(Path.of(SITUATIONS).resolve("pods.yaml")));
        try (var study = study()) {
            while (situations.find()) {
                rows.append(
                        "| %s | %s |\n"
                                .formatted(situations.group(2), cells(study, situations.group(1))));
            }
        }
        return rows.toString();
    }

    private static ClusterStudy study() {
        var facts =
                new DumpReading(
                                SITUATIONS,
                                new Progress(
                                        new PrintStream(
                                                nullOutputStream(), true, StandardCharsets.UTF_8),
                                        false))
                        .read();
        var setup = Judgement.by(Optional.empty()).setup();
        return new ClusterStudy(
                setup.settings(),
                setup.registry(),
                new SystemTime(),
                facts.image(),
                new ClusterStudy.Context(
                        new Source(Source.Kind.DUMP, "", "", 0, "", ""),
                        facts.classes(),
                        Map.of(),
                        List.of()));
    }

    private static String cells(ClusterStudy study, String name) {
        PodExplanation told;
        try {
            told = study.explain(study.pod("sit/" + name).orElseThrow(), Question.USUAL);
        } catch (ExplainException failed) {
            return " | | `" + failed.getMessage() + "`";
        }
        return told.phase().category().word() + " | `" + reasons(told) + "` | " + fixes(told);
    }

    /// What the event says, without the number of nodes.
    private static String reasons(PodExplanation told) {
        return told.phase().category() == Category.GATED
                ? told.phase().sentence()
                : told.message()
                        .replaceFirst("^0/\\d+ nodes are available: ", "")
                        .replaceFirst("\\.$", "");
    }

    /// The first for the pod's owner, and the first for somebody else.
    private static String fixes(PodExplanation told) {
        var fixes = new LinkedHashMap<Who, String>();
        for (var fix : told.fixes()) {
            if (fixes.size() < 2) {
                fixes.putIfAbsent(fix.who(), "`" + fix.sentence() + "`" + who(fix.who()));
            }
        }
        if (fixes.isEmpty()) {
            return told.phase().category() == Category.GATED
                    ? "its gates have to be removed"
                    : "none found (exit code 3)";
        }
        return String.join("; ", fixes.values());
    }

    private static String who(Who who) {
        return switch (who) {
            case OWNER -> "";
            case NOBODY -> " (wait)";
            case ADMIN -> " (admin)";
            case VICTIMS -> " (victims)";
            case NEW_NODE -> " (autoscaler)";
        };
    }

    @Test
    void examplesAreWhatTheProgramPrints() throws IOException {
        var page = Files.readString(PAGE);
        var examples = EXAMPLE.matcher(page);
        var changed = new StringBuilder();
        int count = 0;
        int end = 0;
        while (examples.find()) {
            count++;
            var printed = printed(examples.group(1));
            if (!IS_UPDATE) {
                assertThat(steady(examples.group(2)))
                        .as(examples.group(1))
                        .isEqualTo(steady(printed));
            }
            changed.append(page.substring(end, examples.start(2))).append(printed);
            end = examples.end(2);
        }
        assertThat(count).isGreaterThan(4);
        if (IS_UPDATE) {
            Files.writeString(PAGE, changed.append(page.substring(end)).toString());
        }
    }

    private static String printed(String words) {
        var all = List.of(words.replaceFirst("--from ", "--from " + RESOURCES).split(" "));
        var run = Run.of(all.toArray(String[]::new));
        assertThat(run.err()).as(words).isEmpty();
        return run.out().replace(RESOURCES, "");
    }

    /// Without what differs from run to run.
    private static String steady(String text) {
        return text.replaceAll("in \\d+ ms\\) *", "in N ms) ");
    }
}
