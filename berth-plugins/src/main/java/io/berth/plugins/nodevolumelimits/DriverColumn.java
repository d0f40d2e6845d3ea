package io.berth.plugins.nodevolumelimits;

import io.berth.api.column.SlotTrait;
import java.util.Arrays;

/// One driver on all nodes: how many of its volumes are there, and how many may be.
final class DriverColumn {
    private static final int UNLIMITED = Integer.MAX_VALUE;

    /// Up to so many places, it is known how many nodes have fewer.
    private static final int COUNTED = 8;

    private final String name;
    private int[] counts = {};
    private int[] limits = {};

    /// How many nodes have so many places left, none included.
    private final int[] nodesByPlaces = new int[COUNTED];

    DriverColumn(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    void grow(int limit) {
        int old = counts.length;
        if (old < limit) {
            counts = Arrays.copyOf(counts, limit);
            limits = Arrays.copyOf(limits, limit);
            Arrays.fill(limits, old, limit, UNLIMITED);
        }
    }

    void add(int slot, int change) {
        grow(slot + 1);
        note(slot, -1);
        counts[slot] += change;
        note(slot, 1);
    }

    void limit(int slot, int limit) {
        grow(slot + 1);
        note(slot, -1);
        limits[slot] = limit;
        note(slot, 1);
    }

    private void note(int slot, int change) {
        int limit = limits[slot];
        if (limit != UNLIMITED && limit - counts[slot] < COUNTED) {
            nodesByPlaces[Math.max(0, limit - counts[slot])] += change;
        }
    }

    /// Whether all nodes have places for so many more; false also where that is not known.
    boolean hasRoomEverywhere(int more) {
        if (more > COUNTED) {
            return false;
        }
        for (int places = 0; places < more; places++) {
            if (nodesByPlaces[places] > 0) {
                return false;
            }
        }
        return true;
    }

    void clear(int slot) {
        if (slot < counts.length) {
            note(slot, -1);
            counts[slot] = 0;
            limits[slot] = UNLIMITED;
        }
    }

    int count(int slot) {
        return counts[slot];
    }

    /// Hot: whether there are places for so many more.
    boolean hasRoom(int slot, int more) {
        return counts[slot] + (long) more <= limits[slot];
    }

    /// Tells nodes that have places for so many more from others.
    SlotTrait room(int more) {
        return new Room(this, more);
    }

    private record Room(DriverColumn column, int more) implements SlotTrait {
        @Override
        public long of(int slot) {
            return slot >= column.counts.length || column.hasRoom(slot, more) ? 1 : 0;
        }
    }
}
