package io.berth.plugins;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Taint;
import io.berth.engine.framework.ProfileSettings;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Values of labels and sets of taints have numbers, and those of vanished ones are given again.
/// Verdicts that were worked out by number before that knew the old value alone: a pod would have
/// been placed on a node with a new taint, or kept from a node with the label it asks for.
@Tag("E-141")
final class FreedNumbersTest {
    /// More values than are left lying about.
    private static final int MANY = 600;

    private final TestScheduler scheduler =
            TestScheduler.with(
                    InTree.factories(),
                    ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults()));

    @Test
    void newTaintKeepsPodsAwayThoughItsNumberWasAnotherOnes() {
        scheduler.add(node("still").cpu("1").build());
        for (int i = 0; i < MANY; i++) {
            scheduler.add(node("n").cpu("8").taint("old", "v" + i, Taint.NO_SCHEDULE).build());
        }
        scheduler.add(node("n").cpu("8").build());
        place("before");
        assertThat(scheduler.nodeOf("default/before")).as("the emptier one").isEqualTo("n");

        scheduler.add(node("n").cpu("8").taint("new", "v", Taint.NO_SCHEDULE).build());
        place("after");
        assertThat(scheduler.nodeOf("default/after")).isEqualTo("still");
    }

    @Test
    void newLabelLetsPodsInThoughItsNumberWasAnotherOnes() {
        scheduler.add(node("n").label("rack", "none").build());
        scheduler.create(wanting("first"));
        scheduler.settle();
        for (int i = 0; i < MANY; i++) {
            scheduler.add(node("n").label("rack", "v" + i).build());
        }
        scheduler.create(wanting("second"));
        scheduler.settle();
        assertThat(scheduler.nodeOf("default/second")).isEmpty();

        scheduler.add(node("n").label("rack", "wanted").build());
        scheduler.pass(Duration.ofSeconds(30));
        assertThat(scheduler.nodeOf("default/first")).isEqualTo("n");
        assertThat(scheduler.nodeOf("default/second")).isEqualTo("n");
    }

    private static Pod wanting(String name) {
        return pod(name).cpu("100m").nodeSelector("rack", "wanted").build();
    }

    private void place(String name) {
        scheduler.create(pod(name).cpu("100m").build());
        scheduler.settle();
    }
}
