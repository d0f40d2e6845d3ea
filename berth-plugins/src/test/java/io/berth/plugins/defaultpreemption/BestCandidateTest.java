package io.berth.plugins.defaultpreemption;

import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-160")
@Tag("E-191")
final class BestCandidateTest {
    private static final Instant TEN = Instant.parse("2026-01-01T10:00:00Z");
    private static final Instant ELEVEN = Instant.parse("2026-01-01T11:00:00Z");
    private static final long NOW = Instant.parse("2026-01-01T12:00:00Z").toEpochMilli();

    private static Pod victim(int priority, Instant start) {
        return pod("v" + priority).priority(priority).with(p -> p.startedAt(start)).build();
    }

    private static Candidate node(String name, int violations, int... priorities) {
        var victims = new ArrayList<Pod>();
        for (int priority : priorities) {
            victims.add(victim(priority, TEN));
        }
        return new Candidate(name, victims, violations);
    }

    private static String best(Candidate... candidates) {
        var forward = BestCandidate.of(List.of(candidates), NOW).node();
        assertThat(BestCandidate.of(List.of(candidates).reversed(), NOW).node()).isEqualTo(forward);
        return forward;
    }

    @Test
    void fewestViolationsComeFirst() {
        assertThat(best(node("x", 1, 1), node("y", 0, 9, 9, 9))).isEqualTo("y");
        assertThat(best(node("x", 2, 1), node("y", 1, 9))).isEqualTo("y");
    }

    @Test
    void thenTheLowestOfTheHighestPriorities() {
        assertThat(best(node("x", 0, 5), node("y", 0, 3, 3))).isEqualTo("y");
    }

    @Test
    void thenTheSmallestSum() {
        assertThat(best(node("y", 0, 3, 3), node("z", 0, 3))).isEqualTo("z");
        assertThat(best(node("y", 0, 3, 2), node("z", 0, 3, 1))).isEqualTo("z");
    }

    @Test
    void negativePrioritiesWeighToo() {
        // Plain sums would prefer more victims of negative priority.
        assertThat(best(node("one", 0, -5), node("three", 0, -5, -5, -5))).isEqualTo("one");
    }

    @Test
    void thenTheLatestStartOfTheMostImportantVictim() {
        var early = new Candidate("z", List.of(victim(3, TEN)), 0);
        var late = new Candidate("w", List.of(victim(3, ELEVEN)), 0);
        assertThat(best(early, late)).isEqualTo("w");
        var notStarted = new Candidate("n", List.of(pod("v").priority(3).build()), 0);
        assertThat(best(late, notStarted)).isEqualTo("n");
    }

    @Test
    void earliestOfTheMostImportantVictimsCounts() {
        var mixed = new Candidate("m", List.of(victim(3, ELEVEN), victim(3, TEN)), 0);
        var late = new Candidate("l", List.of(victim(3, ELEVEN), victim(3, ELEVEN)), 0);
        assertThat(best(mixed, late)).isEqualTo("l");
    }

    @Test
    @Tag("E-149")
    void victimsInTheOrderOfAnExtenderAreLookedThroughForTheMostImportant() {
        var early = new Candidate("e", List.of(victim(2, ELEVEN), victim(3, TEN)), 0);
        var late = new Candidate("l", List.of(victim(2, TEN), victim(3, ELEVEN)), 0);
        assertThat(best(early, late)).isEqualTo("l");
    }

    @Test
    @Tag("E-181")
    void firstOfTheListWinsInTheEnd() {
        assertThat(BestCandidate.of(List.of(node("a", 0, 1), node("b", 0, 1)), NOW).node())
                .isEqualTo("a");
    }
}
