package io.berth.api.handle;

import io.berth.api.column.NodeView;
import io.berth.api.model.Pod;
import java.util.List;
import java.util.Map;

/// A service outside the scheduler that takes part in its decisions: for resources that the
/// scheduler cannot count itself.
///
/// Calls block, each for a bounded time, and fail with an exception whose message tells users what
/// went wrong. [#bind] is called on a binding thread and [#prioritize] perhaps on several at once;
/// everything else comes from the engine thread.
public interface Extender {
    /// How users know it; for an HTTP service its URL.
    String name();

    /// Whether scheduling goes on without it when it fails.
    boolean isIgnorable();

    /// Whether it wants to be asked about this pod.
    boolean isInterested(Pod pod);

    boolean isFilter();

    boolean isPrioritizer();

    boolean isBinder();

    boolean supportsPreemption();

    /// What its scores count for; 0 where it gives none.
    long weight();

    /// Which of the nodes can take the pod.
    Filtered filter(Pod pod, List<NodeView> nodes);

    /// How well the nodes suit the pod, each from 0 to 10. Nodes that are not named get nothing.
    List<HostScore> prioritize(Pod pod, List<NodeView> nodes);

    /// Binds the pod in the scheduler's stead.
    void bind(Pod pod, String nodeName);

    /// Which of the candidates for a preemption are left, with which victims.
    ///
    /// @param candidates by node name
    /// @return by node name; may name other victims than before
    Map<String, ChosenVictims> preempt(Pod pod, Map<String, Victims> candidates);

    /// What a filter left.
    ///
    /// @param nodes names of the nodes that are left, in the order in which they are to be used on
    /// @param failed reasons by node name; preemption may help
    /// @param unresolvable reasons by node name; nothing helps. Goes before `failed`
    record Filtered(
            List<String> nodes, Map<String, String> failed, Map<String, String> unresolvable) {
        public Filtered {
            nodes = List.copyOf(nodes);
        }

        /// Leaves these nodes and says nothing about the others.
        public static Filtered to(List<String> nodes) {
            return new Filtered(nodes, Map.of(), Map.of());
        }
    }

    record HostScore(String nodeName, long score) {}

    /// Pods that would have to go from a node.
    ///
    /// @param violations how many of them a disruption budget would protect
    record Victims(List<Pod> pods, long violations) {
        public Victims {
            pods = List.copyOf(pods);
        }
    }

    /// Pods that are to go from a node, by uid.
    record ChosenVictims(List<String> uids, long violations) {
        public ChosenVictims {
            uids = List.copyOf(uids);
        }
    }
}
