package io.berth.controllers.workload;

import io.berth.controllers.object.PodFacts;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which of several equal pods are missed least: those without a node, then those that do not run,
/// are not ready, are cheap by their owner's word, share their node with most, are ready for the
/// shortest time, have restarted most, are youngest.
public final class Ranking {
    private static final String COST = "controller.kubernetes.io/pod-deletion-cost";
    private static final List<String> PHASES = List.of("Pending", "Unknown", "Running");

    private Ranking() {}

    /// The pods in the order in which they should go.
    ///
    /// @param neighbours all pods whose company on a node counts
    public static List<PodFacts> firstToGo(
            Collection<PodFacts> pods, Collection<PodFacts> neighbours) {
        var perNode = new HashMap<String, Integer>();
        neighbours.stream()
                .filter(PodFacts::isActive)
                .filter(pod -> !pod.node().isEmpty())
                .forEach(pod -> perNode.merge(pod.node(), 1, Integer::sum));
        return pods.stream().sorted(order(perNode)).toList();
    }

    private static Comparator<PodFacts> order(Map<String, Integer> perNode) {
        return Comparator.comparing((PodFacts pod) -> !pod.node().isEmpty())
                .thenComparingInt(pod -> PHASES.indexOf(pod.phase()))
                .thenComparing(PodFacts::isReady)
                .thenComparingInt(Ranking::cost)
                .thenComparingInt(pod -> -perNode.getOrDefault(pod.node(), 0))
                .thenComparing(
                        pod -> pod.readySince().orElse(pod.meta().created()),
                        Comparator.reverseOrder())
                .thenComparingInt(pod -> -pod.restarts())
                .thenComparing(pod -> pod.meta().created(), Comparator.reverseOrder())
                .thenComparing(pod -> pod.meta().name());
    }

    private static int cost(PodFacts pod) {
        try {
            return Integer.parseInt(pod.meta().annotation(COST));
        } catch (NumberFormatException none) {
            return 0;
        }
    }
}
