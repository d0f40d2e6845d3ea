package io.berth.lab.text;

import io.berth.api.explain.Rating;
import io.berth.lab.explain.Category;
import io.berth.lab.explain.Fix;
import io.berth.lab.explain.Group;
import io.berth.lab.explain.PodExplanation;
import io.berth.lab.explain.PodExplanation.ChoiceReport;
import io.berth.lab.explain.PodExplanation.Influence;
import io.berth.lab.explain.PodExplanation.NodeRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// An explanation of a pod as lines of text.
public final class PodText {
    private static final int WIDE = 120;
    private static final int MOST_FIXES = 8;
    private static final int MOST_GROUPS = 12;
    private static final int MOST_HISTORY = 3;
    private static final int MOST_WAKEUPS = 3;

    private final PodExplanation told;
    private final int width;
    private final Ink ink;
    private final List<String> lines = new ArrayList<>();

    private PodText(PodExplanation told, int width, Ink ink) {
        this.told = told;
        this.width = width;
        this.ink = ink;
    }

    /// @param width how long lines may be; names are never broken, so some may be longer
    public static List<String> of(PodExplanation told, int width, Ink ink, Instant now) {
        var text = new PodText(told, width, ink);
        text.head(now);
        text.reasons();
        text.choice();
        text.preemption();
        text.fixes();
        text.waiting(now);
        text.foot();
        return text.lines;
    }

    private void head(Instant now) {
        var pod = told.pod();
        var phase = told.phase();
        var state = new StringBuilder(phase.category() == Category.PLACED ? "Placed" : "Pending");
        var since = phase.queue().since();
        if (since != null && phase.category() != Category.PLACED) {
            state.append(' ').append(Words.age(Duration.between(since, now)));
        }
        if (phase.queue().attempts() >= 0) {
            state.append(" · ").append(phase.queue().attempts()).append(" attempts");
        }
        if (!phase.queue().queue().equals("unknown")) {
            state.append(" · ").append(phase.queue().queue());
        }
        if (phase.queue().position() > 0) {
            state.append(" · number ").append(phase.queue().position()).append(" in line");
        }
        var left = pod.key() + "   " + state;
        var right = told.source().sentence();
        if (left.length() + 3 + right.length() <= width) {
            var blanks = " ".repeat(width - left.length() - right.length());
            lines.add(ink.bold(pod.key()) + "   " + state + blanks + ink.dim(right));
        } else {
            lines.add(ink.bold(pod.key()) + "   " + state);
            lines.add(ink.dim(right));
        }
        var word = phase.category().word();
        var wrapped = Words.wrapped(word + ": " + phase.sentence() + ".", width, "  ");
        lines.add(coloured(word) + wrapped.getFirst().substring(word.length()));
        lines.addAll(wrapped.subList(1, wrapped.size()));
    }

    private String coloured(String word) {
        return switch (told.phase().category()) {
            case PLACED, WAITING_FOR_TURN -> ink.green(word);
            case IMPOSSIBLE, ERROR, NO_SUITABLE_NODE -> ink.red(word);
            default -> ink.yellow(word);
        };
    }

    private void reasons() {
        if (told.choice().isPresent() || told.counts().nodes() == 0) {
            return;
        }
        boolean isAll = told.nodes().size() == told.counts().nodes() && !told.nodes().isEmpty();
        if (isAll) {
            lines.add("");
            lines.addAll(width >= WIDE ? matrix() : list());
        } else if (!told.groups().isEmpty()) {
            lines.add("");
            groups();
            if (!told.nodes().isEmpty()) {
                lines.add("");
                lines.addAll(width >= WIDE ? matrix() : list());
            }
        }
        told.nearest()
                .ifPresent(nearest -> {
                    if (!isAll) {
                        var pods =
                                nearest.pods().isEmpty()
                                        ? ""
                                        : "; its pods: " + String.join(", ", nearest.pods());
                        lines.addAll(
                                Words.wrapped(
                                        "nearest: " + nearest.node() + " " + nearest.text() + pods,
                                        width,
                                        "         "));
                    }
                });
    }

    private List<String> list() {
        var table = new Table(List.of("NODE", "ZONE", "WHY NOT")).growing(2);
        for (var row : told.nodes()) {
            table.row(
                    List.of(row.node().name(), row.zone(), joined(row)),
                    row.node().isFeasible() ? ink::green : UnaryOperator.identity());
        }
        return table.lines(width, ink);
    }

    private static String joined(NodeRow row) {
        return row.node().isFeasible()
                ? row.verdict()
                : row.details().stream().map(Group.Detail::text).collect(Collectors.joining("; "));
    }

