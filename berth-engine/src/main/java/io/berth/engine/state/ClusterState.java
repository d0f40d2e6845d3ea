package io.berth.engine.state;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.handle.Log;
import io.berth.api.handle.StateObserver;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Volume;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Nodes and the pods that are on them or assumed to be.
///
/// The life of a pod here (E-24); whatever is not drawn is a [StateException] and changes nothing:
///
/// ```
///            assume               add (the binding was seen)
///   absent ─────────► assumed ─────────────────────────────► added ─┐ update
///     │ ▲               │  ▲ forget, remove                   │ ▲ └─┘
///     │ └───────────────┘                                     │ │
///     │ └───────────────────────── remove ────────────────────┘ │
///     └──────────────────────────── add ────────────────────────┘
/// ```
///
/// A pod may be on a node that is not known: not yet, or not any more. Such a *ghost* has a slot,
/// but is in no list of nodes.
///
/// Every change takes effect at once, except for what upstream only looks at when it begins an
/// attempt: the node order and the image counts follow at [#refresh].
///
/// Owned by the engine thread.
public final class ClusterState {
    private static final int FIRST_CAPACITY = 256;
    private static final int FIRST_SCRATCH_COUNT = 16;

    private final Log log;
    private final Slots slots;
    private final Columns columns;
    private final ImageTable images = new ImageTable();
    private final NodeOrder order;
    private final Changes changes;
    private final ScratchPool scratches;
    private final Observers observers = new Observers();
    private final Map<String, Pod> pods = new HashMap<>();
    private final Set<String> assumed = new HashSet<>();
    // How many volumes of pods on known nodes refer to a claim, by namespace/name.
    private final Map<String, Integer> claimsInUse = new HashMap<>();
    private int[] changedSlots;
    private long refreshedAt;

    public ClusterState(Log log) {
        this(log, FIRST_CAPACITY, FIRST_SCRATCH_COUNT);
    }

    /// @param capacity for how many nodes there is room before the columns grow
    /// @param scratchCount how many dry runs may go on at once before the columns grow
    public ClusterState(Log log, int capacity, int scratchCount) {
        this.log = log;
        slots = new Slots(capacity, scratchCount);
        columns = new Columns(slots);
        order = new NodeOrder(slots, claimsInUse::containsKey);
        changes = new Changes(capacity);
        scratches = new ScratchPool(slots, columns, images);
        changedSlots = new int[capacity];
    }

    // --- reading

    public NodeColumns columns() {
        return columns;
    }

    /// Grows when results that attempts keep by slot may be out of date, for another reason than a
    /// change of the slot.
    public int keptEpoch() {
        return columns.keptEpoch();
    }

    /// Answers a question, of which nothing is left that an attempt could see.
    public <T> T ask(Supplier<T> question) {
        columns.question(true);
        try {
            return question.get();
        } finally {
            columns.question(false);
        }
    }

    /// The nodes as of the last [#refresh].
    public NodeOrder nodes() {
        return order;
    }

    /// Slots of the nodes in visiting order, as of the last [#refresh]; the first [#orderCount]
    /// elements count.
    public int[] order() {
        return order.slots();
    }

    public int orderCount() {
        return order.count();
    }

    /// Another one each time that nodes change places in [#order].
    public int orderVersion() {
        return order.version();
    }

    /// Slots of the nodes as the next [#refresh] would order them; nobody may write into them.
    public int[] nextOrder() {
        return order.next();
    }

    /// Another one whenever [#nextOrder] may say something else.
    public long nextOrderVersion() {
        return order.nextVersion();
    }

    /// Where a slot stands in the order, -1 where it does not.
    public int orderOf(int slot) {
        return order.positionOf(slot);
    }

    public Changes changes() {
        return changes;
    }

    /// Changes with what is kept.
    public long version() {
        return changes.version();
    }

    /// Whether a slot holds a node, as opposed to nothing, or pods of an unknown node.
    public boolean holdsNode(int slot) {
        var place = slots.at(slot);
        return place != null && !place.isGhost();
    }

    /// The node in a slot that holds one.
    public NodeView view(int slot) {
        return slots.get(slot);
    }

    /// All nodes as they are now, in no meaningful order. Unlike [#nodes] this needs no [#refresh],
    /// which would change what the next attempt sees.
    public List<NodeView> knownNodes() {
        var known = new ArrayList<NodeView>();
        for (int slot = 0; slot < slots.used(); slot++) {
            var place = slots.at(slot);
            if (place != null && !place.isGhost()) {
                known.add(place);
            }
        }
        return known;
    }

