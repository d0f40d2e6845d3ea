package io.berth.engine.state;

import java.util.Arrays;

/// A set of positions in the node order, kept sorted.
final class Positions {
    private int[] positions = new int[16];
    private int size;

    int size() {
        return size;
    }

    int get(int index) {
        return positions[index];
    }

    void clear() {
        size = 0;
    }

    void set(int position, boolean member) {
        int at = Arrays.binarySearch(positions, 0, size, position);
        if (member && at < 0) {
            insert(-at - 1, position);
        } else if (!member && at >= 0) {
            size--;
            System.arraycopy(positions, at + 1, positions, at, size - at);
        }
    }

    private void insert(int at, int position) {
        if (size == positions.length) {
            positions = Arrays.copyOf(positions, 2 * size);
        }
        System.arraycopy(positions, at, positions, at + 1, size - at);
        positions[at] = position;
        size++;
    }
}
