package io.berth.api.relax;

import io.berth.api.handle.Cycle;
import io.berth.api.model.Pod;
import io.berth.api.plugin.PostFilter;
import io.berth.api.plugin.Refusals;
import java.util.List;

/// A plugin that makes room for pods, and can tell whom it would evict without doing so.
public interface PreemptionPreview extends PostFilter {
    /// Changes nothing, draws no chance, writes nothing.
    ///
    /// @param most how many options are wanted
    Preview preview(Cycle cycle, Pod pod, Refusals refusals, int most);

    /// What preemption would come to.
    ///
    /// @param ineligible why the pod may not preempt; empty where it may
    /// @param options nodes that would fit without some pods, the one that would be taken first
    record Preview(String ineligible, List<Option> options) {
        public Preview {
            options = List.copyOf(options);
        }
    }

    /// A node that would fit without some pods.
    ///
    /// @param victims these pods, the most important first
    /// @param violations how many of them a disruption budget would protect
    record Option(String node, List<Pod> victims, int violations) {
        public Option {
            victims = List.copyOf(victims);
        }
    }
}
