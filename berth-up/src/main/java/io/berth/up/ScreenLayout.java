package io.berth.up;

import io.berth.up.Line.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Draws a snapshot as lines that fit a terminal: a header that says how to go on, nodes with bars,
/// pods that wait and why, and the latest placements. A pure function of its inputs.
final class ScreenLayout {
    private static final int MAX_PENDING = 8;
    private static final int MAX_RECENT = 8;
    private static final int MIN_BAR = 3;
    private static final int MAX_BAR = 20;
    private static final int MAX_NAME = 24;
    private static final int ZONE_COLUMNS_FROM = 90;
    private static final int GAP = 2;
    private static final String CORDONED = "  cordoned";

    private final int width;
    private final int height;
    private final Signs signs;

    /// The characters to draw with.
    record Signs(String full, String empty, String dots, String arrow, String dot) {
        static final Signs UNICODE = new Signs("█", "░", "…", "→", "·");
        static final Signs ASCII = new Signs("#", ".", "...", "->", "-");
    }

    ScreenLayout(int width, int height, Signs signs) {
        this.width = width;
        this.height = height;
        this.signs = signs;
    }

    /// As many lines as the terminal has, or fewer; none wider than it.
    List<Line> draw(List<String> header, Snapshot snapshot) {
        var lines = new ArrayList<Line>();
        header.forEach(
                text -> lines.add(lines.isEmpty() ? Line.of(Style.BOLD, text) : Line.of(text)));
        lines.add(Line.EMPTY);
        lines.add(summary(snapshot));
        int left = height - lines.size() - 1;
        int pendingRows = section(snapshot.pending().size(), MAX_PENDING, Math.max(4, left / 3));
        int spare = left - pendingRows - snapshot.nodes().size();
        int recentRows = section(snapshot.recent().size(), MAX_RECENT, Math.max(spare, left / 5));
        addNodes(lines, snapshot, left - pendingRows - recentRows);
        addPending(lines, snapshot, pendingRows);
        addRecent(lines, snapshot, recentRows);
        while (lines.size() < height - 1) {
            lines.add(Line.EMPTY);
        }
        lines.add(Line.of(Style.DIM, "Ctrl-C stops the cluster and removes everything."));
        return lines.stream().limit(height).map(line -> line.fit(width, signs.dots)).toList();
    }

    /// Rows for a section: blank, title and entries, or none if there is too little room.
    private static int section(int entries, int most, int room) {
        int rows = entries == 0 ? 0 : 2 + Math.min(entries, most);
        return room < 3 ? 0 : Math.min(rows, room);
    }

    private Line summary(Snapshot snapshot) {
        Snapshot.Counts counts = snapshot.counts();
        Line line =
                Line.of(Style.BOLD, count(snapshot.nodes().size(), "node"))
                        .plus(
                                " %s %s %s "
                                        .formatted(
                                                signs.dot, count(counts.pods(), "pod"), signs.dot))
                        .plus(Style.GREEN, counts.running() + " running")
                        .plus(" " + signs.dot + " ");
        line =
                counts.pending() == 0
                        ? line.plus("0 pending")
                        : line.plus(Style.YELLOW, counts.pending() + " pending");
        if (counts.placed() > 0) {
            line =
                    line.plus(
                            Style.DIM,
                            String.format(
                                    Locale.ROOT,
                                    " %s %d placed %s the first %.1f s after the start",
                                    signs.dot,
                                    counts.placed(),
                                    signs.dot,
                                    counts.firstPlacement().toMillis() / 1000.0));
        }
        return line;
    }

    private void addNodes(List<Line> lines, Snapshot snapshot, int rows) {
        List<Snapshot.NodeUse> nodes = snapshot.nodes();
        if (rows < 1 || nodes.isEmpty()) {
            return;
        }
        boolean all = nodes.size() <= rows;
        // Two rows tell of the nodes that are not shown: their sum, and how many they are.
        int shown = all ? nodes.size() : Math.max(0, rows - 2);
        var table = new ArrayList<Snapshot.NodeUse>();
        if (!all) {
            table.add(snapshot.total());
        }
        table.addAll(nodes.subList(0, shown));
        Columns columns = columns(table);
        table.forEach(node -> lines.add(nodeLine(node, columns)));
        if (!all && rows > 1) {
            lines.add(
                    Line.of(
                            Style.DIM,
                            signs.dots + " and " + (nodes.size() - shown) + " more nodes"));
        }
    }

    private record Columns(int name, int zone, int cpu, int memory, int pods, int bar) {}

