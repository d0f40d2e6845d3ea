package io.berth.plugins.nodevolumelimits;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.column.SlotTrait;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.handle.StateObserver;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.VolumeAttachment;
import io.berth.api.spec.Volume;
import io.berth.plugins.nodevolumelimits.PodVolumes.UnclearException;
import io.berth.plugins.volume.PodClaims;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How many volumes of each driver are on each node, kept rather than recounted.
///
/// Goal: "are there places left for this driver's volumes?" in constant time per node. Layout: a
/// [DriverColumn] per driver with counts and limits by slot; the volumes themselves per slot in
/// [SlotVolumes], since one that several pods share counts once.
///
/// A pod that comes or goes changes its slot by its own volumes. Which volumes those are follows
/// from claims, volumes, classes and drivers; where one of these changes, the slots that it can
/// concern are marked, and counted anew before anybody reads them again. So a slot that is not
/// marked always says what a recount would.
///
/// Owned by the engine thread; one serves all profiles.
final class KeptVolumes implements StateObserver {
    private final Handle handle;
    private final NodeColumns columns;
    private final PodVolumes podVolumes;
    private final Lister<CsiNode> csiNodes;
    private final Lister<PersistentVolume> volumes;
    private final Lister.Index<PersistentVolumeClaim> claimsByVolume;
    private final Lister.Index<VolumeAttachment> attachmentsByNode;
    private final Lister.Index<VolumeAttachment> attachmentsByVolume;
    private final Map<String, DriverColumn> drivers = new HashMap<>();
    // The slots whose pods use a claim, by namespace/name.
    private final Map<String, SlotCounts> slotsByClaim = new HashMap<>();
    private final Map<AttachedVolume, SlotCounts> slotsByVolume = new HashMap<>();
    private @Nullable SlotVolumes[] slots = new @Nullable SlotVolumes[64];
    private final BitSet isNode = new BitSet();
    private final BitSet isMigrating = new BitSet();
    private final BitSet isLimited = new BitSet();
    private final BitSet stale = new BitSet();

    // Slots with pods whose volumes cannot be told.
    private final BitSet unclearSlots = new BitSet();

    private final SlotTrait migrating = slot -> isMigrating(slot) ? 1 : 0;

    private KeptVolumes(Handle handle) {
        var listers = handle.listers();
        this.handle = handle;
        this.columns = handle.columns();
        this.podVolumes = new PodVolumes(listers);
        this.csiNodes = listers.of(Kind.CSI_NODE, CsiNode.class);
        this.volumes = listers.of(Kind.PERSISTENT_VOLUME, PersistentVolume.class);
        this.claimsByVolume =
                listers.of(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class)
                        .index(PersistentVolumeClaim::volumeName);
        var attachments = listers.of(Kind.VOLUME_ATTACHMENT, VolumeAttachment.class);
        this.attachmentsByNode = attachments.index(VolumeAttachment::nodeName);
        this.attachmentsByVolume = attachments.index(VolumeAttachment::volumeName);
    }

    /// The one of this scheduler.
    static KeptVolumes of(Handle handle) {
        return handle.shared(
                KeptVolumes.class,
                () -> {
                    var made = new KeptVolumes(handle);
                    handle.observe(made);
                    return made;
                });
    }

    PodVolumes podVolumes() {
        return podVolumes;
    }

    /// Counts anew what is marked. Whoever reads begins with this, and before an attempt looks at
    /// what is kept of nodes: it goes by these counts too.
    void refresh() {
        for (int slot = stale.nextSetBit(0); slot >= 0; slot = stale.nextSetBit(slot + 1)) {
            recount(slot);
        }
        stale.clear();
    }

    /// A driver's counts and limits; arrays are replaced when columns grow, so fetch them anew for
    /// each attempt.
    DriverColumn driver(String name) {
        var column = drivers.computeIfAbsent(name, DriverColumn::new);
        column.grow(columns.limit());
        return column;
    }

