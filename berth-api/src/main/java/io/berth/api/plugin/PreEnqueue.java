package io.berth.api.plugin;

import io.berth.api.model.Pod;
import io.berth.api.verdict.Refusal;
import java.util.Optional;

/// Decides whether a pod may be tried at all. A refused pod is *gated* until an event that the
/// plugin registered for.
public interface PreEnqueue extends Plugin {
    Optional<Refusal> preEnqueue(Pod pod);
}
