package io.berth.api.plugin;

import io.berth.api.column.NodeView;
import java.util.AbstractList;
import java.util.List;

/// The nodes that passed all filters, in the order of the search. For the scheduling cycle only.
///
/// Plugins that read columns ask for slots, which touches no node.
public abstract class FeasibleNodes extends AbstractList<NodeView> {
    /// The slot of the node at that place of the list.
    public abstract int slot(int index);

    public static FeasibleNodes of(List<NodeView> nodes) {
        return new FeasibleNodes() {
            @Override
            public int slot(int index) {
                return nodes.get(index).slot();
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