    /// Whether the slot is a node's own, with counts, rather than one for a thought.
    boolean isKept(int slot) {
        return isNode.get(slot);
    }

    /// Whether drivers stand in for volumes of old on the node.
    boolean isMigrating(int slot) {
        return isMigrating.get(slot);
    }

    /// The same as a trait.
    SlotTrait migrating() {
        return migrating;
    }

    /// Whether the volumes of all pods on all nodes can be told.
    boolean isClear() {
        return unclearSlots.isEmpty();
    }

    /// Whether any driver has a limit on the node.
    boolean isLimited(int slot) {
        return isLimited.get(slot);
    }

    /// Why the volumes of a pod on the node cannot be told; null where they can.
    @Nullable String problem(int slot) {
        var here = slot < slots.length ? slots[slot] : null;
        return here == null ? null : here.problem;
    }

    boolean isMounted(AttachedVolume volume, int slot) {
        var where = slotsByVolume.get(volume);
        return where != null && where.has(slot);
    }

    /// Whether the volume is mounted anywhere.
    boolean isMounted(AttachedVolume volume) {
        return slotsByVolume.containsKey(volume);
    }

    @Nullable CsiNode csiNode(String node) {
        return csiNodes.get(node);
    }

    /// The volumes on a node as a thought has it, counted anew.
    SlotVolumes count(NodeView node) {
        var result = new SlotVolumes();
        boolean migrating = csiNodes.get(node.name()) != null;
        for (var pod : node.pods()) {
            mount(pod, migrating, result);
        }
        attach(node.name(), result);
        return result;
    }

    private void attach(String node, SlotVolumes into) {
        for (var attachment : attachmentsByNode.of(node)) {
            var volume =
                    attachment.attacher().isEmpty() || attachment.volumeName().isEmpty()
                            ? null
                            : volumes.get(attachment.volumeName());
            if (volume != null && volume.source() instanceof Volume.Csi(_, String handle)) {
                into.attach(new AttachedVolume(attachment.attacher(), handle));
            }
        }
    }

    /// Adds the volumes of a pod that is there.
    private void mount(Pod pod, boolean migrating, SlotVolumes into) {
        try {
            podVolumes.of(
                    pod, migrating, false, volume -> into.mount(volume, (each, change) -> {}));
        } catch (UnclearException unclear) {
            if (into.problem == null) {
                into.problem = unclear.getMessage();
            }
        }
    }

    // --- what happens

    @Override
    public void podAdded(Pod pod, int slot) {
        if (PodVolumes.mayCount(pod)) {
            noteClaims(pod, slot, 1);
            change(pod, slot, 1);
        }
    }

    @Override
    public void podRemoved(Pod pod, int slot) {
        if (PodVolumes.mayCount(pod)) {
            noteClaims(pod, slot, -1);
            change(pod, slot, -1);
        }
    }

    private void noteClaims(Pod pod, int slot, int sign) {
        for (var volume : pod.spec().volumes()) {
            var name = PodClaims.nameOf(pod, volume);
            if (name != null) {
                SlotCounts.change(slotsByClaim, pod.namespace() + "/" + name, slot, sign);
            }
        }
    }

    /// Changes the slot by the pod's volumes, unless it will be counted anew anyway.
    private void change(Pod pod, int slot, int sign) {
        if (stale.get(slot) || !isNode.get(slot)) {
            return;
        }
        var here = slot(slot);
        if (here.problem != null) {
            stale.set(slot);
            return;
        }
        try {
            podVolumes.of(
                    pod,
                    isMigrating.get(slot),
                    false,
                    volume -> {
                        if (sign > 0) {
                            here.mount(volume, (each, change) -> mounted(here, each, slot, change));
                        } else if (!here.unmount(
                                volume, (each, change) -> mounted(here, each, slot, change))) {
                            stale.set(slot);
                        }
                    });
        } catch (UnclearException unclear) {
            stale.set(slot);
        }
    }

