package io.berth.plugins;

import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.verdict.Verdict;

/// A plain and slow count of the pods that a filter goes by, to compare the filter with.
public interface Recount {
    /// Takes note of a pod that comes to (1) or leaves (-1) a node in thought.
    void change(Pod other, Node node, int change);

    Verdict verdict(Node node);
}
