package io.berth.plugins.nodevolumelimits;

import java.util.Arrays;
import java.util.Map;
import java.util.function.IntConsumer;

/// A few slots, each with how often something is there. Mostly it is one.
final class SlotCounts {
    private int[] slots = new int[1];
    private int[] counts = new int[1];
    private int size;

    /// Changes how often something is in a slot; what is nowhere is left out of the map.
    static <K> void change(Map<K, SlotCounts> map, K key, int slot, int change) {
        var counts = map.computeIfAbsent(key, any -> new SlotCounts());
        counts.add(slot, change);
        if (counts.size == 0) {
            map.remove(key);
        }
    }

    private void add(int slot, int change) {
        int at = indexOf(slot);
        if (at < 0) {
            at = size++;
            if (at == slots.length) {
                slots = Arrays.copyOf(slots, 2 * size);
                counts = Arrays.copyOf(counts, 2 * size);
            }
            slots[at] = slot;
            counts[at] = 0;
        }
        counts[at] += change;
        if (counts[at] <= 0) {
            size--;
            slots[at] = slots[size];
            counts[at] = counts[size];
        }
    }

    private int indexOf(int slot) {
        for (int i = 0; i < size; i++) {
            if (slots[i] == slot) {
                return i;
            }
        }
        return -1;
    }

    boolean has(int slot) {
        return indexOf(slot) >= 0;
    }

    void forEach(IntConsumer consumer) {
        for (int i = 0; i < size; i++) {
            consumer.accept(slots[i]);
        }
    }
}
