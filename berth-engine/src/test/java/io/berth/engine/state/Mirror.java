package io.berth.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.column.NodeColumns;
import io.berth.api.handle.StateObserver;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Follows the state by what observers are told alone.
final class Mirror implements StateObserver {
    private final NodeColumns columns;
    private final Map<Integer, Node> nodes = new HashMap<>();
    private final Map<Integer, List<Pod>> pods = new HashMap<>();

    Mirror(NodeColumns columns) {
        this.columns = columns;
    }

    @Override
    public void podAdded(Pod pod, int slot) {
        pods.computeIfAbsent(slot, key -> new ArrayList<>()).add(pod);
    }

    @Override
    public void podRemoved(Pod pod, int slot) {
        assertThat(pods.getOrDefault(slot, List.of()).remove(pod)).isTrue();
    }

    @Override
    public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {
        assertThat(nodes.get(slot)).isSameAs(before);
        if (after == null) {
            nodes.remove(slot);
        } else {
            nodes.put(slot, after);
        }
    }

    void compareWith(PlainState model) {
        int podCount = 0;
        for (var podsOfSlot : pods.values()) {
            podCount += podsOfSlot.size();
        }
        assertThat(podCount).isEqualTo(model.pods.size());
        model.infos.forEach((name, info) -> {
            if (info.node != null) {
                int slot = columns.slotOf(name);
                assertThat(nodes.get(slot)).isSameAs(info.node);
                assertThat(versions(pods.getOrDefault(slot, List.of())))
                        .isEqualTo(versions(info.pods));
            }
        });
    }

    private static Set<String> versions(List<Pod> pods) {
        var result = new HashSet<String>();
        pods.forEach(pod -> result.add(pod.uid() + "@" + pod.resourceVersion()));
        return result;
    }
}
