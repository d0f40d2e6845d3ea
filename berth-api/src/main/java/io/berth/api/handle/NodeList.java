package io.berth.api.handle;

import io.berth.api.column.NodeView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The nodes as the current attempt sees them. For the scheduling cycle only.
public interface NodeList {
    /// All nodes in the scheduler's order: one of each zone in turn.
    List<NodeView> all();

    @Nullable NodeView byName(String name);

    List<NodeView> withAffinityPods();

    List<NodeView> withRequiredAntiAffinityPods();

    /// Whether a pod on any of them uses the claim `namespace/name`.
    boolean isClaimInUse(String claimKey);
}
