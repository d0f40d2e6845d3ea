package io.berth.engine.state;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Who is in which slot.
///
/// Layout: `[0, capacity)` holds nodes and ghosts, `[capacity, limit)` is scratch. A slot is free
/// again when its node is gone and its last pod too; the one freed last is given first.
final class Slots {
    private final Map<String, SlotNode> byName = new HashMap<>();
    private @Nullable SlotNode[] places;
    private int capacity;
    private int used;
    private int[] free = new int[16];
    private int freeCount;
    private int nodeCount;

    Slots(int capacity, int scratchCount) {
        this.capacity = capacity;
        this.places = new @Nullable SlotNode[capacity + scratchCount];
    }

    int capacity() {
        return capacity;
    }

    int limit() {
        return places.length;
    }

    /// One more than the highest slot that was ever given to a node.
    int used() {
        return used;
    }

    /// How many real nodes there are.
    int nodeCount() {
        return nodeCount;
    }

    void nodeCount(int value) {
        nodeCount = value;
    }

    /// How many nodes there are, ghosts included.
    int size() {
        return byName.size();
    }

    @Nullable SlotNode at(int slot) {
        return places[slot];
    }

    SlotNode get(int slot) {
        var place = places[slot];
        if (place == null) {
            throw new IllegalStateException("slot " + slot + " holds no node");
        }
        return place;
    }

    @Nullable SlotNode find(String name) {
        return byName.get(name);
    }

    boolean isFull() {
        return freeCount == 0 && used == capacity;
    }

    /// The slot that [#take] will put the next node in.
    int next() {
        return freeCount > 0 ? free[freeCount - 1] : used;
    }

    void take(SlotNode place) {
        if (freeCount > 0) {
            freeCount--;
        } else {
            used++;
        }
        places[place.slot()] = place;
        byName.put(place.name(), place);
    }

    void release(SlotNode place) {
        byName.remove(place.name());
        places[place.slot()] = null;
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, 2 * freeCount);
        }
        free[freeCount++] = place.slot();
    }

    void scratch(int slot, @Nullable SlotNode place) {
        places[slot] = place;
    }

    void resize(int newCapacity, int keep, int limit) {
        var grown = new @Nullable SlotNode[limit];
        System.arraycopy(places, 0, grown, 0, keep);
        places = grown;
        capacity = newCapacity;
    }
}
