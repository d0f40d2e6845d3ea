package io.berth.engine.query;

import io.berth.api.model.Pod;
import java.util.List;

/// A pod that has its node in our books and waits for permit plugins.
///
/// @param pendingFor plugins that have not decided yet
public record PermitWait(Pod pod, List<String> pendingFor) {
    public PermitWait {
        pendingFor = List.copyOf(pendingFor);
    }
}
