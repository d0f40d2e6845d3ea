package io.berth.engine.state;

import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Nodes by zone: zones in order of appearance, in each the nodes in order of arrival. A zone that
/// loses its last node loses its place too (E-29).
///
/// The nodes of a zone are a linked list through arrays indexed by slot, so a node comes and goes
/// in constant time however large its zone.
final class NodeTree {
    private static final String OLD_ZONE_LABEL = "failure-domain.beta.kubernetes.io/zone";
    private static final String OLD_REGION_LABEL = "failure-domain.beta.kubernetes.io/region";
    private static final int NONE = -1;

    private final Map<String, Zone> zones = new LinkedHashMap<>();
    private @Nullable Zone[] zoneOf;
    private int[] next;
    private int[] previous;
    private int count;
    private long version;

    private static final class Zone {
        final String key;
        int first = NONE;
        int last = NONE;

        Zone(String key) {
            this.key = key;
        }
    }

    NodeTree(int capacity) {
        zoneOf = new @Nullable Zone[capacity];
        next = new int[capacity];
        previous = new int[capacity];
    }

    int count() {
        return count;
    }

    /// Grows whenever a node comes to its place or leaves it.
    long version() {
        return version;
    }

    void add(int slot, Node node) {
        var zone = zones.computeIfAbsent(zoneKey(node), Zone::new);
        zoneOf[slot] = zone;
        next[slot] = NONE;
        previous[slot] = zone.last;
        if (zone.last == NONE) {
            zone.first = slot;
        } else {
            next[zone.last] = slot;
        }
        zone.last = slot;
        count++;
        version++;
    }

    void remove(int slot) {
        var zone = zoneOf[slot];
        if (zone == null) {
            return;
        }
        if (previous[slot] == NONE) {
            zone.first = next[slot];
        } else {
            next[previous[slot]] = next[slot];
        }
        if (next[slot] == NONE) {
            zone.last = previous[slot];
        } else {
            previous[next[slot]] = previous[slot];
        }
        zoneOf[slot] = null;
        count--;
        version++;
        if (zone.first == NONE) {
            zones.remove(zone.key);
        }
    }

    /// A node that changed its zone goes to the end of the new one.
    void update(int slot, Node before, Node after) {
        if (!before.labels().equals(after.labels()) && !zoneKey(before).equals(zoneKey(after))) {
            remove(slot);
            add(slot, after);
        }
    }

    /// Writes all slots in the scheduler's order: the first node of each zone, then the second of
    /// each that has one, and so on (E-30).
    void writeOrder(int[] order) {
        int[] heads = new int[zones.size()];
        int live = 0;
        for (var zone : zones.values()) {
            heads[live++] = zone.first;
        }
        int written = 0;
        while (live > 0) {
            int left = 0;
            for (int i = 0; i < live; i++) {
                int slot = heads[i];
                order[written++] = slot;
                if (next[slot] != NONE) {
                    heads[left++] = next[slot];
                }
            }
            live = left;
        }
    }

    void resize(int capacity) {
        zoneOf = Arrays.copyOf(zoneOf, capacity);
        next = Arrays.copyOf(next, capacity);
        previous = Arrays.copyOf(previous, capacity);
    }

    /// Region and zone as one word; the NUL keeps apart what contains a colon.
    static String zoneKey(Node node) {
        var zone = either(node.labels(), OLD_ZONE_LABEL, Node.ZONE_LABEL);
        var region = either(node.labels(), OLD_REGION_LABEL, Node.REGION_LABEL);
        return zone.isEmpty() && region.isEmpty() ? "" : region + ":\0:" + zone;
    }

    private static String either(Labels labels, String first, String second) {
        var value = labels.value(first);
        if (value == null) {
            value = labels.value(second);
        }
        return value == null ? "" : value;
    }
}
