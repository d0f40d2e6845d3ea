package io.berth.engine.cycle;

import static io.berth.engine.Scripted.filter;
import static io.berth.engine.Scripted.permit;
import static io.berth.engine.Scripted.score;
import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.engine.Bed;
import org.junit.jupiter.api.Test;

/// What somebody hears who watches attempts.
final class AttemptObserverTest {
    @Test
    void placedPodIsHeardOfOnce() {
        var bed = Bed.of(score("Length", node -> node.name().length()));
        bed.scheduler.add(node("a").build());
        bed.run(pod("first").build());
        bed.scheduler.add(node("bb").build());
        bed.run(pod("second").build());
        assertThat(bed.attempts)
                .containsExactly("first to a by ONLY_ONE, 1 of 1", "second to bb by SCORE, 2 of 2");
    }

    @Test
    void podWithoutAPlaceIsHeardOfBeforeAndAfterItGoesBack() {
        var bed = Bed.of(filter("No", (pod, node) -> Refusal.hopeless("no")));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        assertThat(bed.attempts)
                .containsExactly("p nowhere [No]", "p failed: 0/1 nodes are available: 1 no.");
    }

    @Test
    void brokenPluginIsHeardOf() {
        var bed =
                Bed.of(
                        filter(
                                "Breaks",
                                (pod, node) -> {
                                    throw new IllegalStateException("oh");
                                }));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        assertThat(bed.attempts)
                .containsExactly(
                        "p broken running \"Breaks\" filter plugin: oh",
                        "p failed: running \"Breaks\" filter plugin: oh");
    }

    @Test
    void placeThatIsGivenBackIsHeardOf() {
        var bed =
                Bed.of(
                        filter("Yes", (pod, node) -> Verdict.PASS),
                        permit("No", pod -> Refusal.hopeless("no")));
        bed.scheduler.add(node("a").build());
        bed.run(pod("p").build());
        assertThat(bed.attempts)
                .containsExactly(
                        "p to a by ONLY_ONE, 1 of 1",
                        "p gives back a",
                        "p failed: 0/1 nodes are available: 1 no.");
    }
}
