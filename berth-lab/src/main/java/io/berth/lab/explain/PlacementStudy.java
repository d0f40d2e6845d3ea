package io.berth.lab.explain;

import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import java.util.ArrayList;
import java.util.List;

/// Where pods would go that are not there yet, one after the other, each with those before it in
/// place. Nothing of it stays.
public final class PlacementStudy {
    private final ClusterStudy study;

    public PlacementStudy(ClusterStudy study) {
        this.study = study;
    }

    /// What became of a pod.
    ///
    /// @param pod `namespace/name`
    /// @param node where it would go; empty where no node can take it
    /// @param feasible how many nodes could take it
    /// @param text why it has no place
    public record Placement(String pod, String node, int feasible, String text) {}

    /// @param nodes that would be there too, or in place of those of the same name
    /// @param pods in the order in which they are placed; one that names its node is taken as it is
    /// @throws ExplainException where they cannot be judged
    public List<Placement> place(List<Node> nodes, List<Pod> pods) {
        var feed = study.twin().feed();
        var there = new ArrayList<Pod>();
        var before = new ArrayList<Pod>();
        var placements = new ArrayList<Placement>();
        nodes.forEach(feed::seen);
        try {
            for (var pod : pods) {
                var placement = place(pod, study.cluster().nodesByName().size() + nodes.size());
                placements.add(placement);
                if (!placement.node.isEmpty()) {
                    var placed = pod.onNode(placement.node);
                    Trials.ask(study.twin(), twin -> twin.pod(pod.key())).ifPresent(before::add);
                    feed.seen(placed);
                    there.add(placed);
                }
            }
        } finally {
            there.forEach(pod -> feed.gone(Kind.POD, pod.namespace(), pod.name()));
            before.forEach(feed::seen);
            before.stream()
                    .filter(Pod::isAssigned)
                    .map(Pod::nodeName)
                    .distinct()
                    .forEach(node -> Trials.order(study.twin(), study.cluster(), node));
            for (var node : nodes) {
                study.node(node.name())
                        .ifPresentOrElse(feed::seen, () -> feed.gone(Kind.NODE, "", node.name()));
            }
        }
        return placements;
    }

    private Placement place(Pod pod, int nodeCount) {
        if (pod.isAssigned()) {
            return new Placement(pod.key(), pod.nodeName(), 1, "");
        }
        var explanation = study.judge(pod);
        if (explanation.choice().isPresent()) {
            return new Placement(
                    pod.key(),
                    explanation.choice().get().node(),
                    explanation.feasible().size(),
                    "");
        }
        var groups = new Groups(explanation, study.cluster().nodesByName(), new Details(pod));
        return new Placement(
                pod.key(), "", 0, FailureText.of(explanation, groups.all(), nodeCount));
    }
}
