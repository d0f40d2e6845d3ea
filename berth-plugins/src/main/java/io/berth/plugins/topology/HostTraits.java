package io.berth.plugins.topology;

import io.berth.api.column.LabelColumn;
import io.berth.api.column.SlotTrait;
import java.util.List;

/// What the pods on a node itself are to somebody who counts by a label that no two nodes share:
/// then the node is a domain of its own, and nothing that happens elsewhere changes its count.
public final class HostTraits {
    private HostTraits() {}

    /// Whether the node lacks the label, has it and none of the pods, or some of them.
    public static SlotTrait any(LabelColumn label, List<CountedPods> pods) {
        return new Any(label, List.copyOf(pods));
    }

    /// How many of the pods the node has, weighted; [Long#MIN_VALUE] where it lacks the label.
    ///
    /// @param weights one for each of the pods
    public static SlotTrait sum(LabelColumn label, List<CountedPods> pods, List<Long> weights) {
        return new Sum(label, List.copyOf(pods), List.copyOf(weights));
    }

    private record Any(LabelColumn label, List<CountedPods> pods) implements SlotTrait {
        @Override
        public long of(int slot) {
            if (label.of(slot) == 0) {
                return 0;
            }
            for (int i = 0; i < pods.size(); i++) {
                if (pods.get(i).bySlot().get(slot) > 0) {
                    return 2;
                }
            }
            return 1;
        }
    }

    private record Sum(LabelColumn label, List<CountedPods> pods, List<Long> weights)
            implements SlotTrait {
        @Override
        public long of(int slot) {
            if (label.of(slot) == 0) {
                return Long.MIN_VALUE;
            }
            long sum = 0;
            for (int i = 0; i < pods.size(); i++) {
                sum += weights.get(i) * pods.get(i).bySlot().get(slot);
            }
            return sum;
        }
    }
}
