package io.berth.plugins.device;

import io.berth.api.assume.AssumeCache;
import io.berth.api.assume.AssumeException;
import io.berth.api.assume.Identity;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Log;
import io.berth.api.handle.StateObserver;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CustomObject;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Who has which devices, and which nodes that concerns: what is seen of claims and slices, and
/// what attempts have in mind (contract rules DR-9, DR-17 and DR-20).
///
/// A claim's devices count once, from the moment that an attempt takes them (*in flight*) through
/// the write (*assumed*) to the day when the claim is seen without them. Every change puts a new
/// stamp on the slots of the nodes that see its pool, so that what was worked out for a slot is out
/// of date exactly when something changed that it was worked out from.
///
/// Owned by the engine thread; one for all profiles.
public final class DeviceBook implements StateObserver {
    private final Log log;
    private final Inventory inventory;
    private final Usage usage;
    private final AssumeCache<ResourceClaim> claims;
    private final Map<String, DeviceClass> classes = new HashMap<>();

    /// By uid of the claim.
    private final Map<String, ResourceClaim> inFlight = new HashMap<>();

    /// Made, but not seen with their devices yet. By uid.
    private final Map<String, ResourceClaim> unseen = new HashMap<>();

    /// By uid of the pod.
    private final Map<String, ResourceClaim> extendedByOwner = new HashMap<>();

    /// What each claim, by uid, counts for in `usage`.
    private final Map<String, DeviceAllocation> counted = new HashMap<>();

    private long changes = 1;
    private long changeOfAll = 1;
    private long[] stamps = new long[64];
    private @Nullable Node[] nodes = new Node[64];
    private final Map<PoolId, BitSet> slotsByPool = new HashMap<>();
    private final Map<String, Integer> slotsByNode = new HashMap<>();

    /// Null where nobody but drivers taints devices.
    private final TaintRule.@Nullable Rules rules;

    private IntConsumer whenChanged = slot -> {};
    private Runnable whenAllChanged = () -> {};

    public DeviceBook(DeviceFeatures features, Log log) {
        this.log = log;
        this.rules = features.taintRules() ? new TaintRule.Rules() : null;
        this.inventory = new Inventory(features.partitionable());
        this.usage = new Usage(features.consumableCapacity());
        this.claims =
                new AssumeCache<>(
                        "ResourceClaim",
                        new Identity<>(ResourceClaim::key, ResourceClaim::resourceVersion),
                        log);
        claims.addHandler(this::claimChanged);
    }

    /// The one book of a scheduler.
    public static DeviceBook of(Handle handle) {
        return handle.shared(
                DeviceBook.class,
                () -> {
                    var made = new DeviceBook(DeviceFeatures.of(handle::isFeatureOn), handle.log());
                    handle.observe(made);
                    return made;
                });
    }

    /// Has somebody told of slots whose stamps are new.
    void tell(IntConsumer slotChanged, Runnable allChanged) {
        whenChanged = slotChanged;
        whenAllChanged = allChanged;
    }

    Inventory inventory() {
        return inventory;
    }

    Usage usage() {
        return usage;
    }

    public @Nullable DeviceClass deviceClass(String name) {
        return classes.get(name);
    }

    /// The claim as it will be; null where it is not known.
    public @Nullable ResourceClaim claim(String namespace, String name) {
        return claims.find(namespace + "/" + name);
    }

    /// Whether an attempt has taken devices for the claim that are not written down yet.
    public boolean isInFlight(ResourceClaim claim) {
        return inFlight.containsKey(claim.uid());
    }

    /// Claims by uid for which an attempt has taken devices that are not written down yet, or were
    /// not seen yet, with the devices.
    public Map<String, ResourceClaim> inFlight() {
        var all = new HashMap<>(unseen);
        all.putAll(inFlight);
        return all;
    }

    /// Takes devices for a claim, in thought.
    public void take(ResourceClaim claim, DeviceAllocation allocation) {
        inFlight.put(claim.uid(), claim.with(allocation, claim.reservedFor(), claim.devices()));
        count(claim.uid(), allocation);
    }

