package io.berth.engine.state;

import io.berth.api.model.HostPort;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.Resources;
import io.berth.api.model.Volume;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Checks what is kept against what the nodes and pods say, counted anew.
///
/// What depends on history and not on the present alone is not checked in full: a port that two
/// pods shared may be free though one of them still has it; the size of an image and frozen image
/// counts come from the past.
record Recount(
        Slots slots,
        Columns columns,
        NodeOrder order,
        ImageTable images,
        Map<String, Pod> pods,
        Set<String> assumed,
        Map<String, Integer> claimsInUse) {

    List<String> differences() {
        var found = new ArrayList<String>();
        var podsByNode = new HashMap<String, List<Pod>>();
        pods.values()
                .forEach(pod ->
                        podsByNode
                                .computeIfAbsent(pod.nodeName(), name -> new ArrayList<>())
                                .add(pod));
        for (int slot = 0; slot < slots.capacity(); slot++) {
            var place = slots.at(slot);
            if (place == null) {
                slot(found, slot, "free slot " + slot, null, List.of());
            } else {
                var expected = podsByNode.getOrDefault(place.name(), List.of());
                podsByNode.remove(place.name());
                slot(found, slot, place.name(), place.nodeOrNull(), expected);
                place(found, place, expected);
            }
        }
        podsByNode.forEach((name, lost) -> found.add("pods " + lost + " on " + name + ": no slot"));
        cluster(found);
        return found;
    }

    private void slot(
            List<String> found, int slot, String name, @Nullable Node node, List<Pod> expected) {
        var allocatable = node == null ? Resources.NONE : node.allocatable();
        same(
                found,
                name,
                "allocatable cpu",
                allocatable.cpuMillis(),
                columns.allocatableCpuMillis()[slot]);
        same(
                found,
                name,
                "allocatable memory",
                allocatable.memoryBytes(),
                columns.allocatableMemoryBytes()[slot]);
        same(
                found,
                name,
                "allocatable ephemeral storage",
                allocatable.ephemeralBytes(),
                columns.allocatableEphemeralBytes()[slot]);
        same(found, name, "allocatable pods", allocatable.pods(), columns.allocatablePods()[slot]);
        same(
                found,
                name,
                "taints",
                node == null ? List.of() : node.taints(),
                columns.taints(columns.taintSetIds()[slot]));
        same(
                found,
                name,
                "unschedulable",
                node != null && node.unschedulable(),
                Columns.isSet(columns.unschedulable(), slot));
        same(
                found,
                name,
                "requested cpu",
                sum(expected, p -> p.requests().exact().cpuMillis()),
                columns.requestedCpuMillis()[slot]);
        same(
                found,
                name,
                "requested memory",
                sum(expected, p -> p.requests().exact().memoryBytes()),
                columns.requestedMemoryBytes()[slot]);
        same(
                found,
                name,
                "requested ephemeral storage",
                sum(expected, p -> p.requests().exact().ephemeralBytes()),
                columns.requestedEphemeralBytes()[slot]);
        same(
                found,
                name,
                "non-zero cpu",
                sum(expected, p -> p.requests().nonZeroCpuMillis()),
                columns.nonZeroCpuMillis()[slot]);
        same(
                found,
                name,
                "non-zero memory",
                sum(expected, p -> p.requests().nonZeroMemoryBytes()),
                columns.nonZeroMemoryBytes()[slot]);
        same(found, name, "pod count", expected.size(), columns.podCounts()[slot]);
        columns.forEachLabel((key, column) -> {
            int id = column.valueIds()[slot];
            same(
                    found,
                    name,
                    "label " + key,
                    node == null ? null : node.labels().value(key),
                    id == 0 ? null : column.value(id));
        });
        columns.forEachScalar((resource, column) -> {
            same(
                    found,
                    name,
                    "allocatable " + resource,
                    allocatable.scalar(resource),
                    column.allocatable()[slot]);
            same(
                    found,
                    name,
                    "requested " + resource,
                    sum(expected, p -> p.requests().exact().scalar(resource)),
                    column.requested()[slot]);
        });
    }

    private static void place(List<String> found, SlotNode place, List<Pod> expected) {
        var name = place.name();
        if (place.isGhost() && expected.isEmpty()) {
            found.add(name + ": a slot without node and pods");
        }
        same(found, name, "pods", new HashSet<>(expected), new HashSet<>(place.pods()));
        same(found, name, "number of pods", expected.size(), place.pods().size());
        same(
                found,
                name,
                "pods with affinity",
                new HashSet<>(expected.stream().filter(SlotNode::hasAffinity).toList()),
                new HashSet<>(place.podsWithAffinity()));
        same(
                found,
                name,
                "pods with required anti-affinity",
                new HashSet<>(expected.stream().filter(SlotNode::hasRequiredAntiAffinity).toList()),
                new HashSet<>(place.podsWithRequiredAntiAffinity()));
        var scalars = new TreeMap<String, Long>();
        var claims = new HashMap<String, Integer>();
        var ports = new HashSet<HostPort>();
        for (var pod : expected) {
            pod.requests()
                    .exact()
                    .scalars()
                    .forEach((resource, amount) -> scalars.merge(resource, amount, Long::sum));
            ports.addAll(pod.spec().hostPorts());
            claimsOf(pod).forEach(claim -> claims.merge(claim, 1, Integer::sum));
        }
        scalars.values().removeIf(amount -> amount == 0);
        same(found, name, "requested scalars", scalars, place.requested().scalars());
        same(found, name, "claims", claims, place.claims());
        for (var port : place.usedPorts()) {
            if (!ports.contains(port)) {
                found.add(name + ": " + port + " is used by no pod");
            }
        }
    }

    private void cluster(List<String> found) {
        int nodes = 0;
        var claims = new HashMap<String, Integer>();
        var imageCounts = new HashMap<String, Integer>();
        for (int slot = 0; slot < slots.capacity(); slot++) {
            var place = slots.at(slot);
            if (place == null || place.isGhost()) {
                continue;
            }
            nodes++;
            place.pods()
                    .forEach(pod ->
                            claimsOf(pod).forEach(claim -> claims.merge(claim, 1, Integer::sum)));
            var names = new HashSet<String>();
            place.node().images().forEach(image -> names.addAll(image.names()));
            names.forEach(image -> imageCounts.merge(image, 1, Integer::sum));
            same(found, place.name(), "images", names, place.images().keySet());
        }
        same(found, "cluster", "node count", nodes, slots.nodeCount());
        same(found, "cluster", "nodes in the tree", nodes, order.treeCount());
        same(found, "cluster", "claims in use", claims, claimsInUse);
        same(found, "cluster", "number of images", imageCounts.size(), images.size());
        imageCounts.forEach((image, count) ->
                same(found, "cluster", "nodes with " + image, count, images.nodeCount(image)));
        for (var uid : assumed) {
            if (!pods.containsKey(uid)) {
                found.add("cluster: assumed pod " + uid + " is not held");
            }
        }
        order(found);
    }

    /// The order may be behind the nodes, but what it says of slots must be consistent.
    private void order(List<String> found) {
        int ordered = 0;
        for (int slot = 0; slot < slots.capacity(); slot++) {
            int position = order.positionOf(slot);
            if (position >= 0) {
                ordered++;
                same(found, "order", "slot at " + position, slot, order.slots()[position]);
                same(found, "order", "slot " + slot + " holds a node", true, !isVacant(slot));
            }
        }
        if (ordered > order.count()) {
            found.add("order: more positions than nodes");
        }
        var positions =
                Arrays.stream(order.slots(), 0, order.count())
                        .filter(slot -> order.positionOf(slot) >= 0)
                        .toArray();
        same(
                found,
                "order",
                "nodes with affinity",
                Arrays.stream(positions)
                        .filter(slot -> !slots.get(slot).podsWithAffinity().isEmpty())
                        .mapToObj(slot -> slots.get(slot).name())
                        .toList(),
                order.withAffinityPods().stream().map(view -> view.name()).toList());
        same(
                found,
                "order",
                "nodes with required anti-affinity",
                Arrays.stream(positions)
                        .filter(slot -> !slots.get(slot).podsWithRequiredAntiAffinity().isEmpty())
                        .mapToObj(slot -> slots.get(slot).name())
                        .toList(),
                order.withRequiredAntiAffinityPods().stream().map(view -> view.name()).toList());
    }

    private boolean isVacant(int slot) {
        var place = slots.at(slot);
        return place == null || place.isGhost();
    }

    private static List<String> claimsOf(Pod pod) {
        var result = new ArrayList<String>();
        for (var volume : pod.spec().volumes()) {
            if (volume.source() instanceof Volume.Claim claim) {
                result.add(SlotNode.claimKey(pod, claim));
            }
        }
        return result;
    }

    private static long sum(List<Pod> pods, ToLongFunction<Pod> amount) {
        return pods.stream().mapToLong(amount).sum();
    }

    private static void same(
            List<String> found,
            String where,
            String what,
            @Nullable Object expected,
            @Nullable Object actual) {
        if (!Objects.equals(expected, actual)) {
            found.add(where + ": " + what + " is " + actual + ", but should be " + expected);
        }
    }
}