    /// All nodes as they are now, in the order of the last [#refresh]; those that came since are
    /// last. Nodes that are added to another state in this order are visited in it there.
    public List<NodeView> knownNodesInOrder() {
        var known = new ArrayList<NodeView>();
        var shown = new BitSet();
        for (int i = 0; i < order.count(); i++) {
            addNode(order.slots()[i], shown, known);
        }
        for (int slot = 0; slot < slots.used(); slot++) {
            addNode(slot, shown, known);
        }
        return known;
    }

    private void addNode(int slot, BitSet shown, List<NodeView> known) {
        if (holdsNode(slot) && !shown.get(slot)) {
            shown.set(slot);
            known.add(view(slot));
        }
    }

    /// Places of nodes that are gone or were never seen, but that pods name (rule E-26). They have
    /// pods, and a name, but no node.
    public List<NodeView> ghosts() {
        var ghosts = new ArrayList<NodeView>();
        for (int slot = 0; slot < slots.used(); slot++) {
            var place = slots.at(slot);
            if (place != null && place.isGhost()) {
                ghosts.add(place);
            }
        }
        return ghosts;
    }

    /// Whatever is in a slot: a node, a ghost, or nothing.
    public @Nullable NodeView placeAt(int slot) {
        return slots.at(slot);
    }

    /// The pods on a node, or on a ghost.
    public List<Pod> podsOn(String name) {
        var place = slots.find(name);
        return place == null ? List.of() : place.pods();
    }

    public @Nullable Node node(String name) {
        var place = slots.find(name);
        return place == null ? null : place.nodeOrNull();
    }

    /// The pod as it is held here, null where it is not.
    public @Nullable Pod podOf(String uid) {
        return pods.get(uid);
    }

    /// The pod as it is held here.
    public Pod held(Pod pod) {
        var known = pods.get(key(pod));
        if (known == null) {
            throw new StateException(describe(pod) + " does not exist in scheduler cache");
        }
        return known;
    }

    public boolean isAssumed(String uid) {
        return assumed.contains(uid);
    }

    /// Whether this holds for some pod that is assumed.
    public boolean isAnyAssumed(Predicate<Pod> what) {
        for (var uid : assumed) {
            var pod = pods.get(uid);
            if (pod != null && what.test(pod)) {
                return true;
            }
        }
        return false;
    }

    /// All pods, in no order.
    public Collection<Pod> pods() {
        return Collections.unmodifiableCollection(pods.values());
    }

    public int podCount() {
        return pods.size();
    }

    public int assumedCount() {
        return assumed.size();
    }

    /// How many nodes have a slot, ghosts included.
    public int nodeCountWithGhosts() {
        return slots.size();
    }

    /// Whether a pod on a known node uses the claim `namespace/name`.
    public boolean isClaimInUse(String claimKey) {
        return claimsInUse.containsKey(claimKey);
    }

    // --- pods

    /// A pod was seen on its node: a new one, or an assumed one whose binding came true.
    public void addPod(Pod pod) {
        var known = pods.get(key(pod));
        requireNode(pod);
        if (known == null) {
            place(pod);
            return;
        }
        if (!assumed.contains(pod.uid())) {
            throw new StateException(describe(pod) + " was already in added state");
        }
        take(known);
        place(pod);
        if (!known.nodeName().equals(pod.nodeName())) {
            logOtherNode(known, pod);
        }
    }

    /// @throws CorruptStateException where the pod changed its node
    public void updatePod(Pod before, Pod after) {
        var known = pods.get(key(before));
        if (known == null) {
            throw new StateException(
                    describe(before) + " is not added to scheduler cache, so cannot be updated");
        }
        if (assumed.contains(known.uid())) {
            throw new StateException("assumed " + describe(before) + " should not be updated");
        }
        if (!known.nodeName().equals(after.nodeName())) {
            throw new CorruptStateException(
                    "Pod updated on a different node than previously added to. Scheduler cache is"
                            + " corrupted and can badly affect scheduling decisions");
        }
        take(known);
        place(after);
    }

