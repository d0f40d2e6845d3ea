package io.berth.engine.cycle;

import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.write.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What is to be said in a pod's status.
///
/// @param pod as it is known to be; only what differs from it is sent
/// @param nomination a node, empty to clear it, null to leave it as it is
/// @param isUrgent whether something waits for it
/// @param listeners told why it was not written, null where it is or is no longer of interest
public record StatusWrite(
        Pod pod,
        @Nullable PodCondition condition,
        @Nullable String nomination,
        boolean isUrgent,
        List<Consumer<@Nullable String>> listeners) {
    /// No node has this name, and no condition this message.
    private static final String UNKNOWN = "?";

    static StatusWrite late(Pod pod, PodCondition condition, @Nullable String nomination) {
        return new StatusWrite(pod, condition, nomination, false, List.of());
    }

    static StatusWrite urgent(Pod pod, String nomination, Consumer<@Nullable String> listener) {
        return new StatusWrite(pod, null, nomination, true, List.of(listener));
    }

    Write.PatchStatus patch() {
        return new Write.PatchStatus(pod, condition, nomination, !isUrgent);
    }

    boolean isHeard() {
        return !listeners.isEmpty();
    }

    void tell(@Nullable String problem) {
        listeners.forEach(listener -> listener.accept(problem));
    }

    /// Whether the pod already says all of it.
    boolean isSaid() {
        return isSaidBy(pod);
    }

    boolean isSaidBy(Pod seen) {
        return (condition == null || says(seen, condition))
                && (nomination == null || nomination.equals(seen.nominatedNodeName()));
    }

    private static boolean says(Pod seen, PodCondition wanted) {
        var known = seen.condition(wanted.type());
        return known != null
                && known.status().equals(wanted.status())
                && known.reason().equals(wanted.reason())
                && known.message().equals(wanted.message());
    }

    /// This and an older one that was not sent, in one: what the older wanted still holds unless
    /// this wants something else.
    StatusWrite inPlaceOf(StatusWrite older) {
        var all = new ArrayList<>(older.listeners);
        all.addAll(listeners);
        return new StatusWrite(
                pod,
                condition == null ? older.condition : condition,
                nomination == null ? older.nomination : nomination,
                isUrgent || older.isUrgent,
                List.copyOf(all));
    }

    /// The same for a pod of which nobody knows what it says: all of it is sent.
    StatusWrite inDoubt() {
        var unknown = pod.toBuilder().nominatedNodeName(UNKNOWN);
        var known = pod.condition(PodCondition.POD_SCHEDULED);
        if (known != null) {
            unknown.condition(known.withMessage(UNKNOWN));
        }
        return new StatusWrite(unknown.build(), condition, nomination, isUrgent, listeners);
    }

    /// The same for a pod that an earlier write has changed, which may not have been seen yet.
    /// Without this a word that is taken back at once would stay. A nomination that the earlier one
    /// did not send, since the pod said it when it was asked, changed nothing: what others have
    /// said since is still there.
    StatusWrite after(StatusWrite earlier) {
        var changed = pod.toBuilder();
        if (earlier.condition != null) {
            changed.condition(earlier.condition);
        }
        if (earlier.nomination != null
                && !earlier.nomination.equals(earlier.pod.nominatedNodeName())) {
            changed.nominatedNodeName(earlier.nomination);
        }
        return new StatusWrite(changed.build(), condition, nomination, isUrgent, listeners);
    }
}