    private Columns columns(List<Snapshot.NodeUse> table) {
        int name = 0;
        int zone = 0;
        int cpu = 0;
        int memory = 0;
        int pods = 0;
        for (Snapshot.NodeUse node : table) {
            name = Math.max(name, Math.min(MAX_NAME, node.name().length()));
            zone = width < ZONE_COLUMNS_FROM ? 0 : Math.max(zone, node.zone().length() + GAP);
            cpu = Math.max(cpu, cpu(node).length());
            memory = Math.max(memory, memory(node).length());
            pods = Math.max(pods, pods(node).length());
        }
        // Each of the three is " cpu " + bar + " " + numbers, with a gap before it.
        int words = "cpu mem pods".length() + 4 + 3 * GAP;
        int mark = table.stream().anyMatch(Snapshot.NodeUse::cordoned) ? CORDONED.length() : 0;
        int left = width - name - zone - cpu - memory - pods - words - mark;
        return new Columns(name, zone, cpu, memory, pods, Math.min(MAX_BAR, left / 3));
    }

    private Line nodeLine(Snapshot.NodeUse node, Columns columns) {
        Line line = Line.of(pad(cut(node.name(), columns.name), columns.name));
        if (columns.zone > 0) {
            line = line.plus(Style.DIM, "  " + pad(node.zone(), columns.zone - GAP));
        }
        line =
                gauge(
                        line,
                        "cpu",
                        share(node.used().cpuMillis(), node.room().cpuMillis()),
                        cpu(node),
                        columns.cpu,
                        columns);
        line =
                gauge(
                        line,
                        "mem",
                        share(node.used().memoryBytes(), node.room().memoryBytes()),
                        memory(node),
                        columns.memory,
                        columns);
        line =
                gauge(
                        line,
                        "pods",
                        share(node.used().podCount(), node.room().podCount()),
                        pods(node),
                        columns.pods,
                        columns);
        return node.cordoned() ? line.plus(Style.YELLOW, CORDONED) : line;
    }

    private Line gauge(
            Line line,
            String title,
            double share,
            String numbers,
            int numberWidth,
            Columns columns) {
        Line longer = line.plus(Style.DIM, "  " + title + " ");
        if (columns.bar >= MIN_BAR) {
            // Something in use shows at least one mark.
            int marks =
                    share == 0 ? 0 : Math.clamp(Math.round(share * columns.bar), 1, columns.bar);
            longer =
                    longer.plus(colour(share), signs.full.repeat(marks))
                            .plus(Style.DIM, signs.empty.repeat(columns.bar - marks))
                            .plus(" ");
        }
        return longer.plus(pad(numbers, numberWidth));
    }

    private void addPending(List<Line> lines, Snapshot snapshot, int rows) {
        if (rows == 0) {
            return;
        }
        List<Snapshot.PendingPod> pending = snapshot.pending();
        lines.add(Line.EMPTY);
        lines.add(Line.of(Style.BOLD, "Pending"));
        int room = rows - 2;
        // The line that tells of more takes the place of a pod, unless there is only one place.
        int shown = pending.size() <= room || room == 1 ? room : room - 1;
        pending.stream().limit(shown).forEach(pod -> lines.add(pendingLine(pod)));
        if (shown < Math.min(room, pending.size())) {
            lines.add(
                    Line.of(
                            Style.DIM,
                            signs.dots + " and " + (pending.size() - shown) + " more pods"));
        }
    }

    private static Line pendingLine(Snapshot.PendingPod pod) {
        String reason = pod.reason().isEmpty() ? "waits for its turn" : pod.reason();
        return Line.of(Style.YELLOW, pod.name()).plus("  " + reason);
    }

    private void addRecent(List<Line> lines, Snapshot snapshot, int rows) {
        if (rows == 0) {
            return;
        }
        List<String> recent = snapshot.recent();
        lines.add(Line.EMPTY);
        lines.add(Line.of(Style.BOLD, "Latest placements"));
        int shown = Math.min(rows - 2, recent.size());
        recent.subList(recent.size() - shown, recent.size())
                .forEach(text -> lines.add(Line.of(text.replace("->", signs.arrow))));
    }

    private static String cpu(Snapshot.NodeUse node) {
        return cores(node.used().cpuMillis()) + "/" + cores(node.room().cpuMillis());
    }

    private static String memory(Snapshot.NodeUse node) {
        return gib(node.used().memoryBytes()) + "/" + gib(node.room().memoryBytes()) + "Gi";
    }

    private static String pods(Snapshot.NodeUse node) {
        return node.used().podCount() + "/" + node.room().podCount();
    }

    private static String cores(long millis) {
        return tenths(millis / 1000.0);
    }

    private static String gib(long bytes) {
        return tenths(bytes / (1024.0 * 1024 * 1024));
    }

    private static String tenths(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    private static double share(long used, long room) {
        return room == 0 ? 0 : Math.min(1, (double) used / room);
    }

    private static Style colour(double share) {
        return share < 0.7 ? Style.GREEN : share < 0.9 ? Style.YELLOW : Style.RED;
    }

    private static String count(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }

    private String cut(String text, int columns) {
        return text.length() <= columns
                ? text
                : text.substring(0, columns - signs.dots.length()) + signs.dots;
    }

    private static String pad(String text, int columns) {
        return text + " ".repeat(Math.max(0, columns - text.length()));
    }
}