    /// Removes a pod, assumed or not. An empty node name is tolerated: it means that the deletion
    /// was missed.
    ///
    /// @return the pod as it was held
    /// @throws CorruptStateException where the pod is held on another node
    public Pod removePod(Pod pod) {
        var known = pods.get(key(pod));
        if (known == null) {
            throw new StateException(
                    describe(pod)
                            + " is not found in scheduler cache, so cannot be removed from it");
        }
        if (!known.nodeName().equals(pod.nodeName())) {
            if (pod.isAssigned()) {
                throw new CorruptStateException(
                        "Scheduler cache is corrupted and can badly affect scheduling decisions");
            }
            logOtherNode(known, pod);
        }
        take(known);
        return known;
    }

    /// Counts a pod on the node it names before the API server knows.
    public void assumePod(Pod pod) {
        if (pods.containsKey(key(pod))) {
            throw new StateException(describe(pod) + " is in the cache, so can't be assumed");
        }
        requireNode(pod);
        assumed.add(pod.uid());
        place(pod);
    }

    /// Undoes [#assumePod]. A pod that is gone in the meantime is no error.
    public void forgetPod(Pod pod) {
        var known = pods.get(key(pod));
        if (known == null) {
            return;
        }
        if (!known.nodeName().equals(pod.nodeName())) {
            throw new StateException(
                    "%s was assumed on %s but assigned to %s"
                            .formatted(describe(pod), pod.nodeName(), known.nodeName()));
        }
        if (!assumed.contains(pod.uid())) {
            throw new StateException(describe(pod) + " wasn't assumed so cannot be forgotten");
        }
        take(known);
    }

    private void place(Pod pod) {
        var place = slotNodeOf(pod.nodeName());
        place.add(pod);
        pods.put(pod.uid(), pod);
        podsChanged(place, pod, 1);
        observers.podAdded(pod, place.slot());
    }

    /// The opposite of [#place]. The slot of a ghost goes with its last pod.
    private void take(Pod known) {
        var place = slotNodeOf(known.nodeName());
        place.remove(known);
        pods.remove(known.uid());
        assumed.remove(known.uid());
        podsChanged(place, known, -1);
        observers.podRemoved(known, place.slot());
        releaseIfVacant(place);
    }

    private void podsChanged(SlotNode place, Pod pod, int sign) {
        if (!place.isGhost()) {
            for (var volume : pod.spec().volumes()) {
                if (volume.source() instanceof Volume.Claim claim) {
                    countClaim(SlotNode.claimKey(pod, claim), sign);
                }
            }
        }
        if (SlotNode.hasAffinity(pod) || SlotNode.hasRequiredAntiAffinity(pod)) {
            order.podsChanged(place);
        }
        changes.podsChanged(place.slot());
    }

    private void countClaim(String key, int change) {
        claimsInUse.merge(key, change, (a, b) -> a + b == 0 ? null : a + b);
    }

    // --- nodes

    /// A node came. One that is known already is updated.
    public void addNode(Node node) {
        columns.tidy();
        var place = slotNodeOf(node.name());
        var before = place.nodeOrNull();
        place.held(images.change(place.held(), before, node));
        place.node(node);
        columns.changeNode(place.slot(), before, node);
        if (before == null) {
            slots.nodeCount(slots.nodeCount() + 1);
            place.claims().forEach((claim, count) -> countClaim(claim, count));
            order.nodeAdded(place);
            changes.nodeCountChanged();
            tellOrder("Added node to NodeTree", node);
        } else {
            order.nodeUpdated(place, before);
            if (!NodeTree.zoneKey(before).equals(NodeTree.zoneKey(node))) {
                tellOrder("Removed node from NodeTree", before);
                tellOrder("Added node to NodeTree", node);
            }
        }
        changes.nodeChanged(place.slot());
        observers.nodeChanged(place.slot(), before, node);
    }

    private void tellOrder(String sentence, Node node) {
        if (log.isOn(2)) {
            log.info(2, sentence, "node", node.name(), "zone", NodeTree.zoneKey(node));
        }
    }

    /// A node changed. One that is not known yet is added.
    public void updateNode(Node node) {
        addNode(node);
    }

    /// A node went. Its slot stays as long as there are pods on it.
    public void removeNode(Node node) {
        var place = slots.find(node.name());
        if (place == null) {
            throw new StateException("node " + node.name() + " is not found");
        }
        var before = place.nodeOrNull();
        if (before == null) {
            throw new StateException(
                    "node %s in group %s was not found"
                            .formatted(quoted(node.name()), quoted(NodeTree.zoneKey(node))));
        }
        order.nodeRemoved(place);
        tellOrder("Removed node from NodeTree", before);
        place.claims().forEach((claim, count) -> countClaim(claim, -count));
        place.held(images.change(place.held(), before, null));
        place.node(null);
        columns.changeNode(place.slot(), before, null);
        slots.nodeCount(slots.nodeCount() - 1);
        changes.nodeCountChanged();
        changes.nodeChanged(place.slot());
        observers.nodeChanged(place.slot(), before, null);
        releaseIfVacant(place);
    }

