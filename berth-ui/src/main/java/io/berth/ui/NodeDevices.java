package io.berth.ui;

import io.berth.api.amount.ResourceName;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceId;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import io.berth.engine.port.ClusterImage;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How many devices nodes have, and how many of them are taken: extended resources, and devices of
/// drivers that a claim takes whole. Of those that can be taken in parts nobody could say how many
/// there are, so they are left out.
final class NodeDevices {
    private final Map<String, SortedMap<String, Use>> byNode = new HashMap<>();

    /// Some of one name on one node.
    static final class Use {
        private long used;
        private long room;

        long used() {
            return used;
        }

        long room() {
            return room;
        }
    }

    private NodeDevices() {}

    static NodeDevices of(ClusterImage image) {
        var devices = new NodeDevices();
        image.nodes().forEach(devices::addRoom);
        image.pods().forEach(devices::addUse);
        devices.addClaimed(image);
        return devices;
    }

    private void addRoom(Node node) {
        node.allocatable()
                .scalars()
                .forEach((name, amount) -> {
                    if (amount > 0 && ResourceName.isExtended(name)) {
                        use(node.name(), name).room += amount;
                    }
                });
    }

    private Use use(String node, String name) {
        return byNode.computeIfAbsent(node, _ -> new TreeMap<>())
                .computeIfAbsent(name, _ -> new Use());
    }

    private void addUse(Pod pod) {
        if (byNode.isEmpty() || !pod.isAssigned() || pod.isTerminal()) {
            return;
        }
        var there = of(pod.nodeName());
        pod.requests()
                .exact()
                .scalars()
                .forEach((name, amount) -> {
                    var use = there.get(name);
                    if (use != null) {
                        use.used += amount;
                    }
                });
    }

    private void addClaimed(ClusterImage image) {
        var nodes = new HashMap<DeviceId, String>();
        for (var object : image.of(Kind.RESOURCE_SLICE)) {
            if (object instanceof ResourceSlice slice && !slice.nodes().nodeName().isEmpty()) {
                addDevices(slice, nodes);
            }
        }
        if (nodes.isEmpty()) {
            return;
        }
        for (var object : image.of(Kind.RESOURCE_CLAIM)) {
            if (object instanceof ResourceClaim claim) {
                take(claim.allocation(), nodes);
            }
        }
    }

    private void take(@Nullable DeviceAllocation allocation, Map<DeviceId, String> nodes) {
        if (allocation == null) {
            return;
        }
        for (var result : allocation.results()) {
            // One that several claims name is taken once.
            var node = result.isAdmin() ? null : nodes.remove(result.device());
            if (node != null) {
                use(node, result.device().driver()).used++;
            }
        }
    }

    private void addDevices(ResourceSlice slice, Map<DeviceId, String> nodes) {
        var node = slice.nodes().nodeName();
        for (var device : slice.devices()) {
            var id = new DeviceId(slice.driver(), slice.pool().name(), device.name());
            if (device.consumes().isEmpty()
                    && !device.isShareable()
                    && nodes.putIfAbsent(id, node) == null) {
                use(node, slice.driver()).room++;
            }
        }
    }

    /// By name.
    SortedMap<String, Use> of(String node) {
        return byNode.getOrDefault(node, new TreeMap<>());
    }
}
