package io.berth.plugins.noderesources;

import io.berth.api.amount.Resources;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.plugins.device.ExtendedClasses;
import io.berth.plugins.hint.Hints;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Which events may give a pod the room that NodeResourcesFit missed.
final class FitHints {
    private final @Nullable ExtendedClasses classes;

    /// @param classes that stand for extended resources; null where none does
    FitHints(@Nullable ExtendedClasses classes) {
        this.classes = classes;
    }

    List<Registration> registrations() {
        var all = new ArrayList<>(ofPodsAndNodes());
        if (classes != null) {
            all.add(
                    Registration.of(
                            ClusterEvent.DEVICE_CLASS,
                            Action.ADD | Action.UPDATE,
                            FitHints::classChanged));
        }
        return all;
    }

    private List<Registration> ofPodsAndNodes() {
        return List.of(
                Registration.of(
                        ClusterEvent.POD,
                        Action.DELETE | Action.UPDATE_POD_SCALE_DOWN,
                        FitHints::podFreedRoom),
                Registration.of(
                        ClusterEvent.NODE,
                        Action.ADD | Action.UPDATE_NODE_ALLOCATABLE,
                        this::nodeGrew));
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

    private Hint nodeGrew(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.node(before);
        var now = Hints.node(after);
        var wanted = waiting.spec().requests().exact();
        return Hints.queueIf(
                now != null && fitsEmpty(wanted, now) && (old == null || grew(wanted, old, now)));
    }

    /// Whether the node could take the pod if nothing else were on it.
    private boolean fitsEmpty(Resources wanted, Node node) {
        var has = node.allocatable();
        return has.pods() >= 1
                && wanted.cpuMillis() <= Math.max(0, has.cpuMillis())
                && wanted.memoryBytes() <= Math.max(0, has.memoryBytes())
                && wanted.ephemeralBytes() <= Math.max(0, has.ephemeralBytes())
                && wanted.scalars().entrySet().stream()
                        .allMatch(entry ->
                                entry.getValue() == 0
                                        || isLeftToDevices(entry.getKey(), node)
                                        || entry.getValue() <= has.scalar(entry.getKey()));
    }

    private boolean grew(Resources wanted, Node old, Node now) {
        var from = old.allocatable();
        var to = now.allocatable();
        return to.pods() > from.pods()
                || wanted.cpuMillis() > 0 && to.cpuMillis() > from.cpuMillis()
                || wanted.memoryBytes() > 0 && to.memoryBytes() > from.memoryBytes()
                || wanted.ephemeralBytes() > 0 && to.ephemeralBytes() > from.ephemeralBytes()
                || wanted.scalars().entrySet().stream()
                        .anyMatch(entry ->
                                entry.getValue() > 0
                                        && (to.scalar(entry.getKey()) > from.scalar(entry.getKey())
                                                || isLeftToDevices(entry.getKey(), now)));
    }

    /// Whether devices stand for a resource on a node (NF-6).
    private boolean isLeftToDevices(String resource, Node node) {
        return classes != null
                && node.allocatable().scalar(resource) == 0
                && classes.of(resource) != null;
    }

    /// A class may come to stand for what the pod asks for (NF-19).
    private static Hint classChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.as(DeviceClass.class, before);
        var now = Hints.as(DeviceClass.class, after);
        if (now == null
                || old != null
                        && Objects.equals(old.extendedResourceName(), now.extendedResourceName())) {
            return Hint.SKIP;
        }
        var wanted = waiting.spec().requests().exact().scalars();
        return Hints.queueIf(
                old == null && wanted.containsKey(ExtendedClasses.PREFIX + now.name())
                        || now.extendedResourceName() != null
                                && wanted.containsKey(now.extendedResourceName()));
    }
}
