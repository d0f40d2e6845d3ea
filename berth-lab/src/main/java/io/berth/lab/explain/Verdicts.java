package io.berth.lab.explain;

import io.berth.api.explain.Explanation;
import io.berth.api.explain.FilterAnswer;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which refusals nodes have in common, and how many nodes have them: thousands are judged alike,
/// so that what follows from refusals is worked out once for each sort.
final class Verdicts {
    /// Nodes that were looked at and are refused alike.
    static final class Alike {
        private final List<FilterAnswer> refusals;
        private int nodes;
        private int besideNominated;

        private Alike(List<FilterAnswer> refusals) {
            this.refusals = refusals;
        }

        List<FilterAnswer> refusals() {
            return refusals;
        }

        /// How many cannot take the pod, be it for pods that are nominated there.
        int refused() {
            return refusals.isEmpty() ? besideNominated : nodes;
        }
    }

    private final IdentityHashMap<List<FilterAnswer>, Alike> byRefusals = new IdentityHashMap<>();
    private int judged;

    @SuppressWarnings("ReferenceEquality") // nodes that are judged alike share the list
    Verdicts(Explanation explanation) {
        @Nullable Alike last = null;
        for (var node : explanation.nodes()) {
            if (node.isLeftOut()) {
                continue;
            }
            var refusals = node.refusals();
            if (last == null || last.refusals != refusals) {
                last = byRefusals.computeIfAbsent(refusals, Alike::new);
            }
            judged++;
            last.nodes++;
            last.besideNominated += node.besideNominated().isPresent() ? 1 : 0;
        }
    }

    Collection<Alike> all() {
        return byRefusals.values();
    }

    /// How many nodes were looked at.
    int judged() {
        return judged;
    }

    /// How many of them can take the pod.
    int feasible() {
        return judged - byRefusals.values().stream().mapToInt(Alike::refused).sum();
    }
}
