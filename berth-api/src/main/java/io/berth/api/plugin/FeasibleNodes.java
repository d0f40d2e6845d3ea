package io.berth.api.plugin;

import io.berth.api.column.NodeView;
import io.berth.api.column.SlotTrait;
import java.util.AbstractList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The nodes that passed all filters, in the order of the search. For the scheduling cycle only.
///
/// Plugins that read columns ask for slots, which touches no node.
public abstract class FeasibleNodes extends AbstractList<NodeView> {
    /// The slots of the nodes in the order of the list, the first [#size] of the array. Not to be
    /// changed.
    public abstract int[] slots();

    /// Some of the nodes that show all there is to see to somebody who goes by these traits alone:
    /// one for each combination of them at least. All nodes where nothing is known about them.
    public Sample sample(List<SlotTrait> traits) {
        return new Sample(slots(), null, size());
    }

    /// Slots that stand for all feasible nodes, the first `count` of the array. Not to be changed.
    ///
    /// @param standingFor for how many nodes each of them stands; null where for itself alone
    public record Sample(int[] slots, int @Nullable [] standingFor, int count) {
        public int standingFor(int i) {
            return standingFor == null ? 1 : standingFor[i];
        }
    }

    public static FeasibleNodes of(List<NodeView> nodes) {
        return new FeasibleNodes() {
            @Override
            public int[] slots() {
                return nodes.stream().mapToInt(NodeView::slot).toArray();
            }

            @Override
            public NodeView get(int index) {
                return nodes.get(index);
            }

            @Override
            public int size() {
                return nodes.size();
            }
        };
    }
}