    /// A column for each filter that refuses any of the nodes.
    private List<String> matrix() {
        var plugins = new LinkedHashSet<String>();
        told.nodes().forEach(row -> row.details().forEach(detail -> plugins.add(detail.plugin())));
        var headings = new ArrayList<String>(List.of("NODE", "ZONE"));
        plugins.forEach(plugin -> headings.add(Words.plugin(plugin)));
        headings.add("VERDICT");
        var table = new Table(headings);
        for (var row : told.nodes()) {
            var cells = new ArrayList<String>(List.of(row.node().name(), row.zone()));
            plugins.forEach(plugin -> cells.add(cell(row, plugin)));
            cells.add(
                    row.details().size() == 1
                            ? "only " + Words.plugin(row.details().getFirst().plugin())
                            : row.verdict());
            table.row(cells, row.node().isFeasible() ? ink::green : UnaryOperator.identity());
        }
        return table.lines(width, ink);
    }

    private static String cell(NodeRow row, String plugin) {
        return row.details().stream()
                .filter(detail -> detail.plugin().equals(plugin))
                .map(Group.Detail::text)
                .findFirst()
                .orElse("ok");
    }

    private void groups() {
        var table = new Table(List.of(" NODES", " FAIL", "REASONS", "EXAMPLES")).growing(2);
        for (var group : told.groups().stream().limit(MOST_GROUPS).toList()) {
            table.row(
                    List.of(
                            Words.number(group.count()),
                            Integer.toString(group.filters().size()),
                            GroupText.reasons(group),
                            GroupText.examples(group)));
        }
        lines.addAll(table.lines(width, ink));
        int more = told.groups().size() - MOST_GROUPS;
        if (more > 0) {
            lines.add(ink.dim("… and " + more + " more groups, each with more reasons"));
        }
    }

    private void choice() {
        if (told.choice().isEmpty()) {
            return;
        }
        var choice = told.choice().get();
        var rated = told.nodes().stream().filter(row -> row.node().rating().isPresent()).toList();
        lines.add("");
        if (!rated.isEmpty()) {
            scores(rated, choice);
        }
        lines.addAll(Words.wrapped(sentence(choice), width, "  "));
        var refused = told.nodes().stream().filter(row -> !row.node().isFeasible()).toList();
        for (var row : refused.stream().limit(12).toList()) {
            lines.add(
                    Table.cut("  " + row.node().name() + " cannot take it: " + joined(row), width));
        }
        if (told.phase().category() == Category.PLACED && told.groups().size() > 0) {
            lines.add(
                    ink.dim(
                            "%s of %s nodes cannot take it"
                                    .formatted(
                                            Words.number(
                                                    told.counts().nodes()
                                                            - told.counts().feasible()),
                                            Words.number(told.counts().nodes()))));
        }
    }

    private void scores(List<NodeRow> rated, ChoiceReport choice) {
        var first = rated.getFirst().node().rating().orElseThrow();
        var headings = new ArrayList<String>(List.of("NODE", " RANK", " TOTAL"));
        first.scores().forEach(score -> headings.add(" " + Words.plugin(score.plugin())));
        var table = new Table(headings);
        for (var row : rated) {
            var rating = row.node().rating().orElseThrow();
            var name = row.node().name() + (row.node().name().equals(choice.actual()) ? " *" : "");
            var cells =
                    new ArrayList<String>(
                            List.of(
                                    name,
                                    Integer.toString(rating.rank()),
                                    Long.toString(rating.total())));
            cells.addAll(cells(rating));
            table.row(cells);
        }
        lines.addAll(table.lines(width, ink));
        lines.add(
                ink.dim(
                        (width >= WIDE ? "raw → normalised × weight" : "normalised × weight")
                                + (choice.actual().isEmpty() ? "" : "; * where it is")));
    }

    private List<String> cells(Rating rating) {
        return rating.scores().stream()
                .map(score ->
                        width >= WIDE
                                ? score.raw() + "→" + score.normalized() + "×" + score.weight()
                                : score.normalized() + "×" + score.weight())
                .toList();
    }

    private static String sentence(ChoiceReport choice) {
        var now = choice.now();
        var why =
                switch (now.reason()) {
                    case NOMINATED -> "it is nominated there";
                    case ONLY_ONE -> "no other node can take it";
                    case SCORE -> "it has the highest score, " + now.total();
                    case ORDER ->
                            "the first of %d equals with %d".formatted(now.ties(), now.total());
                    case CHANCE ->
                            "drawn among %d equals with %d".formatted(now.ties(), now.total());
                };
        var where =
                choice.actual().isEmpty()
                        ? "would go to "
                        : choice.actual().equals(now.node())
                                ? "would go there again, to "
                                : "would now go to ";
        return where + now.node() + ": " + why + ". " + influence(choice.influence());
    }

