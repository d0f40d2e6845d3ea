package io.berth.engine.state;

import io.berth.api.amount.Resources;
import io.berth.api.column.NodeView;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.Volume;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Checks what is kept against what the nodes and pods say, counted anew.
///
/// What depends on history and not on the present alone is not checked in full: a port that two
/// pods shared may be free though one of them still has it; the size of an image and frozen image
/// counts come from the past.
final class Recount {
    private final Slots slots;
    private final Columns columns;
    private final NodeOrder order;
    private final List<String> differences = new ArrayList<>();

    Recount(Slots slots, Columns columns, NodeOrder order) {
        this.slots = slots;
        this.columns = columns;
        this.order = order;
    }

    List<String> differences() {
        return differences;
    }

    void checkSlots(Collection<Pod> pods) {
        var podsByNode = new HashMap<String, List<Pod>>();
        for (var pod : pods) {
            podsByNode.computeIfAbsent(pod.nodeName(), name -> new ArrayList<>()).add(pod);
        }
        for (int slot = 0; slot < slots.capacity(); slot++) {
            var place = slots.at(slot);
            if (place == null) {
                checkColumns("free slot " + slot, slot, null, List.of());
                continue;
            }
            var expected = podsByNode.remove(place.name());
            checkPlace(place, expected == null ? List.of() : expected);
        }
        podsByNode.forEach((name, lost) -> differences.add(name + ": no slot for " + lost));
    }

    private void checkPlace(SlotNode place, List<Pod> expected) {
        var where = place.name();
        checkColumns(where, place.slot(), place.nodeOrNull(), expected);
        if (place.isGhost() && expected.isEmpty()) {
            differences.add(where + ": has a slot without node and pods");
        }
        same(where, "pods", identities(expected), identities(place.pods()));
        same(where, "number of pods", expected.size(), place.pods().size());
        same(
                where,
                "pods with affinity",
                identities(expected.stream().filter(SlotNode::hasAffinity).toList()),
                identities(place.podsWithAffinity()));
        same(
                where,
                "pods with required anti-affinity",
                identities(expected.stream().filter(SlotNode::hasRequiredAntiAffinity).toList()),
                identities(place.podsWithRequiredAntiAffinity()));
        same(where, "claims", claims(expected), place.claims());
        same(where, "requested scalars", scalars(expected), place.requested().scalars());
        var ports = new HashSet<HostPort>();
        expected.forEach(pod -> ports.addAll(pod.spec().hostPorts()));
        same(where, "ports of no pod", Set.of(), without(place.usedPorts(), ports));
    }

    private void checkColumns(String where, int slot, @Nullable Node node, List<Pod> pods) {
        var given = node == null ? Resources.NONE : node.allocatable();
        same(where, "cpu", given.cpuMillis(), columns.allocatableCpuMillis()[slot]);
        same(where, "memory", given.memoryBytes(), columns.allocatableMemoryBytes()[slot]);
        same(where, "storage", given.ephemeralBytes(), columns.allocatableEphemeralBytes()[slot]);
        same(where, "pod limit", given.pods(), columns.allocatablePods()[slot]);
        var taints = node == null ? List.of() : node.taints();
        same(where, "taints", taints, columns.taints(columns.taintSetIds()[slot]));
        boolean unschedulable = node != null && node.unschedulable();
        same(where, "mark", unschedulable, Columns.isSet(columns.unschedulable(), slot));

        sum(
                where,
                "cpu",
                pods,
                p -> p.requests().exact().cpuMillis(),
                columns.requestedCpuMillis()[slot]);
        sum(
                where,
                "memory",
                pods,
                p -> p.requests().exact().memoryBytes(),
                columns.requestedMemoryBytes()[slot]);
        sum(
                where,
                "storage",
                pods,
                p -> p.requests().exact().ephemeralBytes(),
                columns.requestedEphemeralBytes()[slot]);
        sum(
                where,
                "non-zero cpu",
                pods,
                p -> p.requests().nonZeroCpuMillis(),
                columns.nonZeroCpuMillis()[slot]);
        sum(
                where,
                "non-zero memory",
                pods,
                p -> p.requests().nonZeroMemoryBytes(),
                columns.nonZeroMemoryBytes()[slot]);
        same(where, "pod count", pods.size(), columns.podCounts()[slot]);

        columns.forEachLabel((key, column) -> {
            int id = column.valueIds()[slot];
            var value = node == null ? null : node.labels().value(key);
            same(where, "label " + key, value, id == 0 ? null : column.value(id));
        });
        columns.forEachScalar((name, column) -> {
            same(where, name, given.scalar(name), column.allocatable()[slot]);
            sum(
                    where,
                    name,
                    pods,
                    p -> p.requests().exact().scalar(name),
                    column.requested()[slot]);
        });
    }

