package io.berth.plugins.defaultpreemption;

import io.berth.api.column.NodeView;
import io.berth.api.handle.DryRun;
import io.berth.api.model.Pod;
import io.berth.api.verdict.Refusal;
import java.util.ArrayList;
import java.util.List;

/// Works out the fewest, least important pods of a node that have to go (rules E-156, E-157): all
/// less important pods are taken away in thought; if the pod fits then, they are put back one by
/// one, the most important first, as long as it still fits.
final class Victims {
    private static final Refusal NONE =
            Refusal.hopeless("No preemption victims found for incoming pod");

    private final Budgets budgets;
    private final long nowMillis;

    Victims(Budgets budgets, long nowMillis) {
        this.budgets = budgets;
        this.nowMillis = nowMillis;
    }

    /// What a node came to.
    sealed interface Outcome {
        record Room(Candidate candidate) implements Outcome {}

        record NoRoom(Refusal why) implements Outcome {}

        /// A plugin broke, or the node would do as it is, which contradicts the search before.
        record Broken(String why) implements Outcome {}
    }

    Outcome on(NodeView node, Pod pod, DryRun dryRun) {
        try {
            return tryOn(node, pod, dryRun);
        } catch (RuntimeException broken) {
            var message = broken.getMessage();
            return new Outcome.Broken(message == null ? broken.getClass().getName() : message);
        }
    }

    private Outcome tryOn(NodeView node, Pod pod, DryRun dryRun) {
        var lesser = lesserPods(node, pod);
        if (lesser.isEmpty()) {
            return new Outcome.NoRoom(NONE);
        }
        dryRun.on(node);
        lesser.forEach(dryRun::remove);
        if (dryRun.filter() instanceof Refusal why) {
            return new Outcome.NoRoom(why);
        }
        Importance.sort(lesser, nowMillis);
        var violating = budgets.violating(lesser);
        var victims = new ArrayList<Pod>();
        int violations = 0;
        for (var other : lesser) {
            if (violating.contains(other) && !reprieve(other, dryRun)) {
                victims.add(other);
                violations++;
            }
        }
        for (var other : lesser) {
            if (!violating.contains(other) && !reprieve(other, dryRun)) {
                victims.add(other);
            }
        }
        if (victims.isEmpty()) {
            return new Outcome.Broken(
                    "expected at least one victim pod on node \"" + node.name() + "\"");
        }
        if (!violating.isEmpty() && violating.size() < lesser.size()) {
            Importance.sort(victims, nowMillis);
        }
        return new Outcome.Room(new Candidate(node.name(), victims, violations));
    }

    /// Most nodes have none where a pod is one of many that fit nowhere; nothing is made for those.
    private static List<Pod> lesserPods(NodeView node, Pod pod) {
        List<Pod> lesser = List.of();
        var pods = node.pods();
        for (int i = 0; i < pods.size(); i++) {
            var other = pods.get(i);
            if (other.spec().priority() < pod.spec().priority()) {
                if (lesser.isEmpty()) {
                    lesser = new ArrayList<>(pods.size() - i);
                }
                lesser.add(other);
            }
        }
        return lesser;
    }

    private static boolean reprieve(Pod other, DryRun dryRun) {
        dryRun.add(other);
        if (dryRun.fits()) {
            return true;
        }
        dryRun.remove(other);
        return false;
    }
}
