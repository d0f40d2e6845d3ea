package io.berth.app.flag;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The list of flags in a help text, in sections, laid out as pflag does.
final class Usage {
    /// Below this many columns an explanation is not broken into lines.
    private static final int NARROWEST = 24;

    /// How far explanations are moved in when they stand below their flag.
    private static final int BELOW = 16;

    /// A line may be this much longer if the rest then fits on it.
    private static final int SLACK = 5;

    private Usage() {}

    /// @param columns width of the terminal; 0 for lines of any length
    static String of(Collection<Flag> flags, int columns) {
        Map<String, List<Flag>> groups = new LinkedHashMap<>();
        for (Flag flag : flags) {
            groups.computeIfAbsent(flag.group(), _ -> new ArrayList<>()).add(flag);
        }
        var out = new StringBuilder();
        groups.forEach((group, members) -> appendSection(out, group, members, columns));
        return out.toString();
    }

    private static void appendSection(
            StringBuilder out, String group, List<Flag> flags, int columns) {
        out.append('\n')
                .append(Character.toUpperCase(group.charAt(0)))
                .append(group, 1, group.length())
                .append(" flags:\n\n");
        int widest = flags.stream().mapToInt(flag -> left(flag).length()).max().orElse(0);
        // On a terminal every explanation gets lines of its own, below its flag.
        int width = columns > NARROWEST ? Math.max(widest, columns - 12) : widest;
        flags.stream()
                .sorted(Comparator.comparing(Flag::name))
                .forEach(flag -> appendFlag(out, flag, width, columns));
    }

    private static void appendFlag(StringBuilder out, Flag flag, int width, int columns) {
        String left = left(flag);
        out.append(left)
                .append(" ".repeat(width - left.length() + 3))
                .append(wrap(flag.explanation(), width + 3, columns))
                .append('\n');
    }

    private static String left(Flag flag) {
        String name = flag.shorthand() == 0 ? "      --" : "  -" + flag.shorthand() + ", --";
        String word = flag.type().word();
        return name + flag.name() + (word.isEmpty() ? "" : " " + word);
    }

    private static String wrap(String text, int indent, int columns) {
        if (columns == 0) {
            return text.replace("\n", "\n" + " ".repeat(indent));
        }
        boolean beside = columns - indent >= NARROWEST;
        int moved = beside ? indent : BELOW;
        String start = beside ? "" : "\n" + " ".repeat(BELOW);
        int room = columns - moved;
        if (room < NARROWEST) {
            return text.replace("\n", start);
        }
        var out = new StringBuilder(start);
        String rest = text;
        boolean first = true;
        while (first || !rest.isEmpty()) {
            if (!first) {
                out.append('\n').append(" ".repeat(moved));
            }
            int end = lineEnd(rest, room - SLACK);
            out.append(rest.substring(0, end).replace("\n", "\n" + " ".repeat(moved)));
            rest = end == rest.length() ? "" : rest.substring(end + 1);
            first = false;
        }
        return out.toString();
    }

    private static int lineEnd(String text, int room) {
        if (room + SLACK > text.length()) {
            return text.length();
        }
        String line = text.substring(0, room);
        int blank =
                Math.max(
                        line.lastIndexOf(' '),
                        Math.max(line.lastIndexOf('\t'), line.lastIndexOf('\n')));
        if (blank <= 0) {
            return text.length();
        }
        int lineBreak = line.lastIndexOf('\n');
        return lineBreak > 0 && lineBreak < blank ? lineBreak : blank;
    }
}