    void checkCluster(ImageTable images, Map<String, Integer> claimsInUse) {
        int nodes = 0;
        var claims = new HashMap<String, Integer>();
        var imageCounts = new HashMap<String, Integer>();
        for (int slot = 0; slot < slots.capacity(); slot++) {
            var place = slots.at(slot);
            if (place == null || place.isGhost()) {
                continue;
            }
            nodes++;
            claims(place.pods())
                    .forEach((claim, count) -> claims.merge(claim, count, Integer::sum));
            var names = new HashSet<String>();
            place.node().images().forEach(image -> names.addAll(image.names()));
            names.forEach(image -> imageCounts.merge(image, 1, Integer::sum));
            same(place.name(), "images", names, place.images().keySet());
        }
        same("cluster", "node count", nodes, slots.nodeCount());
        same("cluster", "number of nodes in the tree", nodes, order.treeCount());
        same("cluster", "claims in use", claims, claimsInUse);
        same("cluster", "number of images", imageCounts.size(), images.size());
        imageCounts.forEach((image, count) ->
                same("cluster", "nodes with " + image, count, images.nodeCount(image)));
    }

    /// The order may be behind the nodes, but what it says must be consistent.
    void checkOrder() {
        for (int slot = 0; slot < slots.capacity(); slot++) {
            int position = order.positionOf(slot);
            if (position >= 0) {
                var place = slots.at(slot);
                same("order", "node in slot " + slot, true, place != null && !place.isGhost());
                same("order", "slot at " + position, slot, order.slots()[position]);
            }
        }
        same(
                "order",
                "nodes with affinity",
                ordered(view -> !view.podsWithAffinity().isEmpty()),
                order.withAffinityPods());
        same(
                "order",
                "nodes with required anti-affinity",
                ordered(view -> !view.podsWithRequiredAntiAffinity().isEmpty()),
                order.withRequiredAntiAffinityPods());
    }

    /// Until the next refresh a slot may stand at the place of a node that went as well, where the
    /// node that has the slot now does not belong.
    private List<NodeView> ordered(Predicate<NodeView> having) {
        return IntStream.range(0, order.count())
                .filter(position -> order.positionOf(order.slots()[position]) == position)
                .mapToObj(position -> (NodeView) slots.get(order.slots()[position]))
                .filter(having)
                .toList();
    }

    private static Map<String, Integer> claims(List<Pod> pods) {
        var result = new HashMap<String, Integer>();
        for (var pod : pods) {
            for (var volume : pod.spec().volumes()) {
                if (volume.source() instanceof Volume.Claim claim) {
                    result.merge(SlotNode.claimKey(pod, claim), 1, Integer::sum);
                }
            }
        }
        return result;
    }

    private static Map<String, Long> scalars(List<Pod> pods) {
        var result = new TreeMap<String, Long>();
        for (var pod : pods) {
            pod.requests()
                    .exact()
                    .scalars()
                    .forEach((name, amount) -> result.merge(name, amount, Long::sum));
        }
        result.values().removeIf(amount -> amount == 0);
        return result;
    }

    private static Set<Pod> identities(List<Pod> pods) {
        Set<Pod> result = Collections.newSetFromMap(new IdentityHashMap<>());
        result.addAll(pods);
        return result;
    }

    private static <T> Set<T> without(Collection<T> all, Set<T> known) {
        var result = new HashSet<>(all);
        result.removeAll(known);
        return result;
    }

    private void sum(
            String where, String what, List<Pod> pods, ToLongFunction<Pod> amount, long kept) {
        long expected = 0;
        for (var pod : pods) {
            expected += amount.applyAsLong(pod);
        }
        same(where, "requested " + what, expected, kept);
    }

    private void same(String where, String what, @Nullable Object expected, @Nullable Object kept) {
        if (!Objects.equals(expected, kept)) {
            differences.add(where + ": " + what + " is " + kept + ", but should be " + expected);
        }
    }
}
