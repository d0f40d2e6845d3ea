package io.berth.api.plugin;

import io.berth.api.column.NodeView;
import java.util.AbstractList;
import java.util.List;

/// The nodes that passed all filters, in the order of the search. For the scheduling cycle only.
///
/// Plugins that read columns ask for slots, which touches no node.
public abstract class FeasibleNodes extends AbstractList<NodeView> {
    /// The slots of the nodes in the order of the list, the first [#size] of the array. Not to be
    /// changed.
    public abstract int[] slots();

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
