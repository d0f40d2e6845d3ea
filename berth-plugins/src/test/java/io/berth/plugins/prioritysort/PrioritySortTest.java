package io.berth.plugins.prioritysort;

import static io.berth.plugins.Samples.pod;
import static io.berth.plugins.Samples.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.model.Pod;
import io.berth.api.plugin.QueueSort.QueuedPod;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PrioritySortTest {
    private record Queued(Pod pod, long timestampMillis, int attempts) implements QueuedPod {}

    private static Queued queued(int priority, long timestampMillis) {
        return new Queued(pod("p", spec().priority(priority)), timestampMillis, 1);
    }

    private final PrioritySort plugin = new PrioritySort();

    @Test
    @Tag("PS-1")
    void importantPodsComeFirst() {
        assertThat(plugin.less(queued(1, 9), queued(0, 1))).isTrue();
        assertThat(plugin.less(queued(0, 1), queued(1, 9))).isFalse();
        assertThat(plugin.less(queued(-1, 1), queued(-2, 1))).isTrue();
    }

    @Test
    @Tag("PS-1")
    void amongEqualsTheOlderComesFirst() {
        assertThat(plugin.less(queued(1, 1), queued(1, 2))).isTrue();
        assertThat(plugin.less(queued(1, 2), queued(1, 1))).isFalse();
        assertThat(plugin.less(queued(1, 1), queued(1, 1))).isFalse();
    }
}