    /// Gives up what an attempt took for a claim; harmless where it took nothing.
    public void giveBack(ResourceClaim claim) {
        boolean wasInFlight = inFlight.remove(claim.uid()) != null;
        boolean wasUnseen = unseen.remove(claim.uid()) != null;
        if (wasInFlight || wasUnseen) {
            claims.restore(claim.key());
            count(claim.uid(), seenAllocation(claim));
        }
    }

    private @Nullable DeviceAllocation seenAllocation(ResourceClaim claim) {
        var known = claims.find(claim.key());
        return known == null || !known.uid().equals(claim.uid()) ? null : known.allocation();
    }

    /// A claim was written as it is given here, and counts as such until it is seen. Where
    /// something newer was seen already, that counts.
    public void wrote(ResourceClaim claim) {
        inFlight.remove(claim.uid());
        if (isAssumed(claim)) {
            unseen.remove(claim.uid());
        }
        if (!unseen.containsKey(claim.uid())) {
            count(claim.uid(), seenAllocation(claim));
        }
    }

    private boolean isAssumed(ResourceClaim claim) {
        try {
            claims.assume(claim);
            return true;
        } catch (AssumeException overtaken) {
            log.info(
                    5,
                    "Claim not stored in assume cache",
                    "err",
                    overtaken.getMessage(),
                    "claim",
                    claim.key());
            return false;
        }
    }

    /// A claim that was a thought so far was made, and has another uid now. Its devices stay in
    /// flight until it is seen with them.
    public void made(ResourceClaim thought, ResourceClaim claim) {
        var taken = inFlight.remove(thought.uid());
        if (taken == null || taken.allocation() == null) {
            return;
        }
        var known = claims.find(claim.key());
        if (known != null && known.allocation() != null) {
            count(thought.uid(), null);
            return;
        }
        var allocation = taken.allocation();
        unseen.put(claim.uid(), claim.with(allocation, claim.reservedFor(), claim.devices()));
        // Taken as before, only under another uid: nothing that was worked out is out of date.
        if (!counted.containsKey(claim.uid()) && counted.containsKey(thought.uid())) {
            counted.put(claim.uid(), counted.remove(thought.uid()));
        }
        count(claim.uid(), allocation);
        count(thought.uid(), null);
    }

    /// The claim for extended resources that was made for a pod; null where there is none.
    public @Nullable ResourceClaim extendedClaim(Pod pod) {
        return extendedByOwner.get(pod.uid());
    }

    private void claimChanged(@Nullable ResourceClaim before, @Nullable ResourceClaim after) {
        if (before != null && (after == null || !after.uid().equals(before.uid()))) {
            inFlight.remove(before.uid());
            unseen.remove(before.uid());
            count(before.uid(), null);
            noteExtended(before, null);
        }
        if (after != null) {
            noteExtended(after, after);
            if (after.allocation() != null) {
                unseen.remove(after.uid());
            }
            if (!inFlight.containsKey(after.uid()) && !unseen.containsKey(after.uid())) {
                count(after.uid(), after.allocation());
            }
        }
    }

    private void noteExtended(ResourceClaim either, @Nullable ResourceClaim now) {
        if (either.isForExtendedResources() && either.controller() != null) {
            String owner = either.controller().uid();
            if (now == null) {
                extendedByOwner.remove(owner);
            } else {
                extendedByOwner.put(owner, now);
            }
        }
    }

    private void count(String uid, @Nullable DeviceAllocation allocation) {
        var old = counted.get(uid);
        if (allocation == null ? old == null : old != null && isSame(allocation, old)) {
            return;
        }
        if (old != null) {
            usage.remove(old);
            counted.remove(uid);
            touch(old);
        }
        if (allocation != null) {
            usage.add(allocation);
            counted.put(uid, allocation);
            touch(allocation);
        }
    }

    /// When it was made, which is set on the way, changes nothing for others.
    private static boolean isSame(DeviceAllocation one, DeviceAllocation other) {
        return one.results().equals(other.results());
    }

