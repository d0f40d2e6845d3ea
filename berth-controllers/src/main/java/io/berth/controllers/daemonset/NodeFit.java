package io.berth.controllers.daemonset;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Selector;
import io.berth.controllers.object.Toleration;
import io.berth.controllers.object.Toleration.Taint;
import java.util.List;
import java.util.Map;

/// Whether a node is one for a daemon: as a scheduler would judge by name, labels and taints, with
/// nothing said about room.
final class NodeFit {
    private NodeFit() {}

    /// @param spec of the pod, its tolerations complete
    static boolean shouldRun(JsonNode spec, KubeObject node) {
        return suits(spec, node) && tolerates(spec, node, List.of("NoSchedule", "NoExecute"));
    }

    /// A daemon that is there stays until a taint drives it out.
    static boolean mayStay(JsonNode spec, KubeObject node) {
        return suits(spec, node) && tolerates(spec, node, List.of("NoExecute"));
    }

    private static boolean tolerates(JsonNode spec, KubeObject node, List<String> effects) {
        List<Toleration> tolerations = Toleration.list(spec.path("tolerations"));
        return Taint.list(node.tree()).stream()
                .filter(taint -> effects.contains(taint.effect()))
                .allMatch(taint -> tolerations.stream().anyMatch(each -> each.tolerates(taint)));
    }

    private static boolean suits(JsonNode spec, KubeObject node) {
        String name = spec.path("nodeName").asText("");
        return (name.isEmpty() || name.equals(node.meta().name()))
                && Selector.ofMap(spec.path("nodeSelector")).test(node.meta().labels())
                && affinity(spec, node);
    }

    private static boolean affinity(JsonNode spec, KubeObject node) {
        JsonNode required =
                spec.path("affinity")
                        .path("nodeAffinity")
                        .path("requiredDuringSchedulingIgnoredDuringExecution");
        return required.isMissingNode()
                || required.path("nodeSelectorTerms")
                        .valueStream()
                        .anyMatch(term -> matches(term, node));
    }

    private static boolean matches(JsonNode term, KubeObject node) {
        boolean empty =
                term.path("matchExpressions").isEmpty() && term.path("matchFields").isEmpty();
        var fields = Map.of("metadata.name", node.meta().name());
        return !empty
                && new Selector(Selector.expressions(term.path("matchExpressions")))
                        .test(node.meta().labels())
                && new Selector(Selector.expressions(term.path("matchFields"))).test(fields);
    }
}
