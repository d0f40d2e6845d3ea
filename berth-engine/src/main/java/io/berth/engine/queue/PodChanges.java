package io.berth.engine.queue;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Names what changed about a pod, as far as it may matter to scheduling.
public final class PodChanges {
    private static final int[] ACTIONS = {
        Action.UPDATE_POD_LABEL,
        Action.UPDATE_POD_SCALE_DOWN,
        Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED,
        Action.UPDATE_POD_TOLERATION,
        Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM
    };

    private PodChanges() {}

    /// The changes in upstream's order; one plain update where none of them has a name.
    public static List<ClusterEvent> between(Pod before, Pod after) {
        String resource =
                after.isAssigned() ? ClusterEvent.ASSIGNED_POD : ClusterEvent.UNSCHEDULABLE_POD;
        var events = new ArrayList<ClusterEvent>(1);
        for (int action : ACTIONS) {
            if (happened(action, before, after)) {
                events.add(ClusterEvent.of(resource, action));
            }
        }
        if (events.isEmpty()) {
            events.add(ClusterEvent.of(resource, Action.UPDATE));
        }
        return List.copyOf(events);
    }

    private static boolean happened(int action, Pod before, Pod after) {
        var oldSpec = before.spec();
        var newSpec = after.spec();
        return switch (action) {
            case Action.UPDATE_POD_LABEL -> !after.labels().equals(before.labels());
            case Action.UPDATE_POD_SCALE_DOWN -> asksForLess(before, after);
            case Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED ->
                    newSpec.schedulingGates().isEmpty() && !oldSpec.schedulingGates().isEmpty();
            // The API lets users add tolerations, but not change or remove them.
            case Action.UPDATE_POD_TOLERATION ->
                    newSpec.tolerations().size() != oldSpec.tolerations().size();
            case Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM ->
                    !Objects.equals(before.generatedClaims(), after.generatedClaims());
            default -> throw new IllegalStateException("no such change of a pod: " + action);
        };
    }

    private static boolean asksForLess(Pod before, Pod after) {
        if (before.spec().equals(after.spec())
                && before.resize() == null
                && after.resize() == null) {
            return false;
        }
        var old = before.requests().exact();
        var now = after.requests().exact();
        return now.cpuMillis() < old.cpuMillis()
                || now.memoryBytes() < old.memoryBytes()
                || now.ephemeralBytes() < old.ephemeralBytes()
                || now.pods() < old.pods()
                || old.scalars().entrySet().stream()
                        .anyMatch(scalar ->
                                !now.scalars().containsKey(scalar.getKey())
                                        || now.scalar(scalar.getKey()) < scalar.getValue());
    }
}
