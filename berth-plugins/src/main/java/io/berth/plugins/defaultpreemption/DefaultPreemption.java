package io.berth.plugins.defaultpreemption;

import io.berth.api.column.NodeView;
import io.berth.api.event.Action;
import io.berth.api.event.ClusterEvent;
import io.berth.api.event.Registration;
import io.berth.api.event.Registration.Hint;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.plugin.Events;
import io.berth.api.plugin.PreEnqueue;
import io.berth.api.plugin.Refusals;
import io.berth.api.relax.PreemptionPreview;
import io.berth.api.verdict.PostFilterVerdict;
import io.berth.api.verdict.PostFilterVerdict.Nothing;
import io.berth.api.verdict.Refusal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// Makes room for a pod that fits nowhere (rules E-150 to E-164): tries in thought which nodes
/// would fit without their less important pods, picks the one where that hurts least, nominates it
/// and has the victims evicted in the background.
public final class DefaultPreemption implements PreemptionPreview, PreEnqueue, Events {
    public static final String NAME = "DefaultPreemption";

    private static final Refusal WAITING =
            Refusal.hopeless("waiting for the preemption for this pod to be finished");
    private static final String PREFIX = "preemption: ";
    private static final String NOT_HELPFUL = "Preemption is not helpful for scheduling";

    private final DefaultPreemptionArguments args;
    private final Handle handle;
    private final Lister<Pod> pods;
    private final Eviction eviction;

