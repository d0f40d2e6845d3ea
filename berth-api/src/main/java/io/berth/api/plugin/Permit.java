package io.berth.api.plugin;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.verdict.PermitVerdict;

/// The last word before binding: yes, no, or wait.
public interface Permit extends Plugin {
    PermitVerdict permit(Cycle cycle, Pod pod, String nodeName);
}
