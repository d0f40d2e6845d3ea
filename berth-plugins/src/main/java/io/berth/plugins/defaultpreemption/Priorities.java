package io.berth.plugins.defaultpreemption;

import io.berth.api.handle.Handle;
import io.berth.api.handle.StateObserver;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How many pods on nodes have which priority, counted from the first question on. Owned by the
/// engine thread.
final class Priorities implements StateObserver {
    private final TreeMap<Integer, Integer> counts = new TreeMap<>();

    private Priorities() {}

    static Priorities of(Handle handle) {
        return handle.shared(
                Priorities.class,
                () -> {
                    var made = new Priorities();
                    handle.observe(made);
                    return made;
                });
    }

    boolean isAnyBelow(int priority) {
        return !counts.isEmpty() && counts.firstKey() < priority;
    }

    @Override
    public void podAdded(Pod pod, int slot) {
        counts.merge(pod.spec().priority(), 1, Integer::sum);
    }

    @Override
    public void podRemoved(Pod pod, int slot) {
        counts.computeIfPresent(
                pod.spec().priority(), (priority, count) -> count == 1 ? null : count - 1);
    }

    @Override
    public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {}
}
