package io.berth.plugins.interpodaffinity;

import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.label.Labels;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.plugins.hint.Hints;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which events may help a pod that required (anti)affinity kept out. Namespace selectors are
/// judged as for a namespace without labels, as upstream does.
final class AffinityHints {
    private AffinityHints() {}

    static List<Registration> registrations() {
        return List.of(
                Registration.of(
                        ClusterEvent.POD,
                        Action.ADD | Action.UPDATE_POD_LABEL | Action.DELETE,
                        AffinityHints::podChanged),
                Registration.of(
                        ClusterEvent.NODE,
                        Action.ADD | Action.UPDATE_NODE_LABEL,
                        AffinityHints::nodeChanged));
    }

    private static Hint podChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.pod(before);
        var now = Hints.pod(after);
        if (old != null && now != null && Hints.isSame(waiting, now)) {
            return Hint.QUEUE;
        }
        if (now != null && !Hints.isBoundOrNominated(now)
                || old != null && !Hints.isBoundOrNominated(old)) {
            return Hint.SKIP;
        }
        return Hints.queueIf(isUnclear(waiting) || helps(waiting, old, now));
    }

    /// Whether a required term cannot be understood, so that anything may help.
    private static boolean isUnclear(Pod waiting) {
        var affinity = waiting.spec().affinity();
        return !areSound(affinity.requiredPods()) || !areSound(affinity.requiredAntiPods());
    }

    private static boolean areSound(List<PodTerm> terms) {
        return terms.stream().allMatch(IncomingTerms::isSound);
    }

    private static boolean helps(Pod waiting, @Nullable Pod old, @Nullable Pod now) {
        var wanted = waiting.spec().affinity().requiredPods();
        var shunned = waiting.spec().affinity().requiredAntiPods();
        if (old == null) {
            return now != null && matchesAll(wanted, waiting, now);
        }
        if (now == null) {
            var shunning = old.spec().affinity().requiredAntiPods();
            return matchesAll(shunned, waiting, old)
                    || !areSound(shunning)
                    || matchesAll(shunning, old, waiting);
        }
        return !matchesAll(wanted, waiting, old) && matchesAll(wanted, waiting, now)
                || matchesAll(shunned, waiting, old) && !matchesAll(shunned, waiting, now);
    }

    /// Whether `other` matches all terms of `owner`; without terms it does not.
    private static boolean matchesAll(List<PodTerm> terms, Pod owner, Pod other) {
        for (var term : terms) {
            if (!term.matches(owner.namespace(), other.namespace(), Labels.EMPTY, other.labels())) {
                return false;
            }
        }
        return !terms.isEmpty();
    }

    private static Hint nodeChanged(
            Pod waiting, @Nullable ClusterObject before, @Nullable ClusterObject after) {
        var old = Hints.node(before);
        var now = Hints.node(after);
        var affinity = waiting.spec().affinity();
        return Hints.queueIf(
                now != null
                        && (isUnclear(waiting)
                                || affinity.requiredPods().stream()
                                        .anyMatch(term -> entersDomain(term, old, now))
                                || affinity.requiredAntiPods().stream()
                                        .anyMatch(term -> leavesDomain(term, old, now))));
    }

    private static boolean entersDomain(PodTerm term, @Nullable Node old, Node now) {
        var value = now.labels().value(term.topologyKey());
        return value != null
                && (old == null || !value.equals(old.labels().value(term.topologyKey())));
    }

    private static boolean leavesDomain(PodTerm term, @Nullable Node old, Node now) {
        if (old == null) {
            return true;
        }
        var value = old.labels().value(term.topologyKey());
        return value != null && !value.equals(now.labels().value(term.topologyKey()));
    }
}
