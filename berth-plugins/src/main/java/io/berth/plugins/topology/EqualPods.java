package io.berth.plugins.topology;

import io.berth.api.label.Labels;
import io.berth.api.model.Pod;
import java.util.ArrayList;
import java.util.List;

/// All pods on nodes that no query can tell apart: same namespace, same labels, all about to go or
/// none. Knows the views that count it, so that a pod's coming costs as much as it has views.
final class EqualPods {
    /// What makes pods equal to queries.
    record Key(String namespace, Labels labels, boolean terminating) {
        static Key of(Pod pod) {
            return new Key(pod.namespace(), pod.labels(), pod.isTerminating());
        }
    }

    private final Key key;
    private final SlotCounts bySlot = new SlotCounts();
    private final List<PodView> views = new ArrayList<>(2);

    EqualPods(Key key) {
        this.key = key;
    }

    Key key() {
        return key;
    }

    /// For tests: how many views are counted.
    int viewCount() {
        return views.size();
    }

    boolean isEmpty() {
        return bySlot.total() == 0;
    }

    void add(int slot, int change) {
        bySlot.add(slot, change);
        boolean stale = false;
        for (int i = 0; i < views.size(); i++) {
            var view = views.get(i);
            stale |= view.isDropped();
            view.add(slot, change);
        }
        if (stale) {
            views.removeIf(PodView::isDropped);
        }
    }

    /// Counts this group in the view from now on; what is here already is counted at once. Views
    /// that were given up go: a group whose pods stay hears of that nowhere else.
    void join(PodView view) {
        views.removeIf(PodView::isDropped);
        views.add(view);
        bySlot.forEach(view::add);
    }
}
