package io.berth.plugins.noderesources;

import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotScore;

/// The three ways in which NodeResourcesFit rates a node. Hot: each is a loop over a few columns.
/// Products are plain 64-bit, as upstream's (NF-14).
final class FitScores {
    private FitScores() {}

    /// Prefers nodes with much room left (NF-11).
    static SlotScore least(ScoredResources resources) {
        return slot -> {
            long sum = 0;
            long weights = 0;
            for (int i = 0; i < resources.count(); i++) {
                long capacity = resources.capacity(i, slot);
                if (capacity != 0) {
                    long requested = resources.taken(i, slot) + resources.asked()[i];
                    long free =
                            requested > capacity
                                    ? 0
                                    : (capacity - requested) * Score.MAX / capacity;
                    sum += free * resources.weights()[i];
                    weights += resources.weights()[i];
                }
            }
            return weights == 0 ? 0 : sum / weights;
        };
    }

    /// Prefers nodes with little room left (NF-12).
    static SlotScore most(ScoredResources resources) {
        return slot -> {
            long sum = 0;
            long weights = 0;
            for (int i = 0; i < resources.count(); i++) {
                long capacity = resources.capacity(i, slot);
                if (capacity != 0) {
                    long requested = resources.taken(i, slot) + resources.asked()[i];
                    sum +=
                            Math.min(requested, capacity)
                                    * Score.MAX
                                    / capacity
                                    * resources.weights()[i];
                    weights += resources.weights()[i];
                }
            }
            return weights == 0 ? 0 : sum / weights;
        };
    }

    /// Rates each resource's use by a function of the operator's (NF-13).
    static SlotScore ratio(ScoredResources resources, BrokenLinear shape) {
        return slot -> {
            long sum = 0;
            long weights = 0;
            for (int i = 0; i < resources.count(); i++) {
                long capacity = resources.capacity(i, slot);
                if (capacity != 0) {
                    long requested = resources.taken(i, slot) + resources.asked()[i];
                    long score =
                            shape.at(
                                    requested > capacity
                                            ? Score.MAX
                                            : requested * Score.MAX / capacity);
                    if (score > 0) {
                        sum += score * resources.weights()[i];
                        weights += resources.weights()[i];
                    }
                }
            }
            return weights == 0 ? 0 : Math.round((double) sum / (double) weights);
        };
    }
}
