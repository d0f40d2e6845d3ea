package io.berth.lab.text;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// Rows under headings, made to fit a width: the widest columns give way first. What does not fit
/// into its column is cut, or goes on below it in the one column that may grow.
final class Table {
    private static final String GAP = "  ";
    private static final int LEAST = 6;

    private final List<String> headings;
    private final List<Boolean> isNumber = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();
    private final List<UnaryOperator<String>> inks = new ArrayList<>();
    private int growing = -1;

    /// @param headings those that begin with a blank are over numbers, which stand to the right
    Table(List<String> headings) {
        this.headings = headings.stream().map(String::strip).toList();
        headings.forEach(heading -> isNumber.add(heading.startsWith(" ")));
    }

    /// Lets a column go on below itself.
    Table growing(int column) {
        growing = column;
        return this;
    }

    Table row(List<String> cells) {
        return row(cells, UnaryOperator.identity());
    }

    /// @param ink for the last cell
    Table row(List<String> cells, UnaryOperator<String> ink) {
        rows.add(List.copyOf(cells));
        inks.add(ink);
        return this;
    }

    List<String> lines(int width, Ink ink) {
        int[] widths = widths(width);
        var lines = new ArrayList<String>();
        lines.add(ink.dim(line(headings, widths, UnaryOperator.identity())));
        for (int i = 0; i < rows.size(); i++) {
            lines.addAll(lines(rows.get(i), widths, inks.get(i)));
        }
        return lines;
    }

    private int[] widths(int width) {
        int[] widths = headings.stream().mapToInt(String::length).toArray();
        for (var row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        int total = GAP.length() * (widths.length - 1);
        for (int each : widths) {
            total += each;
        }
        while (total > width) {
            int widest = widest(widths);
            if (widths[widest] <= LEAST) {
                break;
            }
            widths[widest]--;
            total--;
        }
        return widths;
    }

    private static int widest(int[] widths) {
        int widest = 0;
        for (int i = 1; i < widths.length; i++) {
            widest = widths[i] >= widths[widest] ? i : widest;
        }
        return widest;
    }

    private List<String> lines(List<String> cells, int[] widths, UnaryOperator<String> ink) {
        if (growing < 0 || cells.get(growing).length() <= widths[growing]) {
            return List.of(line(cells, widths, ink));
        }
        var lines = new ArrayList<String>();
        var shown = new ArrayList<>(cells);
        for (var part : Words.wrapped(cells.get(growing), widths[growing], "  ")) {
            shown.set(growing, part);
            lines.add(line(shown, widths, ink));
            shown.replaceAll(_ -> "");
        }
        return lines;
    }

    private String line(List<String> cells, int[] widths, UnaryOperator<String> ink) {
        var line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            var cell = cut(cells.get(i), widths[i]);
            boolean isLast = i == cells.size() - 1;
            var blanks = " ".repeat(widths[i] - cell.length());
            line.append(isNumber.get(i) ? blanks : "");
            line.append(isLast ? ink.apply(cell) : cell);
            line.append(isNumber.get(i) || isLast ? "" : blanks);
            line.append(isLast ? "" : GAP);
        }
        return line.toString().stripTrailing();
    }

    static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, Math.max(0, width - 1)) + "…";
    }
}