    public DefaultPreemption(DefaultPreemptionArguments args, Handle handle) {
        this.args = args;
        this.handle = handle;
        this.pods = handle.listers().of(Kind.POD, Pod.class);
        this.eviction = new Eviction(NAME, handle);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Optional<Refusal> preEnqueue(Pod pod) {
        return eviction.isUnderWay(pod) ? Optional.of(WAITING) : Optional.empty();
    }

    /// A deletion lets the gate be tested again; whether it helps, the other rejectors decide. Only
    /// what the gate itself has kept a preemptor waiting for helps in any case.
    @Override
    public List<Registration> events() {
        return List.of(
                Registration.of(
                        ClusterEvent.POD,
                        Action.DELETE,
                        (waiting, before, after) ->
                                before instanceof Pod gone && eviction.isAwaited(gone, waiting)
                                        ? Hint.QUEUE
                                        : Hint.SKIP));
    }

    @Override
    public PostFilterVerdict postFilter(Cycle cycle, Pod pod, Refusals refusals) {
        handle.metrics().preemptionTried();
        try {
            return preempt(cycle, pod, refusals);
        } catch (RuntimeException broken) {
            throw new IllegalStateException(PREFIX + broken.getMessage(), broken);
        }
    }

    private PostFilterVerdict preempt(Cycle cycle, Pod pod, Refusals refusals) {
        var latest = pods.get(pod.namespace(), pod.name());
        if (latest == null) {
            throw new IllegalStateException("pod \"" + pod.name() + "\" not found");
        }
        var ineligible = ineligibility(latest, refusals);
        if (ineligible != null) {
            handle.log()
                    .info(
                            5,
                            "Pod is not eligible for preemption",
                            "pod",
                            pod.key(),
                            "reason",
                            ineligible);
            return Nothing.keeping(PREFIX + ineligible);
        }
        var found = candidates(cycle, latest, refusals, handle.random()::nextInt);
        if (found.candidates.isEmpty()) {
            handle.log()
                    .info(
                            2,
                            "No preemption candidate is found; preemption is not helpful for"
                                    + " scheduling",
                            "pod",
                            pod.key());
            return Nothing.clearing(PREFIX + message(found.refused));
        }
        var left = new ExtendedCandidates(handle).narrow(latest, found.candidates);
        if (left.isEmpty()) {
            return Nothing.keeping(PREFIX + "no candidate node for preemption");
        }
        var best = BestCandidate.of(left, handle.nowMillis());
        handle.log()
                .info(
                        2,
                        "the target node for the preemption is determined",
                        "node",
                        best.node(),
                        "pod",
                        pod.key());
        eviction.start(latest, best);
        return new PostFilterVerdict.Nominated(best.node());
    }

    /// Looks at the nodes from the first one on, and at enough of them to have a choice; at none
    /// where no pod is less important.
    @Override
    public Preview preview(Cycle cycle, Pod pod, Refusals refusals, int most) {
        var ineligible = ineligibility(pod, refusals);
        if (ineligible != null) {
            return new Preview(ineligible, List.of());
        }
        if (!Priorities.of(handle).isAnyBelow(pod.spec().priority())) {
            return new Preview("", List.of());
        }
        var left = new ArrayList<>(candidates(cycle, pod, refusals, _ -> 0).candidates);
        var best = new ArrayList<Option>();
        while (!left.isEmpty() && best.size() < most) {
            var next = BestCandidate.of(left, handle.nowMillis());
            left.remove(next);
            best.add(new Option(next.node(), next.victims(), next.violations()));
        }
        return new Preview("", best);
    }

    /// Why the pod may not preempt now; null where it may (E-152). The nominator is asked, not the
    /// pod's status, which hears of a nomination later.
    private @Nullable String ineligibility(Pod pod, Refusals refusals) {
        if (!pod.spec().mayPreempt()) {
            return "not eligible due to preemptionPolicy=Never.";
        }
        var nominated = handle.nominations().nodeOf(pod.uid());
        if (nominated.isEmpty()) {
            return null;
        }
        var refusal = refusals.of(nominated.get());
        if (refusal != null && refusal.remedy() == Refusal.Remedy.NOTHING_HELPS) {
            return null;
        }
        var node = handle.nodes().byName(nominated.get());
        if (node != null && isBeingCleared(node, pod)) {
            return "not eligible due to a terminating pod on the nominated node.";
        }
        return null;
    }

    private static boolean isBeingCleared(NodeView node, Pod pod) {
        for (var other : node.pods()) {
            if (other.spec().priority() < pod.spec().priority() && other.isTerminating()) {
                var condition = other.condition(PodCondition.DISRUPTION_TARGET);
                if (condition != null
                        && condition.status().equals("True")
                        && condition.reason().equals(Eviction.REASON)) {
                    return true;
                }
            }
        }
        return false;
    }

    /// @param refused how many nodes were refused for what; equal refusals mostly are one object
    private record Found(List<Candidate> candidates, IdentityHashMap<Refusal, int[]> refused) {}

    /// Looks at nodes from the start on, until there are enough candidates and one of them violates
    /// no budget (E-154, E-155). What breaks on some nodes matters only where no other node helps.
    private Found candidates(Cycle cycle, Pod pod, Refusals refusals, IntUnaryOperator start) {
        var potential = refusals.resolvableNodes();
        var sound = new ArrayList<Candidate>();
        var violating = new ArrayList<Candidate>();
        var refused = new IdentityHashMap<Refusal, int[]>();
        var failures = new LinkedHashSet<String>();
        if (potential.isEmpty()) {
            return new Found(sound, refused);
        }
        int enough = args.candidates(potential.size());
        int offset = start.applyAsInt(potential.size());
        var victims = new Victims(new Budgets(handle.listers()), handle.nowMillis());
        try (var dryRun = handle.dryRun(cycle, pod)) {
            for (int i = 0; i < potential.size(); i++) {
                var node = potential.get((offset + i) % potential.size());
                switch (victims.on(node, pod, dryRun)) {
                    case Victims.Outcome.NoRoom(var why) ->
                            refused.computeIfAbsent(why, _ -> new int[1])[0]++;
                    case Victims.Outcome.Broken(var why) -> failures.add(why);
                    case Victims.Outcome.Room(var candidate) -> {
                        var list = candidate.violations() == 0 ? sound : violating;
                        if (list.size() < enough) {
                            list.add(candidate);
                        }
                    }
                }
                if (!sound.isEmpty() && sound.size() + violating.size() >= enough) {
                    break;
                }
            }
        }
        sound.addAll(violating);
        if (sound.isEmpty() && !failures.isEmpty()) {
            throw new IllegalStateException(
                    failures.size() == 1 ? failures.iterator().next() : failures.toString());
        }
        return new Found(sound, refused);
    }

    /// Why nothing helps, told like any search over all nodes (E-159).
    private String message(IdentityHashMap<Refusal, int[]> refused) {
        int nodeCount = handle.nodes().all().size();
        var counts = new TreeMap<String, Integer>();
        int unnamed = nodeCount;
        for (var entry : refused.entrySet()) {
            int count = entry.getValue()[0];
            entry.getKey().reasons().forEach(r -> counts.merge(r, count, Integer::sum));
            unnamed -= count;
        }
        if (unnamed > 0) {
            counts.merge(NOT_HELPFUL, unnamed, Integer::sum);
        }
        var lines = new ArrayList<String>();
        counts.forEach((reason, count) -> lines.add(count + " " + reason));
        lines.sort(null);
        return "0/" + nodeCount + " nodes are available: " + String.join(", ", lines) + ".";
    }
}
