package io.berth.sim.plain;

import io.berth.api.model.Pod;
import io.berth.api.model.PodDisruptionBudget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Preemption as the contract has it (E-156 to E-160), written down plainly.
public final class PlainPreemption {
    private final PlainCluster cluster;
    private final Pod preemptor;
    private final Set<String> plugins;
    private final Function<String, List<Pod>> nominatedOn;
    private final Function<String, Collection<PodDisruptionBudget>> budgets;
    private final long nowMillis;

    public PlainPreemption(
            PlainCluster cluster,
            Pod preemptor,
            Set<String> plugins,
            Function<String, List<Pod>> nominatedOn,
            Function<String, Collection<PodDisruptionBudget>> budgets,
            long nowMillis) {
        this.cluster = cluster;
        this.preemptor = preemptor;
        this.plugins = new HashSet<>(plugins);
        if (Reference.isUnconcerned(cluster, preemptor)) {
            this.plugins.remove("InterPodAffinity");
        }
        if (Reference.isUnrestricted(cluster, preemptor)) {
            this.plugins.remove("VolumeRestrictions");
        }
        this.nominatedOn = nominatedOn;
        this.budgets = budgets;
        this.nowMillis = nowMillis;
    }

    /// Who would have to go from a node, the most important first.
    public record Sacrifice(List<Pod> victims, int violations) {
        /// Compares what two sacrifices cost; the smaller is the better one.
        public static Comparator<Sacrifice> cost(long nowMillis) {
            return Comparator.comparingInt(Sacrifice::violations)
                    .thenComparingInt(s -> s.victims.getFirst().spec().priority())
                    .thenComparingLong(s ->
                            s.victims.stream()
                                    .mapToLong(v -> v.spec().priority() + (1L << 31))
                                    .sum())
                    .thenComparingInt(s -> s.victims.size())
                    .thenComparing(
                            Comparator.comparingLong((Sacrifice s) -> s.earliestStart(nowMillis))
                                    .reversed());
        }

        private long earliestStart(long nowMillis) {
            int highest = victims.getFirst().spec().priority();
            return victims.stream()
                    .filter(victim -> victim.spec().priority() == highest)
                    .mapToLong(victim -> start(victim, nowMillis))
                    .min()
                    .orElseThrow();
        }
    }

    private static long start(Pod pod, long nowMillis) {
        return pod.startedAt() == null ? nowMillis : pod.startedAt().toEpochMilli();
    }

    /// What a node would cost; null where the preemptor cannot have it.
    public @Nullable Sacrifice on(String node) {
        var place = cluster.place(node);
        if (place == null) {
            return null;
        }
        var lesser = new ArrayList<Pod>();
        for (var pod : place.pods()) {
            if (pod.spec().priority() < preemptor.spec().priority()) {
                lesser.add(pod);
            }
        }
        var gone = new HashSet<String>();
        lesser.forEach(pod -> gone.add(pod.uid()));
        if (lesser.isEmpty() || !fits(node, gone)) {
            return null;
        }
        lesser.sort(importance(lesser));
        var violating = violating(lesser);
        var order = new ArrayList<Pod>();
        lesser.stream().filter(violating::contains).forEach(order::add);
        lesser.stream().filter(pod -> !violating.contains(pod)).forEach(order::add);
        for (var pod : order) {
            gone.remove(pod.uid());
            if (!fits(node, gone)) {
                gone.add(pod.uid());
            }
        }
        var victims = lesser.stream().filter(pod -> gone.contains(pod.uid())).toList();
        return new Sacrifice(victims, (int) victims.stream().filter(violating::contains).count());
    }

    /// The most important first. Of equal pods that have not started, the last comes first, but
    /// only in a short list (docs/differences.md).
    private Comparator<Pod> importance(List<Pod> pods) {
        var byPriority = Comparator.comparingInt((Pod pod) -> -pod.spec().priority());
        if (pods.size() > 12) {
            return byPriority.thenComparingLong(pod -> start(pod, nowMillis));
        }
        var places = new HashMap<String, Integer>();
        pods.forEach(pod -> places.put(pod.uid(), places.size()));
        return byPriority
                .thenComparing(pod -> pod.startedAt() == null)
                .thenComparingLong(pod -> start(pod, nowMillis))
                .thenComparingInt(pod ->
                        (pod.startedAt() == null ? -1 : 1) * places.getOrDefault(pod.uid(), 0));
    }

    /// Why the preemptor cannot have a node even without all lesser pods; for messages.
    public String why(String node) {
        var place = cluster.place(node);
        if (place == null) {
            return "no such node";
        }
        var gone = new HashSet<String>();
        for (var pod : place.pods()) {
            if (pod.spec().priority() < preemptor.spec().priority()) {
                gone.add(pod.uid());
            }
        }
        var left = cluster.without(gone);
        var nominated = nominatedOn.apply(node);
        return "without %s: %s; beside the nominated %s: %s; pods %s"
                .formatted(
                        gone,
                        Reference.refusal(left, preemptor, node, plugins),
                        nominated,
                        Reference.refusal(left.with(nominated, node), preemptor, node, plugins),
                        place.pods());
    }

    /// Whether the preemptor fits when some pods are gone, beside the pods nominated to the node
    /// and without them.
    private boolean fits(String node, Set<String> gone) {
        var left = cluster.without(gone);
        var nominated =
                nominatedOn.apply(node).stream()
                        .filter(pod ->
                                pod.spec().priority() >= preemptor.spec().priority()
                                        && !pod.uid().equals(preemptor.uid()))
                        .toList();
        return Reference.refusal(left, preemptor, node, plugins) == null
                && (nominated.isEmpty()
                        || Reference.refusal(left.with(nominated, node), preemptor, node, plugins)
                                == null);
    }

    private Set<Pod> violating(List<Pod> pods) {
        var violating = new HashSet<Pod>();
        Map<String, Integer> left = new HashMap<>();
        for (var pod : pods) {
            for (var budget : budgets.apply(pod.namespace())) {
                if (pod.labels().isEmpty()
                        || budget.selector().isEmpty()
                        || !budget.selector().matches(pod.labels())
                        || budget.disruptedPods().contains(pod.name())) {
                    continue;
                }
                int remaining =
                        left.merge(budget.key(), -1, Integer::sum) + budget.disruptionsAllowed();
                if (remaining < 0) {
                    violating.add(pod);
                }
            }
        }
        return violating;
    }
}
