package io.berth.plugins.podtopologyspread;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.label.Labels;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.plugins.hint.Hints;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Which events may make room for a pod that hard spreading constraints kept out.
final class SpreadHints {
    private final Constraints constraints;

    SpreadHints(Constraints constraints) {
        this.constraints = constraints;
    }

    List<Registration> registrations() {
        return List.of(
                Registration.of(
                        ClusterEvent.POD,
                        Action.ADD
                                | Action.UPDATE_POD_LABEL
                                | Action.UPDATE_POD_TOLERATION
                                | Action.DELETE,
                        this::podChanged),
                Registration.of(
                        ClusterEvent.NODE,
                        Action.ADD
                                | Action.DELETE
                                | Action.UPDATE_NODE_LABEL
                                | Action.UPDATE_NODE_TAINT,
                        this::nodeChanged));
    }

    private Hint podChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.pod(before);
        var now = Hints.pod(after);
        if (old != null && !isInvolved(waiting, old) || now != null && !isInvolved(waiting, now)) {
            return Hint.SKIP;
        }
        var hard = constraints.of(waiting, true);
        if (old != null && now != null) {
            return Hints.queueIf(helps(waiting, old, now, hard));
        }
        var only = now == null ? old : now;
        return Hints.queueIf(
                only != null && hard.stream().anyMatch(c -> c.selector().matches(only.labels())));
    }

    /// A pod counts if it is the waiting one, or has or expects a node in the same namespace.
    private static boolean isInvolved(Pod waiting, Pod other) {
        return Hints.isSame(waiting, other)
                || Hints.isBoundOrNominated(other) && other.namespace().equals(waiting.namespace());
    }

    private static boolean helps(
            Pod waiting, Pod old, Pod now, List<TopologySpreadConstraint> hard) {
        if (Hints.isSame(waiting, now)
                && !old.spec().tolerations().equals(now.spec().tolerations())
                && hard.stream().anyMatch(TopologySpreadConstraint::honorsNodeTaints)) {
            return true;
        }
        return !old.labels().equals(now.labels())
                && hard.stream()
                        .anyMatch(constraint ->
                                constraint.selector().matches(old.labels())
                                        != constraint.selector().matches(now.labels()));
    }

    private Hint nodeChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.node(before);
        var now = Hints.node(after);
        var hard = constraints.of(waiting, true);
        if (old == null || now == null) {
            var only = now == null ? old : now;
            return Hints.queueIf(only != null && hasAllKeys(only, hard));
        }
        boolean hadKeys = hasAllKeys(old, hard);
        boolean hasKeys = hasAllKeys(now, hard);
        return Hints.queueIf(
                hadKeys != hasKeys
                        || hasKeys
                                && (movedDomain(old.labels(), now.labels(), hard)
                                        || !old.taints().equals(now.taints())));
    }

    private static boolean hasAllKeys(Node node, List<TopologySpreadConstraint> hard) {
        return hard.stream().allMatch(c -> node.labels().has(c.topologyKey()));
    }

    private static boolean movedDomain(
            Labels old, Labels now, List<TopologySpreadConstraint> hard) {
        return hard.stream()
                .anyMatch(constraint ->
                        !Objects.equals(
                                old.value(constraint.topologyKey()),
                                now.value(constraint.topologyKey())));
    }
}
