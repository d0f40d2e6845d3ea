package io.berth.lab.text;

import io.berth.api.amount.Amounts;
import io.berth.api.amount.Resources;
import io.berth.lab.explain.NodeReport;
import io.berth.lab.explain.PendingReport;
import io.berth.lab.explain.PendingReport.By;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Reports of all waiting pods and of one node, as lines of text.
public final class ReportText {
    private ReportText() {}

    public static List<String> of(PendingReport report, By by, int width, Ink ink, Instant now) {
        var lines = new ArrayList<String>();
        lines.add(
                ink.bold(
                                report.pods() == 1
                                        ? "1 pod waits"
                                        : Words.number(report.pods()) + " pods wait")
                        + "   "
                        + ink.dim(report.source().sentence()));
        if (!report.causes().isEmpty()) {
            lines.add("");
            lines.addAll(causes(report, by, now).lines(width, ink));
        }
        if (report.isCut()) {
            lines.add("more templates than can be judged; the rest is left out");
        }
        uncertain(lines, report.uncertain(), width);
        return lines;
    }

    private static Table causes(PendingReport report, By by, Instant now) {
        var headings = new ArrayList<String>(List.of(" PODS", " OLDEST", "CATEGORY"));
        headings.addAll(
                switch (by) {
                    case REASON -> List.of("REASON", "EXAMPLES");
                    case OWNER -> List.of("OWNER", "REASON");
                    case PLUGIN -> List.of("PLUGIN", "EXAMPLES");
                });
        var table = new Table(headings).growing(by == By.OWNER ? 4 : 3);
        for (var cause : report.causes()) {
            var oldest = cause.oldest();
            var cells =
                    new ArrayList<String>(
                            List.of(
                                    Words.number(cause.count()),
                                    oldest == null ? "?" : Words.age(Duration.between(oldest, now)),
                                    cause.category().word()));
            var examples = String.join(", ", cause.examples());
            cells.addAll(
                    switch (by) {
                        case REASON -> List.of(cause.text(), examples);
                        case OWNER -> List.of(cause.key(), cause.text());
                        case PLUGIN -> List.of(cause.plugin(), examples);
                    });
            table.row(cells);
        }
        return table;
    }

    public static List<String> of(NodeReport report, int width, Ink ink) {
        var node = report.node();
        var lines = new ArrayList<String>();
        lines.add(
                ink.bold(node.name())
                        + (node.unschedulable() ? ink.yellow("   cordoned") : "")
                        + "   "
                        + ink.dim(report.source().sentence()));
        for (var taint : node.taints()) {
            lines.add(
                    "taint "
                            + taint.key()
                            + (taint.value().isEmpty() ? "" : "=" + taint.value())
                            + ":"
                            + taint.effect());
        }
        var room = new Table(List.of("RESOURCE", " ALLOCATABLE", " REQUESTED", " FREE"));
        rows(report).forEach(room::row);
        lines.addAll(room.lines(width, ink));
        lines.add("");
        if (report.pending() == 0) {
            lines.add("No pod waits.");
        } else {
            lines.add(
                    "%s of %s waiting pods could be placed here now."
                            .formatted(
                                    Words.number(report.takers()), Words.number(report.pending())));
        }
        if (!report.barriers().isEmpty()) {
            var table = new Table(List.of(" PODS", "WHY NOT HERE", "EXAMPLES")).growing(1);
            for (var barrier : report.barriers()) {
                table.row(
                        List.of(
                                Words.number(barrier.count()),
                                barrier.text(),
                                String.join(", ", barrier.examples())));
            }
            lines.addAll(table.lines(width, ink));
        }
        uncertain(lines, report.uncertain(), width);
        return lines;
    }

    private static List<List<String>> rows(NodeReport report) {
        var names = new ArrayList<String>(List.of(Resources.CPU, Resources.MEMORY, Resources.PODS));
        names.addAll(report.node().allocatable().scalars().keySet());
        return names.stream()
                .map(name -> {
                    long all = report.node().allocatable().amount(name);
                    long used = report.requested().amount(name);
                    return List.of(
                            name,
                            Amounts.rough(name, all),
                            Amounts.rough(name, used),
                            Amounts.rough(name, all - used));
                })
                .collect(Collectors.toList());
    }

    private static void uncertain(List<String> lines, List<String> notes, int width) {
        for (var note : notes) {
            lines.addAll(Words.wrapped("uncertain: " + note, width, "  "));
        }
    }
}
