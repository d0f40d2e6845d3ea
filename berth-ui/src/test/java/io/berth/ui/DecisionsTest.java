package io.berth.ui;

import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.lab.explain.QueueFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DecisionsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Decisions decisions = new Decisions();

    private static Pod waiting(String text) {
        return pod("p").uid("p")
                .with(builder ->
                        builder.condition(
                                PodCondition.of(
                                        PodCondition.POD_SCHEDULED,
                                        "False",
                                        PodCondition.UNSCHEDULABLE,
                                        text)))
                .build();
    }

    private static Map<String, QueueFacts> attempts(int count) {
        return Map.of("default/p", new QueueFacts("parked", count, null, null, 0, List.of()));
    }

    private List<String> told(long since) {
        return decisions.after(since, 100).stream()
                .map(one -> one.kind() + " " + one.pod() + " " + one.node() + one.text())
                .toList();
    }

    @Test
    void tellsOfPlacesAndOfPodsThatHaveNone() {
        decisions.look(List.of(), Map.of(), NOW);
        decisions.look(List.of(waiting("too full")), attempts(1), NOW);
        decisions.look(List.of(waiting("too full")), attempts(1), NOW);
        decisions.look(List.of(waiting("too full")), attempts(2), NOW);
        decisions.look(List.of(pod("p").uid("p").onNode("n").build()), Map.of(), NOW);
        assertThat(told(0))
                .containsExactly(
                        "UNPLACED default/p too full",
                        "UNPLACED default/p too full",
                        "BOUND default/p n");
        assertThat(decisions.bound()).isEqualTo(1);
    }

    @Test
    void whatWasThereAtTheFirstLookIsToldButNotCounted() {
        decisions.look(List.of(pod("p").uid("p").onNode("n").build()), Map.of(), NOW);
        assertThat(told(0)).containsExactly("BOUND default/p n");
        assertThat(decisions.bound()).isZero();
    }

    @Test
    void keepsTheLastOnesOnly() {
        decisions.look(List.of(), Map.of(), NOW);
        var pods = new ArrayList<Pod>();
        for (int i = 0; i < Decisions.MOST + 500; i++) {
            pods.add(pod("p" + i).uid("u" + i).onNode("n").build());
        }
        decisions.look(pods, Map.of(), NOW);
        assertThat(decisions.after(0, Integer.MAX_VALUE)).hasSize(Decisions.MOST);
        assertThat(decisions.after(0, 10)).hasSize(10);
        assertThat(decisions.after(0, 10).getLast().seq()).isEqualTo(pods.size());
    }
}
