package io.berth.api.plugin;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.verdict.PostFilterVerdict;

/// Tries to help a pod that fits nowhere, usually by preemption.
public interface PostFilter extends Plugin {
    PostFilterVerdict postFilter(Cycle cycle, Pod pod, Refusals refusals);
}
