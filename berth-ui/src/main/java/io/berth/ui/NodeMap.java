package io.berth.ui;

import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Taint;
import io.berth.engine.port.ClusterImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All nodes as columns, a byte or two for each: enough to draw a hundred thousand of them.
///
/// A node keeps its slot for as long as no node comes or goes; then all slots are dealt anew, which
/// is a new generation. Immutable: nobody changes the arrays once it is made.
final class NodeMap {
    /// Cannot take pods: cordoned.
    static final int CORDONED = 1;

    /// Has a taint that keeps pods away.
    static final int TAINTED = 2;

    /// Does not report to be ready.
    static final int NOT_READY = 4;

    private static final int UNKNOWN = 255;
    private static final List<String> POOL_LABELS =
            List.of(
                    "karpenter.sh/nodepool",
                    "eks.amazonaws.com/nodegroup",
                    "cloud.google.com/gke-nodepool",
                    "kubernetes.azure.com/agentpool",
                    "agentpool",
                    "pool",
                    "node.kubernetes.io/instance-type");

    final long generation;

    /// Of the last look at which anything was different.
    final long version;

    final String[] names;
    final List<String> zones;
    final List<String> pools;
    final short[] zone;
    final short[] pool;
    final byte[] cpu;
    final byte[] memory;
    final byte[] pods;
    final byte[] devices;
    final byte[] state;

    /// For each slot, the version at which it last was different.
    final long[] changed;

    private final Map<String, Integer> slots;

    private NodeMap(
            long generation,
            long version,
            String[] names,
            Map<String, Integer> slots,
            Dealt dealt,
            Columns columns,
            long[] changed) {
        this.generation = generation;
        this.version = version;
        this.names = names;
        this.slots = slots;
        this.zones = dealt.zones;
        this.pools = dealt.pools;
        this.zone = dealt.zone;
        this.pool = dealt.pool;
        this.cpu = columns.cpu;
        this.memory = columns.memory;
        this.pods = columns.pods;
        this.devices = columns.devices;
        this.state = columns.state;
        this.changed = changed;
    }

    private record Dealt(List<String> zones, List<String> pools, short[] zone, short[] pool) {}

    private record Columns(byte[] cpu, byte[] memory, byte[] pods, byte[] devices, byte[] state) {
        static Columns of(int count) {
            return new Columns(
                    new byte[count],
                    new byte[count],
                    new byte[count],
                    new byte[count],
                    new byte[count]);
        }

        boolean isEqualAt(int slot, Columns other) {
            return cpu[slot] == other.cpu[slot]
                    && memory[slot] == other.memory[slot]
                    && pods[slot] == other.pods[slot]
                    && devices[slot] == other.devices[slot]
                    && state[slot] == other.state[slot];
        }
    }

    static NodeMap empty() {
        return new NodeMap(
                0,
                0,
                new String[0],
                Map.of(),
                new Dealt(List.of(), List.of(), new short[0], new short[0]),
                Columns.of(0),
                new long[0]);
    }

    /// The map after another look.
    ///
    /// @return this one where nothing is different
    NodeMap next(ClusterImage image) {
        var nodes = image.nodes();
        boolean isSame = nodes.size() == names.length;
        for (int i = 0; isSame && i < nodes.size(); i++) {
            var node = nodes.get(i);
            var slot = slots.get(node.name());
            isSame = slot != null && isAtHome(node, slot);
        }
        return isSame ? changed(image) : dealtAnew(image);
    }

    private boolean isAtHome(Node node, int slot) {
        return zones.get(zone[slot]).equals(zone(node)) && pools.get(pool[slot]).equals(pool(node));
    }

    private NodeMap changed(ClusterImage image) {
        var columns = columns(image, slots, names.length);
        var old = new Columns(cpu, memory, pods, devices, state);
        var when = changed.clone();
        boolean isOther = false;
        for (int slot = 0; slot < names.length; slot++) {
            if (!columns.isEqualAt(slot, old)) {
                when[slot] = version + 1;
                isOther = true;
            }
        }
        return isOther
                ? new NodeMap(
                        generation,
                        version + 1,
                        names,
                        slots,
                        new Dealt(zones, pools, zone, pool),
                        columns,
                        when)
                : this;
    }

