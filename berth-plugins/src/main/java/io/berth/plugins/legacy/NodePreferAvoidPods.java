package io.berth.plugins.legacy;

import io.berth.api.column.NodeColumns;
import io.berth.api.handle.Cycle;
import io.berth.api.model.Node;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.plugin.ClusterScore;
import io.berth.api.plugin.Score;
import io.berth.api.plugin.SlotScore;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Keeps away from nodes whose annotation asks to avoid the pods of some controllers.
public final class NodePreferAvoidPods implements ClusterScore {
    public static final String NAME = "NodePreferAvoidPods";

    static final String ANNOTATION = "scheduler.alpha.kubernetes.io/preferAvoidPods";

    @Override
    public String name() {
        return NAME;
    }

    /// Only pods of replication controllers and replica sets are avoided.
    @Override
    public SlotScore scorer(Cycle cycle, Pod pod, NodeColumns columns) {
        var owner = pod.controller();
        if (owner == null
                || !owner.kind().equals("ReplicationController")
                        && !owner.kind().equals("ReplicaSet")) {
            return slot -> Score.MAX;
        }
        return slot -> avoids(columns.node(slot).node(), owner) ? 0 : Score.MAX;
    }

    private static boolean avoids(Node node, Owner owner) {
        var annotation = node.annotations().value(ANNOTATION);
        if (annotation == null) {
            return false;
        }
        try {
            return Json.parse(annotation) instanceof Map<?, ?> root
                    && root.get("preferAvoidPods") instanceof List<?> entries
                    && entries.stream().anyMatch(entry -> names(entry, owner));
        } catch (IllegalArgumentException unreadable) {
            // An annotation that cannot be read asks for nothing, as upstream has it.
            return false;
        }
    }

    private static boolean names(@Nullable Object entry, Owner owner) {
        return entry instanceof Map<?, ?> avoided
                && avoided.get("podSignature") instanceof Map<?, ?> signature
                && signature.get("podController") instanceof Map<?, ?> controller
                && owner.kind().equals(controller.get("kind"))
                && owner.uid().equals(controller.get("uid"));
    }
}
