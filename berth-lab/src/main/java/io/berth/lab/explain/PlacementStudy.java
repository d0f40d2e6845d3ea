package io.berth.lab.explain;

import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.engine.port.ClusterFeed;
import io.berth.engine.query.EngineQueries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        // All of it on the twin's thread: nobody sees what is in place for a moment.
        return Trials.ask(study.twin(), twin -> placed(twin, nodes, pods));
    }

    private List<Placement> placed(EngineQueries twin, List<Node> nodes, List<Pod> pods) {
        var feed = study.twin().feed();
        // As they were before the first of that name had its place; empty where none was there.
        var before = new LinkedHashMap<String, Optional<Pod>>();
        var placements = new ArrayList<Placement>();
        var counts =
                Trials.counts(
                        study.twin(),
                        pods.stream()
                                .flatMap(pod -> twin.pod(pod.key()).stream())
                                .filter(Pod::isAssigned)
                                .toList());
        try {
            nodes.forEach(feed::seen);
            for (var pod : pods) {
                var placement = place(pod, study.cluster().nodesByName().size() + nodes.size());
                placements.add(placement);
                if (!placement.node.isEmpty()) {
                    before.computeIfAbsent(pod.key(), twin::pod);
                    feed.seen(pod.onNode(placement.node));
                }
            }
        } finally {
            takeBack(nodes, before);
            Trials.order(study.twin(), study.cluster(), counts);
        }
        return placements;
    }

    private void takeBack(List<Node> nodes, Map<String, Optional<Pod>> before) {
        var feed = study.twin().feed();
        before.keySet().forEach(key -> gone(feed, key));
        before.values().forEach(pod -> pod.ifPresent(feed::seen));
        for (var node : nodes) {
            study.node(node.name())
                    .ifPresentOrElse(feed::seen, () -> feed.gone(Kind.NODE, "", node.name()));
        }
    }

    private static void gone(ClusterFeed feed, String key) {
        int slash = key.indexOf('/');
        feed.gone(Kind.POD, key.substring(0, slash), key.substring(slash + 1));
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