    private NodeMap dealtAnew(ClusterImage image) {
        var sorted = image.nodes().stream().map(Node::name).toArray(String[]::new);
        Arrays.sort(sorted, NaturalOrder::compare);
        var places = new HashMap<String, Integer>();
        for (int slot = 0; slot < sorted.length; slot++) {
            places.put(sorted[slot], slot);
        }
        var zoneNumbers = new LinkedHashMap<String, Integer>();
        var poolNumbers = new LinkedHashMap<String, Integer>();
        var byZone = new short[sorted.length];
        var byPool = new short[sorted.length];
        for (var node : image.nodes()) {
            int slot = places.getOrDefault(node.name(), 0);
            byZone[slot] = number(zoneNumbers, zone(node));
            byPool[slot] = number(poolNumbers, pool(node));
        }
        var when = new long[sorted.length];
        Arrays.fill(when, version + 1);
        return new NodeMap(
                generation + 1,
                version + 1,
                sorted,
                places,
                new Dealt(
                        new ArrayList<>(zoneNumbers.keySet()),
                        new ArrayList<>(poolNumbers.keySet()),
                        byZone,
                        byPool),
                columns(image, places, sorted.length),
                when);
    }

    private static short number(Map<String, Integer> numbers, String word) {
        return numbers.computeIfAbsent(word, _ -> Math.min(numbers.size(), Short.MAX_VALUE))
                .shortValue();
    }

    private static Columns columns(ClusterImage image, Map<String, Integer> slots, int count) {
        var usedCpu = new long[count];
        var usedMemory = new long[count];
        var usedPods = new int[count];
        for (Pod pod : image.pods()) {
            var slot = pod.isAssigned() && !pod.isTerminal() ? slots.get(pod.nodeName()) : null;
            if (slot != null) {
                var wanted = pod.requests().exact();
                usedCpu[slot] += wanted.cpuMillis();
                usedMemory[slot] += wanted.memoryBytes();
                usedPods[slot]++;
            }
        }
        var columns = Columns.of(count);
        var devices = NodeDevices.of(image);
        for (var node : image.nodes()) {
            var found = slots.get(node.name());
            if (found != null) {
                int slot = found;
                var room = node.allocatable();
                columns.cpu[slot] = percent(usedCpu[slot], room.cpuMillis());
                columns.memory[slot] = percent(usedMemory[slot], room.memoryBytes());
                columns.pods[slot] = percent(usedPods[slot], room.pods());
                columns.devices[slot] = fullest(devices.of(node.name()).values());
                columns.state[slot] = state(node);
            }
        }
        return columns;
    }

    private static byte percent(long used, long room) {
        return (byte) (room <= 0 ? UNKNOWN : Math.min(200, Math.round(100.0 * used / room)));
    }

    /// Of several sorts the one that is nearest to its end.
    private static byte fullest(Collection<NodeDevices.Use> uses) {
        byte fullest = (byte) UNKNOWN;
        for (var use : uses) {
            byte percent = percent(use.used(), use.room());
            boolean isFuller = (percent & 0xff) > (fullest & 0xff);
            fullest = fullest == (byte) UNKNOWN || isFuller ? percent : fullest;
        }
        return fullest;
    }

    private static byte state(Node node) {
        boolean isTainted = node.taints().stream().anyMatch(Taint::keepsPodsAway);
        var ready = node.conditions().get("Ready");
        return (byte)
                ((node.unschedulable() ? CORDONED : 0)
                        | (isTainted ? TAINTED : 0)
                        | (ready != null && !ready.equals("True") ? NOT_READY : 0));
    }

    static String zone(Node node) {
        var zone = node.labels().value(Node.ZONE_LABEL);
        return zone == null ? "" : zone;
    }

    static String pool(Node node) {
        for (var label : POOL_LABELS) {
            var pool = node.labels().value(label);
            if (pool != null) {
                return pool;
            }
        }
        return "";
    }

    int size() {
        return names.length;
    }

    @Nullable Integer slot(String name) {
        return slots.get(name);
    }
}
