package io.berth.engine.queue;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.model.Node;
import java.util.ArrayList;
import java.util.List;

/// Names what changed about a node, as far as it may matter to scheduling.
public final class NodeChanges {
    private static final ClusterEvent ALLOCATABLE =
            ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_ALLOCATABLE);
    private static final ClusterEvent LABEL =
            ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_LABEL);
    private static final ClusterEvent TAINT =
            ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_TAINT);
    private static final ClusterEvent CONDITION =
            ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_CONDITION);
    private static final ClusterEvent ANNOTATION =
            ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_ANNOTATION);
    private static final ClusterEvent DECLARED_FEATURE =
            ClusterEvent.of(ClusterEvent.NODE, Action.UPDATE_NODE_DECLARED_FEATURE);

    private NodeChanges() {}

    /// The changes in upstream's order; empty where nothing of interest changed. A node that
    /// becomes schedulable counts as a change of taints, so that may occur twice.
    public static List<ClusterEvent> between(Node before, Node after) {
        var events = new ArrayList<ClusterEvent>(0);
        if (before.unschedulable() && !after.unschedulable()) {
            events.add(TAINT);
        }
        if (!after.allocatable().equals(before.allocatable())) {
            events.add(ALLOCATABLE);
        }
        if (!after.labels().equals(before.labels())) {
            events.add(LABEL);
        }
        if (!after.taints().equals(before.taints())) {
            events.add(TAINT);
        }
        if (!after.conditions().equals(before.conditions())) {
            events.add(CONDITION);
        }
        if (!after.annotations().equals(before.annotations())) {
            events.add(ANNOTATION);
        }
        if (!after.declaredFeatures().equals(before.declaredFeatures())) {
            events.add(DECLARED_FEATURE);
        }
        return List.copyOf(events);
    }
}
