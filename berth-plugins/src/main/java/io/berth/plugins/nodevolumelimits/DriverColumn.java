package io.berth.plugins.nodevolumelimits;

import java.util.Arrays;

/// One driver on all nodes: how many of its volumes are there, and how many may be.
final class DriverColumn {
    private static final int UNLIMITED = Integer.MAX_VALUE;

    private final String name;
    private int[] counts = {};
    private int[] limits = {};

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
        counts[slot] += change;
    }

    void limit(int slot, int limit) {
        grow(slot + 1);
        limits[slot] = limit;
    }

    void clear(int slot) {
        if (slot < counts.length) {
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
}