    private SlotNode slotNodeOf(String name) {
        var place = slots.find(name);
        if (place == null) {
            if (slots.isFull()) {
                grow();
            }
            place = new SlotNode(columns, images, slots.next(), name);
            slots.take(place);
        }
        return place;
    }

    private void releaseIfVacant(SlotNode place) {
        if (place.isGhost() && place.isEmpty()) {
            slots.release(place);
        }
    }

    private void grow() {
        if (scratches.isInUse()) {
            throw new IllegalStateException("the columns cannot grow during a dry run");
        }
        int before = slots.capacity();
        int scratchCount = slots.limit() - before;
        slots.resize(2 * before, before, 2 * before + scratchCount);
        columns.resize(before);
        order.resize();
        changes.resize(2 * before);
        scratches.moved();
        changedSlots = new int[2 * before];
    }

    // --- attempts

    /// Begins an attempt: brings up to date what upstream reads from the snapshot that it takes now
    /// (E-32): the node order, and the image counts of the nodes that changed since the last time.
    public void refresh() {
        columns.tidy();
        order.refresh();
        int count = changes.since(refreshedAt, Changes.NODE | Changes.PODS, changedSlots);
        for (int i = 0; i < count; i++) {
            var place = slots.at(changedSlots[i]);
            if (place != null && images.freeze(place.held())) {
                changes.nodeChanged(place.slot());
            }
        }
        refreshedAt = changes.version();
    }

    /// A slot for a dry run. Give it back by closing it.
    public Scratch scratch() {
        if (scratches.isExhausted()) {
            reserveScratch(Math.max(FIRST_SCRATCH_COUNT, 2 * (slots.limit() - slots.capacity())));
        }
        return scratches.acquire();
    }

    /// Makes room for so many dry runs at once, so that taking scratch slots does not replace the
    /// arrays.
    public void reserveScratch(int count) {
        int before = slots.limit();
        if (slots.capacity() + count > before) {
            slots.resize(slots.capacity(), before, slots.capacity() + count);
            columns.resize(before);
            scratches.add(before, slots.limit());
        }
    }

    // --- observers and checks

    /// Tells an observer of every change from now on, after telling it what there is: nodes first,
    /// then pods.
    public void observe(StateObserver observer) {
        for (int slot = 0; slot < slots.used(); slot++) {
            var place = slots.at(slot);
            if (place != null && !place.isGhost()) {
                observer.nodeChanged(slot, null, place.node());
            }
        }
        for (int slot = 0; slot < slots.used(); slot++) {
            var place = slots.at(slot);
            if (place != null) {
                for (var pod : place.pods()) {
                    observer.podAdded(pod, slot);
                }
            }
        }
        observers.add(observer);
    }

    /// Works everything out anew from the nodes and pods and tells where what is kept differs; for
    /// tests and debugging. Empty when all is well.
    public List<String> recount() {
        var recount = new Recount(slots, columns, order);
        recount.checkSlots(pods.values());
        recount.checkCluster(images, claimsInUse);
        recount.checkOrder();
        var differences = recount.differences();
        for (var uid : assumed) {
            if (!pods.containsKey(uid)) {
                differences.add("cluster: pod " + uid + " is assumed, but not held");
            }
        }
        return differences;
    }

    private void logOtherNode(Pod known, Pod pod) {
        log.info(
                0,
                "Pod was added to a different node than it was assumed",
                "podKey",
                pod.uid(),
                "pod",
                pod.key(),
                "assumedNode",
                known.nodeName(),
                "currentNode",
                pod.nodeName());
    }

    private static String key(Pod pod) {
        if (pod.uid().isEmpty()) {
            throw new StateException("cannot get cache key for pod with empty UID");
        }
        return pod.uid();
    }

    private static void requireNode(Pod pod) {
        if (!pod.isAssigned()) {
            throw new IllegalArgumentException(describe(pod) + " has no node");
        }
    }

    private static String describe(Pod pod) {
        return "pod " + pod.uid() + "(" + pod.key() + ")";
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\0", "\\x00") + '"';
    }
}
