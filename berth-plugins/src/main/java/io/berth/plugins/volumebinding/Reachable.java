package io.berth.plugins.volumebinding;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotTrait;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.handle.StateObserver;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.Pod;
import io.berth.api.spec.NodeSelector;
import io.berth.plugins.volume.CsiHandles;
import io.berth.plugins.volume.InTreeVolume;
import io.berth.plugins.volume.NodeQuestion;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// From which nodes volumes can be reached, in the words of whoever handles them there (VB-6).
///
/// On which nodes drivers have taken over which plugins of old is kept by slot, so that a volume of
/// old costs hardly more than another.
///
/// Owned by the engine thread.
final class Reachable implements StateObserver {
    private final Handle handle;
    private final Lister<CsiNode> csiNodes;
    private final NodeColumns columns;

    /// Slots that are nodes' own, rather than ones for a thought.
    private final BitSet isNode = new BitSet();

    private final Map<InTreeVolume, Migrated> migrated = new EnumMap<>(InTreeVolume.class);

    /// The slots of nodes on which a driver has taken over a plugin of old.
    private static final class Migrated implements SlotTrait {
        final BitSet slots = new BitSet();

        @Override
        public long of(int slot) {
            return slots.get(slot) ? 1 : 0;
        }
    }

    Reachable(Handle handle) {
        this.handle = handle;
        this.csiNodes = handle.listers().of(Kind.CSI_NODE, CsiNode.class);
        this.columns = handle.columns();
        for (var kind : InTreeVolume.values()) {
            if (kind.isMigrated()) {
                migrated.put(kind, new Migrated());
            }
        }
        handle.observe(this);
    }

    /// The question about one volume, for one attempt.
    NodeQuestion question(PersistentVolume volume, NodeColumns asked) {
        var plain = Candidates.question(volume, asked);
        var kind = InTreeVolume.of(volume.source());
        var where = kind == null ? null : migrated.get(kind);
        if (kind == null || where == null) {
            return plain;
        }
        var affinity = MigratedAffinity.of(volume, kind);
        var translated =
                affinity == null ? NodeQuestion.Settled.ALWAYS : NodeQuestion.of(affinity, asked);
        return new OfOld(volume, kind, asked, where, plain, translated);
    }

    /// The question about a volume of old: who is asked depends on the node.
    private final class OfOld implements NodeQuestion {
        private final InTreeVolume kind;
        private final NodeColumns asked;
        private final Migrated migrated;
        private final NodeQuestion plain;
        private final NodeQuestion translated;
        private final @Nullable String problem;

        OfOld(
                PersistentVolume volume,
                InTreeVolume kind,
                NodeColumns asked,
                Migrated migrated,
                NodeQuestion plain,
                NodeQuestion translated) {
            this.kind = kind;
            this.asked = asked;
            this.migrated = migrated;
            this.plain = plain;
            this.translated = translated;
            this.problem = problem(volume);
        }

        @Override
        public boolean matches(int slot) {
            boolean isTranslated =
                    isNode.get(slot)
                            ? migrated.slots.get(slot)
                            : isMigrated(kind, asked.node(slot).name());
            if (!isTranslated) {
                return plain.matches(slot);
            }
            requireNone(problem);
            return translated.matches(slot);
        }

        @Override
        public @Nullable List<SlotTrait> traits() {
            var traits = NodeQuestion.traits(List.of(plain, translated));
            if (traits != null) {
                traits.add(migrated);
            }
            return traits;
        }

        @Override
        public int retain(int[] all, int count) {
            int kept = 0;
            for (int i = 0; i < count; i++) {
                int slot = all[i];
                if (matches(slot)) {
                    all[kept++] = slot;
                }
            }
            return kept;
        }
    }

    /// The same for one node and volume as they are now.
    boolean isFrom(Node node, PersistentVolume volume) {
        var kind = InTreeVolume.of(volume.source());
        NodeSelector affinity = volume.nodeAffinity();
        if (kind != null && migrated.containsKey(kind) && isMigrated(kind, node.name())) {
            requireNone(problem(volume));
            affinity = MigratedAffinity.of(volume, kind);
        }
        return affinity == null || affinity.matches(node.toBuilder().name("").build());
    }

    private boolean isMigrated(InTreeVolume kind, String node) {
        return isMigrated(kind, csiNodes.get(node));
    }

    private static boolean isMigrated(InTreeVolume kind, @Nullable CsiNode node) {
        return node != null && node.migratedPlugins().contains(kind.plugin());
    }

    /// Why the driver has no words for a volume; null where it has.
    private static @Nullable String problem(PersistentVolume volume) {
        try {
            var _ = CsiHandles.of(volume.source(), volume.labels());
            return null;
        } catch (CsiHandles.UntranslatableException unknown) {
            return "could not translate pv: " + unknown.getMessage();
        }
    }

    private static void requireNone(@Nullable String problem) {
        if (problem != null) {
            throw new UntranslatableException(problem);
        }
    }

    /// A volume of old for which the driver of a node has no words.
    static final class UntranslatableException extends IllegalStateException {
        private static final long serialVersionUID = 1;

        UntranslatableException(String message) {
            super(message);
        }
    }

    // --- what happens

    @Override
    public void podAdded(Pod pod, int slot) {}

    @Override
    public void podRemoved(Pod pod, int slot) {}

    @Override
    public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {
        isNode.set(slot, after != null);
        note(slot, after == null ? null : csiNodes.get(after.name()));
    }

    @Override
    public void objectChanged(@Nullable ClusterObject before, @Nullable ClusterObject after) {
        var either = after == null ? before : after;
        if (either instanceof CsiNode node) {
            int slot = columns.slotOf(node.name());
            if (slot >= 0) {
                note(slot, after instanceof CsiNode now ? now : null);
                // Or the trait would not be read again: the node itself is as it was.
                handle.staleSlot(slot);
            }
        }
    }

    private void note(int slot, @Nullable CsiNode node) {
        migrated.forEach((kind, where) -> where.slots.set(slot, isMigrated(kind, node)));
    }
}
