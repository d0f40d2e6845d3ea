package io.berth.api.spec;

import io.berth.api.amount.Quantity;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a running pod's node says that its containers have, while that differs from what the spec
/// asks for: an in-place resize is under way.
///
/// @param containers by container name, app containers and sidecars
/// @param podLevel the pod as a whole, or null
/// @param infeasible the node refused the resize, so the spec does not count
public record ResizeStatus(
        Map<String, Given> containers, @Nullable Given podLevel, boolean infeasible) {
    public ResizeStatus {
        containers = Map.copyOf(containers);
    }

    /// Resources in effect and resources set aside.
    public record Given(Map<String, Quantity> requests, Map<String, Quantity> allocated) {
        public Given {
            requests = Map.copyOf(requests);
            allocated = Map.copyOf(allocated);
        }
    }
}
