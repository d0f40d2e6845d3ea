package io.berth.plugins.nodeaffinity;

import io.berth.api.column.NodeColumns;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.PodSpec;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The nodes that a pod requires: those with the labels of its node selector that also match its
/// required node affinity (H-9).
///
/// @param labels null where the pod has no node selector, or an empty one
public record RequiredNodes(@Nullable Labels labels, @Nullable NodeSelector affinity) {
    public static final RequiredNodes ANY = new RequiredNodes(null, null);

    public static RequiredNodes of(PodSpec spec) {
        var labels = spec.nodeSelector();
        var affinity = spec.affinity().requiredNodes();
        return (labels == null || labels.isEmpty()) && affinity == null
                ? ANY
                : new RequiredNodes(labels == null || labels.isEmpty() ? null : labels, affinity);
    }

    public boolean isAny() {
        return labels == null && affinity == null;
    }

    public boolean matches(Node node) {
        return (labels == null || hasAll(labels, node))
                && (affinity == null || affinity.matches(node));
    }

    /// Whether a node that does not match is kept out by a term that cannot be understood.
    boolean isUnclearOn(Node node) {
        return affinity != null && !affinity.isSound() && (labels == null || hasAll(labels, node));
    }

    private static boolean hasAll(Labels wanted, Node node) {
        boolean[] all = {true};
        wanted.forEach((key, value) -> all[0] &= Objects.equals(node.labels().value(key), value));
        return all[0];
    }

    /// The same condition over the columns.
    NodeMatch compile(NodeColumns columns) {
        return NodeMatch.all(
                labels == null ? NodeMatch.ALWAYS : NodeMatch.of(labels, columns),
                affinity == null ? NodeMatch.ALWAYS : NodeMatch.of(affinity, columns));
    }
}
