package io.berth.engine.state;

import io.berth.api.handle.StateObserver;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Tells everybody who asked, in the order of asking.
final class Observers implements StateObserver {
    private final List<StateObserver> all = new ArrayList<>();

    void add(StateObserver observer) {
        all.add(observer);
    }

    @Override
    public void podAdded(Pod pod, int slot) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).podAdded(pod, slot);
        }
    }

    @Override
    public void podRemoved(Pod pod, int slot) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).podRemoved(pod, slot);
        }
    }

    @Override
    public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).nodeChanged(slot, before, after);
        }
    }

    @Override
    public void objectChanged(@Nullable ClusterObject before, @Nullable ClusterObject after) {
        for (int i = 0; i < all.size(); i++) {
            all.get(i).objectChanged(before, after);
        }
    }
}
