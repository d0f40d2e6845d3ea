package io.berth.plugins.defaultpreemption;

import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.label.LabelSelector;
import io.berth.api.model.Pod;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.engine.state.ObjectStore;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("E-158")
final class BudgetsTest {
    private final ObjectStore objects = new ObjectStore();
    private final Budgets budgets = new Budgets(objects);

    private void budget(String name, LabelSelector selector, int allowed, String... disrupted) {
        objects.put(new PodDisruptionBudget("default", name, selector, allowed, Set.of(disrupted)));
    }

    private static Pod web(String name) {
        return pod(name).label("app", "web").build();
    }

    private List<String> violating(Pod... pods) {
        return budgets.violating(List.of(pods)).stream().map(Pod::name).sorted().toList();
    }

    @Test
    void eachPodIsChargedInOrder() {
        budget("b", LabelSelector.matching("app", "web"), 1);
        assertThat(violating(web("one"), web("two"), web("three"))).containsExactly("three", "two");
        // Asked anew, the budget is whole again.
        assertThat(violating(web("two"))).isEmpty();
    }

    @Test
    void podWithoutLabelsNeverViolates() {
        budget("b", LabelSelector.of(List.of()), 0);
        budget(
                "c",
                LabelSelector.of(
                        List.of(
                                new io.berth.api.label.Requirement(
                                        "app",
                                        io.berth.api.label.Requirement.Operator.DOES_NOT_EXIST,
                                        List.of()))),
                0);
        assertThat(violating(pod("bare").build())).isEmpty();
    }

    @Test
    void emptyAndAbsentSelectorsProtectNobody() {
        budget("empty", LabelSelector.EVERYTHING, 0);
        budget("absent", LabelSelector.NOTHING, 0);
        assertThat(violating(web("one"))).isEmpty();
    }

    @Test
    void otherNamespacesDoNotCount() {
        budget("b", LabelSelector.matching("app", "web"), 0);
        assertThat(violating(pod("elsewhere", "one").label("app", "web").build())).isEmpty();
    }

    @Test
    void podThatIsBeingDisruptedAlreadyIsNotChargedAgain() {
        budget("b", LabelSelector.matching("app", "web"), 1, "one");
        assertThat(violating(web("one"), web("two"))).isEmpty();
    }

    @Test
    void allBudgetsOfAPodAreChargedAndOneIsEnoughToViolate() {
        budget("none", LabelSelector.matching("app", "web"), 0);
        budget("two", LabelSelector.matching("tier", "front"), 1);
        var both = pod("one").label("app", "web").label("tier", "front").build();
        var front = pod("two").label("tier", "front").build();
        // The first violates the one budget and still uses up the other.
        assertThat(violating(both, front)).containsExactly("one", "two");
    }
}
