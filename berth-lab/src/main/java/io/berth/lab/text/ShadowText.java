package io.berth.lab.text;

import io.berth.lab.shadow.Finding;
import io.berth.lab.shadow.Omission;
import io.berth.lab.shadow.Result;
import io.berth.lab.shadow.ShadowReport;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What a shadow has found: as a line, as text for people, and as Markdown.
public final class ShadowText {
    private ShadowText() {}

    /// One line that says how it stands.
    public static String line(ShadowReport report) {
        var parts = new ArrayList<String>();
        parts.add(Words.number(report.judged()) + " judged");
        if (report.judged() > 0) {
            parts.add("%s best (%s)".formatted(number(report, Result.BEST), share(report)));
            parts.add(number(report, Result.UNDER_WAY) + " under way");
            parts.add(number(report, Result.SAMPLED) + " sampled");
            parts.add(number(report, Result.WORSE) + " worse");
            parts.add(number(report, Result.REFUSED) + " refused");
        }
        if (report.leftOut() > 0) {
            parts.add(Words.number(report.leftOut()) + " not judged");
        }
        parts.add(Words.age(report.duration()));
        return String.join(" · ", parts);
    }

    /// What it comes to.
    public static String sentence(ShadowReport report) {
        if (report.judged() == 0) {
            return "No pod got a node while it was watched.";
        }
        return "%s of %s decisions within the best set (%s); %s explained, %s not."
                .formatted(
                        number(report, Result.BEST),
                        Words.number(report.judged()),
                        share(report),
                        Words.number(report.explained()),
                        Words.number(report.unexplained()));
    }

    /// @param about whose decisions were judged, and by what
    /// @param notes what makes the report uncertain
    public static List<String> text(
            ShadowReport report, String about, List<String> notes, int width, Ink ink) {
        var lines = new ArrayList<String>();
        lines.add(
                ink.bold("shadow")
                        + "   "
                        + ink.dim(Words.age(report.duration()) + " beside " + about));
        var sentence = sentence(report);
        lines.add(report.unexplained() > 0 ? ink.yellow(sentence) : sentence);
        lines.add("");
        var table = new Table(List.of("RESULT", " PODS", " SHARE", "MEANING")).growing(3);
        for (var result : Result.values()) {
            table.row(
                    List.of(
                            result.word(),
                            number(report, result),
                            share(report.count(result), report.judged()),
                            result.meaning()));
        }
        lines.addAll(table.lines(width, ink));
        lines.add("");
        lines.addAll(Words.wrapped(omissions(report), width, "  "));
        regret(report).ifPresent(line -> lines.addAll(Words.wrapped(line, width, "  ")));
        if (!report.worst().isEmpty()) {
            lines.add("");
            lines.addAll(worst(report).lines(width, ink));
        }
        for (var note : notes(report, notes)) {
            lines.addAll(Words.wrapped("uncertain: " + note, width, "  "));
        }
        return lines;
    }

    private static Table worst(ShadowReport report) {
        var table =
                new Table(List.of("POD", "NODE", " TOTAL", " BEST", "RESULT", "WHY")).growing(5);
        for (var finding : report.worst()) {
            table.row(
                    List.of(
                            finding.pod(),
                            finding.node(),
                            total(finding),
                            best(finding),
                            finding.result().word(),
                            finding.sentence()));
        }
        return table;
    }

    private static String total(Finding finding) {
        var total = finding.standing().total();
        return total.isPresent() ? Long.toString(total.getAsLong()) : "-";
    }

    private static String best(Finding finding) {
        return finding.standing().isFeasible() ? Long.toString(finding.standing().best()) : "-";
    }

    private static String omissions(ShadowReport report) {
        return "Not judged: "
                + Words.number(report.leftOut())
                + (report.leftOut() == 0
                        ? "."
                        : report.omissions().entrySet().stream()
                                .filter(entry -> entry.getValue() > 0)
                                .sorted(Map.Entry.comparingByKey())
                                .map(entry ->
                                        Words.number(entry.getValue())
                                                + " "
                                                + entry.getKey().meaning())
                                .collect(Collectors.joining(", ", " (", ").")));
    }

    private static Optional<String> regret(ShadowReport report) {
        if (report.plugins().isEmpty()) {
            return Optional.empty();
        }
        var plugins =
                report.plugins().entrySet().stream()
                        .sorted(
                                Comparator.comparingLong(
                                                (Map.Entry<String, Long> e) -> -e.getValue())
                                        .thenComparing(Map.Entry::getKey))
                        .map(entry -> entry.getKey() + " " + Words.number(entry.getValue()))
                        .collect(Collectors.joining(", "));
        return Optional.of(
                String.format(
                        Locale.ROOT,
                        "Better nodes were better by %.1f points on average, %d at most. What made the difference: %s.",
                        report.regretMean(),
                        report.regretMost(),
                        plugins));
    }

    private static List<String> notes(ShadowReport report, List<String> given) {
        var notes = new ArrayList<>(given);
        if (report.count(Omission.ERROR) > 0) {
            notes.add("the last of those that could not be judged: " + report.lastError());
        }
        return notes;
    }

    /// The same for a page that people read elsewhere.
    public static List<String> markdown(ShadowReport report, String about, List<String> notes) {
        var lines = new ArrayList<String>();
        lines.add("# Shadow report");
        lines.add("");
        lines.add(
                "%s from %s, beside %s. %s nodes, %s pods."
                        .formatted(
                                Words.age(report.duration()),
                                report.begun().truncatedTo(ChronoUnit.SECONDS),
                                about,
                                Words.number(report.nodes()),
                                Words.number(report.pods())));
        lines.add("");
        lines.add("**" + sentence(report) + "**");
        lines.add("");
        lines.add("| result | pods | share | meaning |");
        lines.add("|---|--:|--:|---|");
        for (var result : Result.values()) {
            lines.add(
                    "| %s | %s | %s | %s |"
                            .formatted(
                                    result.word(),
                                    number(report, result),
                                    share(report.count(result), report.judged()),
                                    result.meaning()));
        }
        lines.add("");
        lines.add(omissions(report));
        regret(report)
                .ifPresent(line -> {
                    lines.add("");
                    lines.add(line);
                });
        if (!report.worst().isEmpty()) {
            lines.add("");
            lines.add("| pod | node | total | best | result | why |");
            lines.add("|---|---|--:|--:|---|---|");
            for (var finding : report.worst()) {
                lines.add(
                        "| %s | %s | %s | %s | %s | %s |"
                                .formatted(
                                        finding.pod(),
                                        finding.node(),
                                        total(finding),
                                        best(finding),
                                        finding.result().word(),
                                        finding.sentence().replace("|", "\\|")));
            }
        }
        for (var note : notes(report, notes)) {
            lines.add("");
            lines.add("Uncertain: " + note);
        }
        return lines;
    }

    private static String number(ShadowReport report, Result result) {
        return Words.number(report.count(result));
    }

    private static String share(ShadowReport report) {
        return share(report.count(Result.BEST), report.judged());
    }

    /// Never 100 % where one is missing.
    private static String share(long part, long whole) {
        if (whole == 0) {
            return "-";
        }
        long hundredths = part * 10_000 / whole;
        return hundredths == 10_000
                ? "100 %"
                : String.format(Locale.ROOT, "%d.%02d %%", hundredths / 100, hundredths % 100);
    }
}
