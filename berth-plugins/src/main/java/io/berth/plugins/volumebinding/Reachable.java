package io.berth.plugins.volumebinding;

import io.berth.api.column.NodeColumns;
import io.berth.api.handle.Lister;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.spec.NodeSelector;
import io.berth.plugins.volume.CsiHandles;
import io.berth.plugins.volume.InTreeVolume;
import io.berth.plugins.volume.NodeQuestion;
import org.jspecify.annotations.Nullable;

/// From which nodes volumes can be reached, in the words of whoever handles them there (VB-6).
/// Owned by the engine thread.
final class Reachable {
    private final Lister<CsiNode> csiNodes;

    Reachable(Lister<CsiNode> csiNodes) {
        this.csiNodes = csiNodes;
    }

    /// The question about one volume, for one attempt.
    NodeQuestion question(PersistentVolume volume, NodeColumns columns) {
        var plain = Candidates.question(volume, columns);
        var kind = migratable(volume);
        if (kind == null) {
            return plain;
        }
        var affinity = MigratedAffinity.of(volume, kind);
        var translated =
                affinity == null ? NodeQuestion.ALWAYS : NodeQuestion.of(affinity, columns);
        return slot -> {
            if (!isMigrated(kind, columns.node(slot).name())) {
                return plain.matches(slot);
            }
            requireTranslatable(volume);
            return translated.matches(slot);
        };
    }

    /// The same for one node and volume as they are now.
    boolean isFrom(Node node, PersistentVolume volume) {
        var kind = migratable(volume);
        NodeSelector affinity = volume.nodeAffinity();
        if (kind != null && isMigrated(kind, node.name())) {
            requireTranslatable(volume);
            affinity = MigratedAffinity.of(volume, kind);
        }
        return affinity == null || affinity.matches(node.toBuilder().name("").build());
    }

    private static @Nullable InTreeVolume migratable(PersistentVolume volume) {
        var kind = InTreeVolume.of(volume.source());
        return kind != null && kind.isMigrated() ? kind : null;
    }

    private boolean isMigrated(InTreeVolume kind, String node) {
        var csiNode = csiNodes.get(node);
        return csiNode != null && csiNode.migratedPlugins().contains(kind.plugin());
    }

    private static void requireTranslatable(PersistentVolume volume) {
        try {
            var _ = CsiHandles.of(volume.source(), volume.labels());
        } catch (CsiHandles.UntranslatableException unknown) {
            throw new IllegalStateException("could not translate pv: " + unknown.getMessage());
        }
    }
}
