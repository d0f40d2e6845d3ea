package io.berth.plugins.noderesources;

import io.berth.api.amount.Resources;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.plugins.hint.Hints;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which events may give a pod the room that NodeResourcesFit missed.
final class FitHints {
    private FitHints() {}

    static List<Registration> registrations() {
        return List.of(
                Registration.of(
                        ClusterEvent.POD,
                        Action.DELETE | Action.UPDATE_POD_SCALE_DOWN,
                        FitHints::podFreedRoom),
                Registration.of(
                        ClusterEvent.NODE,
                        Action.ADD | Action.UPDATE_NODE_ALLOCATABLE,
                        FitHints::nodeGrew));
    }

    private static Hint podFreedRoom(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.pod(before);
        var now = Hints.pod(after);
        if (now == null) {
            return Hints.queueIf(old != null && Hints.isBoundOrNominated(old));
        }
        if (Hints.isSame(waiting, now)) {
            return Hint.QUEUE;
        }
        return Hints.queueIf(old != null && now.isAssigned() && shrank(waiting, old, now));
    }

    /// Whether the change freed some of what the waiting pod asks for.
    private static boolean shrank(Pod waiting, Pod old, Pod now) {
        var wanted = waiting.requests().exact();
        var from = old.requests().exact();
        var to = now.requests().exact();
        return wanted.cpuMillis() != 0 && from.cpuMillis() > to.cpuMillis()
                || wanted.memoryBytes() != 0 && from.memoryBytes() > to.memoryBytes()
                || wanted.ephemeralBytes() != 0 && from.ephemeralBytes() > to.ephemeralBytes()
                || wanted.scalars().entrySet().stream()
                        .anyMatch(entry ->
                                entry.getValue() != 0
                                        && from.scalar(entry.getKey()) > to.scalar(entry.getKey()));
    }

    private static Hint nodeGrew(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.node(before);
        var now = Hints.node(after);
        var wanted = waiting.spec().requests().exact();
        return Hints.queueIf(
                now != null && fitsEmpty(wanted, now) && (old == null || grew(wanted, old, now)));
    }

    /// Whether the node could take the pod if nothing else were on it.
    private static boolean fitsEmpty(Resources wanted, Node node) {
        var has = node.allocatable();
        return has.pods() >= 1
                && wanted.cpuMillis() <= Math.max(0, has.cpuMillis())
                && wanted.memoryBytes() <= Math.max(0, has.memoryBytes())
                && wanted.ephemeralBytes() <= Math.max(0, has.ephemeralBytes())
                && wanted.scalars().entrySet().stream()
                        .allMatch(entry ->
                                entry.getValue() == 0
                                        || entry.getValue() <= has.scalar(entry.getKey()));
    }

    private static boolean grew(Resources wanted, Node old, Node now) {
        var from = old.allocatable();
        var to = now.allocatable();
        return to.pods() > from.pods()
                || wanted.cpuMillis() > 0 && to.cpuMillis() > from.cpuMillis()
                || wanted.memoryBytes() > 0 && to.memoryBytes() > from.memoryBytes()
                || wanted.ephemeralBytes() > 0 && to.ephemeralBytes() > from.ephemeralBytes()
                || wanted.scalars().entrySet().stream()
                        .anyMatch(entry ->
                                entry.getValue() > 0
                                        && to.scalar(entry.getKey()) > from.scalar(entry.getKey()));
    }
}
