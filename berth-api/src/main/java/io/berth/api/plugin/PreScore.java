package io.berth.api.plugin;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;

/// Prepares scoring, once the feasible nodes are known.
public interface PreScore extends Plugin {
    /// @return whether the plugin's score is to be asked for; false leaves the plugin out
    boolean preScore(Cycle cycle, Pod pod, FeasibleNodes feasible);
}
