package io.berth.bench.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A Markdown document with places for results:
///
/// ```
/// <!-- report: engine -->
/// what stands here is replaced
/// <!-- report end -->
/// ```
///
/// The place `machine` gets the machines of all results.
final class Document {
    static final String MACHINE = "machine";

    private static final Pattern BEGIN = Pattern.compile("<!-- report: ([a-z0-9-]+) -->");
    private static final String END = "<!-- report end -->";

    private final List<String> lines;

    /// @throws IllegalArgumentException where marks do not match
    Document(String text) {
        this.lines = List.of(text.split("\n", -1));
        places();
    }

    /// The names of the places, in order.
    ///
    /// @throws IllegalArgumentException where a place has no end, or an end no place
    List<String> places() {
        var names = new ArrayList<String>();
        String open = "";
        for (int i = 0; i < lines.size(); i++) {
            var begin = BEGIN.matcher(lines.get(i));
            boolean isEnd = lines.get(i).equals(END);
            if (begin.matches() && !open.isEmpty()) {
                throw new IllegalArgumentException(
                        "line %d: the place \"%s\" has no end; add a line %s"
                                .formatted(i + 1, open, END));
            } else if (begin.matches()) {
                open = begin.group(1);
                names.add(open);
            } else if (isEnd && open.isEmpty()) {
                throw new IllegalArgumentException(
                        "line %d ends a place that has not begun; take it away".formatted(i + 1));
            } else if (isEnd) {
                open = "";
            }
        }
        if (!open.isEmpty()) {
            throw new IllegalArgumentException(
                    "the place \"%s\" has no end; add a line %s".formatted(open, END));
        }
        return names;
    }

    /// The document with these results in their places; a place without one stays as it is.
    String with(Collection<Result> results) {
        Map<String, Result> byPart =
                results.stream().collect(Collectors.toMap(Result::part, Function.identity()));
        var text = new ArrayList<String>();
        boolean isReplaced = false;
        for (var line : lines) {
            var begin = BEGIN.matcher(line);
            if (line.equals(END)) {
                isReplaced = false;
            }
            if (!isReplaced) {
                text.add(line);
            }
            if (begin.matches()) {
                String news = news(begin.group(1), byPart);
                isReplaced = !news.isEmpty();
                if (isReplaced) {
                    text.add(news);
                }
            }
        }
        return String.join("\n", text);
    }

    private static String news(String place, Map<String, Result> byPart) {
        if (place.equals(MACHINE)) {
            return machines(byPart.values());
        }
        var result = byPart.get(place);
        return result == null ? "" : result.markdown();
    }

    private static String machines(Collection<Result> results) {
        var machines =
                results.stream()
                        .map(Result::machine)
                        .collect(Collectors.toCollection(TreeSet::new));
        return machines.isEmpty() ? "" : String.join("; ", machines) + ".";
    }

    /// A document of its own, with a section for each result.
    static String of(Collection<Result> results) {
        var text = new StringBuilder("# Benchmarks\n\n" + machines(results) + "\n");
        for (var part : Part.all()) {
            results.stream()
                    .filter(result -> result.part().equals(part.name()))
                    .forEach(result ->
                            text.append(
                                    "\n## %s%n%n%s%n".formatted(part.title(), result.markdown())));
        }
        return text.toString();
    }
}
