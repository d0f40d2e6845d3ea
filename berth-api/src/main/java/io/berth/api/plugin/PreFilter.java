package io.berth.api.plugin;

import io.berth.api.column.NodeView;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.verdict.PreFilterVerdict;
import org.jspecify.annotations.Nullable;

/// Looks at the pod once, before the nodes: prepares notes, narrows the nodes, refuses outright.
public interface PreFilter extends Plugin {
    PreFilterVerdict preFilter(Cycle cycle, Pod pod);

    /// How to bring the plugin's notes up to date when a pod is added to or taken from a node in
    /// thought; null where its notes do not depend on other pods.
    default @Nullable WhatIf whatIf() {
        return null;
    }

    /// Changes the notes of a cycle as if a pod had come or gone. Preemption and nominated pods use
    /// it, on copies.
    interface WhatIf {
        void podAdded(Cycle cycle, Pod pod, Pod other, NodeView node);

        void podRemoved(Cycle cycle, Pod pod, Pod other, NodeView node);
    }
}