    private static String influence(List<Influence> influence) {
        var deciding =
                influence.stream()
                        .filter(Influence::winnerChanged)
                        .map(one ->
                                "without %s %s wins".formatted(one.plugin(), one.winnerWithout()))
                        .collect(Collectors.joining(", "));
        var idle =
                influence.stream()
                        .filter(one -> !one.winnerChanged())
                        .map(Influence::plugin)
                        .collect(Collectors.joining(", "));
        return deciding.isEmpty()
                ? influence.isEmpty() ? "" : "No single plugin decides."
                : "Decided by scores: "
                        + deciding
                        + (idle.isEmpty()
                                ? "."
                                : "; %s change%s nothing."
                                        .formatted(idle, idle.contains(",") ? "" : "s"));
    }

    private void preemption() {
        told.preemption()
                .filter(report -> report.options().isEmpty())
                .filter(report -> !report.eligible() || told.pod().spec().priority() > 0)
                .ifPresent(report ->
                        lines.addAll(
                                Words.wrapped("preemption: " + report.sentence(), width, "  ")));
    }

    private void fixes() {
        if (told.fixes().isEmpty()) {
            if (told.effort().tried() > 0 && told.choice().isEmpty()) {
                lines.add("");
                lines.add(
                        "No single change or pair of changes was found that helps (%d tried)."
                                .formatted(told.effort().tried()));
            }
            return;
        }
        lines.add("");
        var table =
                new Table(
                                List.of(
                                        " #",
                                        "FIXES (each one tried; %d in %d ms)"
                                                .formatted(
                                                        told.effort().tried(),
                                                        told.effort().millis()),
                                        " NODES",
                                        "WHO"))
                        .growing(1);
        for (var fix : told.fixes().stream().limit(MOST_FIXES).toList()) {
            table.row(
                    List.of(
                            Integer.toString(fix.id()),
                            fix.sentence(),
                            Words.number(fix.nodes()),
                            who(fix)));
        }
        lines.addAll(table.lines(width, ink));
        int more = told.fixes().size() - MOST_FIXES;
        if (more > 0) {
            lines.add(ink.dim("… and %d more with -o json".formatted(more)));
        }
        if (told.effort().isCut()) {
            lines.add(ink.dim("the budget of trials was reached; there may be more"));
        }
    }

    static String who(Fix fix) {
        return switch (fix.who()) {
            case NOBODY -> "wait";
            case OWNER -> "you";
            case ADMIN -> "admin";
            case VICTIMS -> "victims";
            case NEW_NODE -> "autoscaler";
        };
    }

    /// What it waits for, who is before it, and how it fared before.
    private void waiting(Instant now) {
        var facts = told.phase().queue();
        if (facts.position() > 1) {
            int more = facts.position() - 1 - facts.ahead().size();
            lines.addAll(
                    Words.wrapped(
                            "before it: "
                                    + String.join(", ", facts.ahead())
                                    + (more > 0
                                            ? " and %s more".formatted(Words.number(more))
                                            : ""),
                            width,
                            "  "));
        }
        var wakeups = told.phase().wakeups();
        var next = facts.nextTry();
        if (!wakeups.isEmpty() || next != null) {
            var latest =
                    next == null
                            ? ""
                            : next.isAfter(now)
                                    ? "in %s at the latest"
                                            .formatted(Words.age(Duration.between(now, next)))
                                    : "at once";
            var when = wakeups.isEmpty() ? "" : "when " + some(wakeups);
            lines.addAll(
                    Words.wrapped(
                            "next try: "
                                    + when
                                    + (when.isEmpty() || latest.isEmpty() ? "" : "; ")
                                    + latest,
                            width,
                            "  "));
        }
        var history = facts.history();
        if (!history.isEmpty()) {
            lines.add("earlier attempts:");
            for (var attempt :
                    history.subList(Math.max(0, history.size() - MOST_HISTORY), history.size())) {
                var ago = Words.age(Duration.between(attempt.time(), now));
                lines.addAll(
                        Words.wrapped(
                                "  %s ago%s: %s"
                                        .formatted(
                                                ago,
                                                attempt.times() == 1
                                                        ? ""
                                                        : " (%d times)".formatted(attempt.times()),
                                                attempt.message()),
                                width,
                                "    "));
            }
        }
    }

    private static String some(List<String> wakeups) {
        return String.join("; ", wakeups.subList(0, Math.min(MOST_WAKEUPS, wakeups.size())))
                + (wakeups.size() > MOST_WAKEUPS ? "; …" : "");
    }

    private void foot() {
        for (var note : told.uncertain()) {
            lines.addAll(Words.wrapped("uncertain: " + note, width, "  "));
        }
        var hints = new ArrayList<String>();
        if (told.fixes().stream().limit(MOST_FIXES).anyMatch(Fix::hasPatch)) {
            hints.add("-o patch=N prints fix N as a patch");
        }
        if (told.nodes().size() < told.counts().nodes()) {
            hints.add("--node NAME for one node");
        }
        if (!hints.isEmpty()) {
            lines.add(ink.dim(Table.cut(String.join("; ", hints), width)));
        }
    }
}