    private void mounted(SlotVolumes here, AttachedVolume volume, int slot, int change) {
        SlotCounts.change(slotsByVolume, volume, slot, change);
        if (!here.isAttached(volume)) {
            driver(volume.driver()).add(slot, change);
        }
    }

    private SlotVolumes slot(int slot) {
        if (slot >= slots.length) {
            slots = Arrays.copyOf(slots, Math.max(slot + 1, 2 * slots.length));
        }
        var here = slots[slot];
        if (here == null) {
            here = new SlotVolumes();
            slots[slot] = here;
        }
        return here;
    }

    @Override
    public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {
        if (after == null) {
            forget(slot);
            isNode.clear(slot);
            stale.clear(slot);
        } else if (before == null || !before.name().equals(after.name())) {
            isNode.set(slot);
            stale.set(slot);
        }
    }

    @Override
    public void objectChanged(@Nullable ClusterObject before, @Nullable ClusterObject after) {
        var either = after == null ? before : after;
        switch (either) {
            case PersistentVolumeClaim claim -> markClaim(claim.key());
            case PersistentVolume volume -> markVolume(volume.name());
            case StorageClass _ -> isNode.stream().forEach(this::mark);
            case CsiNode node -> markNode(node.name());
            case VolumeAttachment _ -> {
                markNode(before);
                markNode(after);
            }
            case null, default -> {}
        }
    }

    private void markNode(@Nullable ClusterObject attachment) {
        if (attachment instanceof VolumeAttachment known) {
            markNode(known.nodeName());
        }
    }

    private void markNode(String name) {
        int slot = columns.slotOf(name);
        if (slot >= 0) {
            mark(slot);
        }
    }

    /// Its counts are out of date, and so is what attempts keep of it. Said when it happens and not
    /// when it is counted: somebody who only asks has it counted too, and must change nothing.
    private void mark(int slot) {
        stale.set(slot);
        handle.staleSlot(slot);
    }

    private void markClaim(String key) {
        var where = slotsByClaim.get(key);
        if (where != null) {
            where.forEach(this::mark);
        }
    }

    private void markVolume(String name) {
        for (var claim : claimsByVolume.of(name)) {
            markClaim(claim.key());
        }
        for (var attachment : attachmentsByVolume.of(name)) {
            markNode(attachment.nodeName());
        }
    }

    private void forget(int slot) {
        var here = slot < slots.length ? slots[slot] : null;
        if (here != null) {
            here.mounted().forEach(volume -> SlotCounts.change(slotsByVolume, volume, slot, -1));
            slots[slot] = null;
        }
        isMigrating.clear(slot);
        isLimited.clear(slot);
        unclearSlots.clear(slot);
        for (var driver : drivers.values()) {
            driver.clear(slot);
        }
    }

    private void recount(int slot) {
        forget(slot);
        if (!isNode.get(slot)) {
            return;
        }
        var node = columns.node(slot);
        var here = count(node);
        if (slot >= slots.length) {
            slot(slot);
        }
        slots[slot] = here;
        unclearSlots.set(slot, here.problem != null);
        for (var volume : here.mounted()) {
            SlotCounts.change(slotsByVolume, volume, slot, 1);
            driver(volume.driver()).add(slot, 1);
        }
        for (var volume : here.attached()) {
            if (!here.isMounted(volume)) {
                driver(volume.driver()).add(slot, 1);
            }
        }
        limit(slot, csiNodes.get(node.name()));
    }

    private void limit(int slot, @Nullable CsiNode node) {
        if (node == null) {
            return;
        }
        isMigrating.set(slot);
        for (var driver : node.drivers()) {
            if (driver.isLimited()) {
                isLimited.set(slot);
                driver(driver.name()).limit(slot, driver.count());
            }
        }
    }
}
