package io.berth.api.column;

import io.berth.api.amount.Resources;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.HostPort;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// A node with the pods on it, assumed ones included, as the current attempt sees it.
public interface NodeView {
    String name();

    Node node();

    /// In no meaningful order, but the same for the same history.
    List<Pod> pods();

    List<Pod> podsWithAffinity();

    List<Pod> podsWithRequiredAntiAffinity();

    Resources requested();

    long nonZeroCpuMillis();

    long nonZeroMemoryBytes();

    Collection<HostPort> usedPorts();

    /// By image name.
    Map<String, ImageState> images();

    /// Whether a pod on this node uses the claim `namespace/name`.
    boolean usesClaim(String claimKey);

    int slot();

    NodeColumns columns();

    /// An image on this node.
    ///
    /// @param nodeCount on how many nodes it was when this node last changed
    record ImageState(long sizeBytes, int nodeCount) {}
}