    private void touch(DeviceAllocation allocation) {
        var pools = new HashSet<PoolId>();
        for (var result : allocation.results()) {
            pools.add(new PoolId(result.device().driver(), result.device().pool()));
        }
        pools.forEach(this::touch);
    }

    private void touch(PoolId pool) {
        var slots = slotsByPool.get(pool);
        if (slots != null) {
            changes++;
            slots.stream().forEach(this::touch);
        }
    }

    private void touch(int slot) {
        stamps[slot] = changes;
        whenChanged.accept(slot);
    }

    private void touchAll() {
        changeOfAll = changes;
        whenAllChanged.run();
    }

    /// When something last changed that decides about devices on the node in this slot.
    public long stamp(int slot) {
        return Math.max(changeOfAll, stamps[slot]);
    }

    /// The slot that knows about the node in this one: itself, unless it is there for a dry run.
    public int slotOf(int slot, Node node) {
        boolean isItself = slot < nodes.length && nodes[slot] != null;
        return isItself ? slot : slotsByNode.getOrDefault(node.name(), slot);
    }

    /// A kind that has no record of its own and is followed here; null where there is none.
    public @Nullable String ruleKind() {
        return rules == null ? null : TaintRule.KIND.resource();
    }

    /// Must be called before a result for the slot is kept, so that changes reach it.
    void follow(int slot, Node node) {
        for (var pool : inventory.poolIdsOf(node)) {
            slotsByPool.computeIfAbsent(pool, _ -> new BitSet()).set(slot);
        }
    }

    @Override
    public void podAdded(Pod pod, int slot) {
        // Devices do not follow from pods.
    }

    @Override
    public void podRemoved(Pod pod, int slot) {
        // Devices do not follow from pods.
    }

    @Override
    public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {
        if (slot >= nodes.length) {
            nodes = Arrays.copyOf(nodes, Math.max(slot + 1, 2 * nodes.length));
            stamps = Arrays.copyOf(stamps, nodes.length);
        }
        nodes[slot] = after;
        stamps[slot] = ++changes;
        if (after == null && before != null) {
            inventory.forget(before.name());
            slotsByNode.remove(before.name());
            slotsByPool.values().forEach(slots -> slots.clear(slot));
        } else if (after != null) {
            slotsByNode.put(after.name(), slot);
        }
    }

    @Override
    public void objectChanged(@Nullable ClusterObject before, @Nullable ClusterObject after) {
        switch (after == null ? before : after) {
            case ResourceClaim claim -> {
                if (after == null) {
                    claims.gone(claim.key());
                } else {
                    claims.seen(claim);
                }
            }
            case ResourceSlice _ -> sliceChanged((ResourceSlice) before, (ResourceSlice) after);
            case DeviceClass deviceClass -> {
                if (after == null) {
                    classes.remove(deviceClass.name());
                } else {
                    classes.put(deviceClass.name(), deviceClass);
                }
                changes++;
                touchAll();
            }
            case CustomObject object -> {
                if (rules != null && object.kind() == TaintRule.KIND) {
                    ruleChanged(rules, object.name(), (CustomObject) after);
                }
            }
            case null, default -> {}
        }
    }

    private void sliceChanged(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        noteSlice(before, rules == null ? after : rules.changed(before, after));
    }

    private void ruleChanged(TaintRule.Rules all, String name, @Nullable CustomObject after) {
        for (var slice : all.changed(name, after == null ? null : TaintRule.of(after))) {
            noteSlice(slice, slice);
        }
    }

    private void noteSlice(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        changes++;
        if (inventory.changed(before, after)) {
            touchAll();
        } else {
            touch(before);
            touch(after);
        }
    }

    private void touch(@Nullable ResourceSlice slice) {
        if (slice == null) {
            return;
        }
        var slot = slotsByNode.get(slice.nodes().nodeName());
        if (slot != null) {
            touch(slot.intValue());
        }
        touch(new PoolId(slice.driver(), slice.pool().name()));
    }
}
