package io.berth.architecture;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The README's table of rooms, which people trust.
final class ReadmeTest {
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(berth-[a-z0-9]+)` \\| [^|]+ \\| ([^|]+) \\|$");

    /// It used to draw a graph in which half of the rooms were missing.
    @Test
    void whatEachRoomKnowsIsWhatItsPomSays() {
        var told = new TreeMap<String, String>();
        ROW.matcher(Rooms.document("README.md"))
                .results()
                .forEach(row -> told.put(row.group(1), row.group(2)));
        var real = new TreeMap<String, String>();
        Rooms.names().forEach(room -> real.put(room, words(room)));
        assertThat(told).isEqualTo(real);
    }

    private static String words(String room) {
        var known = Rooms.known(room);
        return known.isEmpty()
                ? "nothing of ours"
                : known.stream()
                        .map(name -> name.replaceFirst("berth-", ""))
                        .collect(joining(", "));
    }
}
