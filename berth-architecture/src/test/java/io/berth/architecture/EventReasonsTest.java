package io.berth.architecture;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Programs look for events by type, reason and action: those that are sent are those of the
/// contract, and no others.
final class EventReasonsTest {
    private static final String CONTRACT = "docs/contract/process.md";
    private static final Pattern SENT = Pattern.compile("new Recorder\\.Event\\(");

    /// Words that are written out where an event is made, so that they are found.
    private static final Pattern WORDS =
            Pattern.compile(
                    SENT.pattern()
                            + "[^;\"]+?Recorder\\.Type\\.([A-Z]+),\\s*\"([A-Za-z]+)\",\\s*\"([A-Za-z]+)\"");

    /// A row of the table of events. That of the election has no action, and its own way to be
    /// sent.
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| (Normal|Warning) \\| `(\\w+)` \\| `(\\w+)` \\|");

    @Test
    void eventsAreThoseOfTheContract() {
        assertThat(sent()).isEqualTo(rows());
    }

    private static Set<String> sent() {
        return Rooms.sources().entrySet().stream()
                .filter(source -> source.getKey().toString().contains("/src/main/"))
                .flatMap(source -> {
                    var words = WORDS.matcher(source.getValue()).results().toList();
                    assertThat(SENT.matcher(source.getValue()).results())
                            .as("%s: events whose words are not written out", source.getKey())
                            .hasSameSizeAs(words);
                    return words.stream();
                })
                .map(EventReasonsTest::words)
                .collect(toSet());
    }

    private static Set<String> rows() {
        return ROW.matcher(Rooms.document(CONTRACT))
                .results()
                .map(EventReasonsTest::words)
                .collect(toSet());
    }

    private static String words(MatchResult found) {
        return found.group(1).toUpperCase(Locale.ROOT)
                + " "
                + found.group(2)
                + " "
                + found.group(3);
    }
}
