package io.berth.plugins.hint;

import io.berth.api.event.Registration.Hint;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import org.jspecify.annotations.Nullable;

/// What the hint functions of several plugins share.
public final class Hints {
    private Hints() {}

    public static Hint queueIf(boolean helps) {
        return helps ? Hint.QUEUE : Hint.SKIP;
    }

    /// The object as a node; an object of another kind is a mistake, which wakes the pod (G-6).
    public static @Nullable Node node(@Nullable ClusterObject object) {
        return switch (object) {
            case null -> null;
            case Node node -> node;
            default -> throw unexpected("Node", object);
        };
    }

    public static @Nullable Pod pod(@Nullable ClusterObject object) {
        return switch (object) {
            case null -> null;
            case Pod pod -> pod;
            default -> throw unexpected("Pod", object);
        };
    }

    /// The object as one of a type; another is a mistake, which wakes the pod (G-6).
    public static <T extends ClusterObject> @Nullable T as(
            Class<T> type, @Nullable ClusterObject object) {
        if (object == null) {
            return null;
        }
        if (!type.isInstance(object)) {
            throw unexpected(type.getSimpleName(), object);
        }
        return type.cast(object);
    }

    /// Whether both are the same pod, seen at different times.
    public static boolean isSame(Pod waiting, @Nullable Pod other) {
        return other != null && waiting.uid().equals(other.uid());
    }

    /// Whether the pod takes, or expects to take, room on some node.
    public static boolean isBoundOrNominated(Pod pod) {
        return pod.isAssigned() || !pod.nominatedNodeName().isEmpty();
    }

    private static IllegalArgumentException unexpected(String wanted, ClusterObject object) {
        return new IllegalArgumentException(
                "expected " + wanted + ", but got " + object.kind() + " " + object.key());
    }
}
