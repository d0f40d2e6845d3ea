package io.berth.engine.state;

import static io.berth.engine.state.StateFixtures.node;
import static io.berth.engine.state.StateFixtures.pod;
import static io.berth.engine.state.StateFixtures.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.handle.StateObserver;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObserversTest {
    private final ClusterState state = state();
    private final List<String> heard = new ArrayList<>();
    private final StateObserver observer =
            new StateObserver() {
                @Override
                public void podAdded(Pod pod, int slot) {
                    heard.add("+" + pod.name() + "@" + slot + counted(slot));
                }

                @Override
                public void podRemoved(Pod pod, int slot) {
                    heard.add("-" + pod.name() + "@" + slot + counted(slot));
                }

                @Override
                public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {
                    heard.add(before + "->" + after + "@" + slot);
                }

                private String counted(int slot) {
                    return " of " + state.columns().podCounts()[slot];
                }
            };

    @Test
    void everyChangeIsToldAfterItTookEffect() {
        state.observe(observer);
        state.addNode(node("a"));
        state.updateNode(node("a"));
        state.assumePod(pod("p", "a"));
        state.addPod(pod("p", "a"));
        state.updatePod(pod("p", "a"), pod("p", "a"));
        state.addPod(pod("q", "x"));
        state.removeNode(node("a"));
        state.removePod(pod("p", "a"));

        assertThat(heard)
                .containsExactly(
                        "null->a@0",
                        "a->a@0",
                        "+p@0 of 1",
                        "-p@0 of 0",
                        "+p@0 of 1",
                        "-p@0 of 0",
                        "+p@0 of 1",
                        "+q@1 of 1",
                        "a->null@0",
                        "-p@0 of 0");
    }

    @Test
    void lateObserverIsToldWhatThereIs() {
        state.addPod(pod("p", "ghost"));
        state.addNode(node("a"));
        state.assumePod(pod("q", "a"));
        state.addNode(node("b"));
        state.removeNode(node("b"));
        state.observe(observer);

        assertThat(heard).containsExactly("null->a@1", "+p@0 of 1", "+q@1 of 1");
    }

    @Test
    void refusedCallIsNotTold() {
        state.addPod(pod("p", "a"));
        state.observe(observer);
        heard.clear();
        assertThatThrownBy(() -> state.addPod(pod("p", "a"))).isInstanceOf(StateException.class);

        assertThat(heard).isEmpty();
    }
}
