package io.berth.e2e.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class DifferenceTest {
    private static Outcome.Placed placed(String node, long first, long second) {
        SortedMap<String, SortedMap<String, Long>> scores = new TreeMap<>();
        scores.put("a", new TreeMap<>(Map.of("P", first)));
        scores.put("b", new TreeMap<>(Map.of("P", second)));
        return new Outcome.Placed(
                node,
                2,
                2,
                scores,
                new TreeMap<>(Map.of("a", first, "b", second)),
                new TreeSet<>());
    }

    private static Outcome.Placed writing(String node, String written) {
        return new Outcome.Placed(
                node, 1, 1, new TreeMap<>(), new TreeMap<>(), new TreeSet<>(Set.of(written)));
    }

    private static Outcome.Unplaced unplaced(String message) {
        return new Outcome.Unplaced("Unschedulable", message, message, "", new TreeSet<>());
    }

    @Test
    void anyOfTheBestNodesMayBeTaken() {
        assertThat(Difference.between(placed("a", 7, 7), placed("b", 7, 7))).isEmpty();
    }

    @Test
    void nodeThatIsNotBestIsADifference() {
        assertThat(Difference.between(placed("a", 6, 7), placed("b", 6, 7)))
                .extracting(Difference::kind)
                .containsExactly("choice");
    }

    @Test
    void scoresAreComparedPluginByPlugin() {
        assertThat(Difference.between(placed("b", 6, 7), placed("b", 5, 7)))
                .extracting(Difference::kind)
                .containsExactly("scores of P", "final scores");
    }

    @Test
    void whatIsWrittenIsComparedWhereBothTookOneNode() {
        assertThat(Difference.between(writing("a", "x"), writing("a", "x"))).isEmpty();
        assertThat(Difference.between(writing("a", "x"), writing("a", "y")))
                .extracting(Difference::kind)
                .containsExactly("written");
    }

    @Test
    void placedAndUnplacedDiffer() {
        assertThat(Difference.between(placed("b", 6, 7), unplaced("no")))
                .extracting(Difference::kind)
                .containsExactly("outcome");
    }

    @Test
    void textsAreComparedWordByWord() {
        assertThat(Difference.between(unplaced("x"), unplaced("x"))).isEmpty();
        assertThat(Difference.between(unplaced("x"), unplaced("y")))
                .extracting(Difference::kind)
                .containsExactly("message", "event");
    }
}
