package io.berth.api.handle;

import io.berth.api.column.NodeView;
import io.berth.api.model.Pod;
import io.berth.api.verdict.Verdict;

/// "What if this node had other pods?": a copy of a node, with the plugins' notes to match, on
/// which pods can be added and removed without anybody else noticing.
///
/// Made and closed on the engine thread, in the scheduling cycle.
public interface DryRun extends AutoCloseable {
    /// Starts over with a copy of this node as it really is.
    void on(NodeView node);

    /// The copy, as it is now.
    NodeView node();

    void add(Pod other);

    void remove(Pod other);

    /// Asks the profile's filters whether the pod would fit, with the pods that are nominated to
    /// the node in thought on it and without.
    Verdict filter();

    /// The same question without the reasons, which is quicker.
    boolean fits();

    @Override
    void close();
}
