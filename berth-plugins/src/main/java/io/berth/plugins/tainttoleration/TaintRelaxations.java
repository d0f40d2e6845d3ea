package io.berth.plugins.tainttoleration;

import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.relax.Edit;
import io.berth.api.relax.Obstacle;
import io.berth.api.relax.Relaxation;
import io.berth.api.relax.Relaxation.Change;
import io.berth.api.relax.Who;
import io.berth.api.spec.Taint;
import io.berth.api.spec.Toleration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Taints that a pod could tolerate, or that could be taken from nodes. Those that Kubernetes sets
/// itself, such as for a node that is not ready, go when their reason goes.
final class TaintRelaxations {
    private static final String OF_KUBERNETES = "node.kubernetes.io/";
    private static final int MOST_SETS = 4;

    private final Pod pod;
    private final List<Relaxation> found = new ArrayList<>();

    private TaintRelaxations(Pod pod) {
        this.pod = pod;
    }

    /// @param counting the pod's tolerations, as far as they count
    static List<Relaxation> of(Pod pod, List<Toleration> counting, List<Obstacle> obstacles) {
        var bySet = new LinkedHashMap<List<Taint>, List<Node>>();
        for (var obstacle : obstacles) {
            var taints = untolerated(obstacle.node(), counting);
            if (!taints.isEmpty()) {
                bySet.computeIfAbsent(taints, _ -> new ArrayList<>()).add(obstacle.node());
            }
        }
        var relaxing = new TaintRelaxations(pod);
        bySet.entrySet().stream()
                .sorted(
                        Comparator.comparingInt(
                                        (Map.Entry<List<Taint>, List<Node>> e) -> e.getKey().size())
                                .thenComparingInt(e -> -e.getValue().size()))
                .limit(MOST_SETS)
                .forEach(entry -> relaxing.relax(entry.getKey(), entry.getValue()));
        return relaxing.found;
    }

    private static List<Taint> untolerated(Node node, List<Toleration> counting) {
        return node.taints().stream()
                .filter(Taint::keepsPodsAway)
                .filter(taint -> counting.stream().noneMatch(t -> t.tolerates(taint)))
                .toList();
    }

    private void relax(List<Taint> taints, List<Node> nodes) {
        var own = taints.stream().filter(t -> !t.key().startsWith(OF_KUBERNETES)).toList();
        if (own.isEmpty()) {
            remove(
                    taints,
                    nodes,
                    Who.NOBODY,
                    "wait until %s goes from %s".formatted(text(taints), names(nodes)),
                    "");
            return;
        }
        if (own.size() == taints.size()) {
            tolerate(taints);
        }
        remove(
                taints,
                nodes,
                Who.ADMIN,
                "take %s from %s".formatted(text(taints), names(nodes)),
                own.size() == taints.size() ? "kubectl taint nodes %s " + removals(own) : "");
    }

    private void tolerate(List<Taint> taints) {
        var spec = pod.spec().toBuilder();
        var edits = new ArrayList<Edit>();
        boolean isFirst = pod.spec().tolerations().isEmpty();
        for (var taint : taints) {
            spec.toleration(
                    new Toleration(taint.key(), Toleration.EQUAL, taint.value(), taint.effect()));
            var fields =
                    Edit.fields(
                            "key", taint.key(),
                            "operator", Toleration.EQUAL,
                            "value", taint.value(),
                            "effect", taint.effect());
            edits.add(
                    isFirst
                            ? Edit.add("/spec/tolerations", List.of(fields))
                            : Edit.add("/spec/tolerations/-", fields));
            isFirst = false;
        }
        found.add(
                new Relaxation(
                        "tolerate " + text(taints).replace("taint ", ""),
                        Who.OWNER,
                        new Change.OfPod(pod.toBuilder().spec(spec.build()).build(), edits),
                        "",
                        50));
    }

    private void remove(
            List<Taint> taints, List<Node> nodes, Who who, String sentence, String command) {
        var changed =
                nodes.stream()
                        .map(node -> node.toBuilder().taints(without(node, taints)).build())
                        .toList();
        found.add(new Relaxation(sentence, who, new Change.OfNodes(changed, command), "", 50));
    }

    private static List<Taint> without(Node node, List<Taint> taints) {
        return node.taints().stream().filter(taint -> !taints.contains(taint)).toList();
    }

    private static String text(List<Taint> taints) {
        return taints.stream()
                .map(TaintRelaxations::text)
                .reduce((a, b) -> a + ", " + b)
                .orElse("");
    }

    private static String text(Taint taint) {
        return "taint "
                + taint.key()
                + (taint.value().isEmpty() ? "" : "=" + taint.value())
                + ":"
                + taint.effect();
    }

    private static String removals(List<Taint> taints) {
        return taints.stream()
                .map(taint -> taint.key() + ":" + taint.effect() + "-")
                .reduce((a, b) -> a + " " + b)
                .orElse("");
    }

    private static String names(List<Node> nodes) {
        return nodes.size() == 1 ? nodes.getFirst().name() : nodes.size() + " nodes";
    }
}
