package io.berth.plugins.topology;

import java.util.Arrays;

/// How many of something are in each slot (or domain), for few slots out of many.
///
/// An open-addressing hash table from int to int with linear probing. An entry whose count has
/// fallen to zero stays until the table is rebuilt, so that nothing has to be moved on removal.
public final class SlotCounts {
    /// Takes one slot and its count.
    @FunctionalInterface
    public interface Visitor {
        void visit(int slot, int count);
    }

    private static final int FREE = -1;

    private int[] slots = {};
    private int[] counts = {};
    private int entries;
    private long total;

    public int get(int slot) {
        if (entries == 0) {
            return 0;
        }
        int i = find(slot);
        return slots[i] == slot ? counts[i] : 0;
    }

    public void add(int slot, int change) {
        total += change;
        if (4 * (entries + 1) > 3 * slots.length) {
            rebuild();
        }
        int i = find(slot);
        if (slots[i] == FREE) {
            slots[i] = slot;
            entries++;
        }
        counts[i] += change;
    }

    /// The sum of all counts.
    public long total() {
        return total;
    }

    /// Visits the slots whose count is not zero, in no meaningful order.
    public void forEach(Visitor visitor) {
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] != FREE && counts[i] != 0) {
                visitor.visit(slots[i], counts[i]);
            }
        }
    }

    public SlotCounts copy() {
        var copy = new SlotCounts();
        copy.slots = slots.clone();
        copy.counts = counts.clone();
        copy.entries = entries;
        copy.total = total;
        return copy;
    }

    /// The place of a slot, or the free place where it belongs.
    private int find(int slot) {
        int mask = slots.length - 1;
        int i = slot * 0x9E3779B9 >>> 7 & mask;
        while (slots[i] != slot && slots[i] != FREE) {
            i = i + 1 & mask;
        }
        return i;
    }

    private void rebuild() {
        int[] oldSlots = slots;
        int[] oldCounts = counts;
        int live = 0;
        for (int i = 0; i < oldSlots.length; i++) {
            if (oldSlots[i] != FREE && oldCounts[i] != 0) {
                live++;
            }
        }
        int size = Math.max(4, Integer.highestOneBit(2 * live + 1) * 2);
        slots = new int[size];
        counts = new int[size];
        Arrays.fill(slots, FREE);
        entries = live;
        for (int i = 0; i < oldSlots.length; i++) {
            if (oldSlots[i] != FREE && oldCounts[i] != 0) {
                int place = find(oldSlots[i]);
                slots[place] = oldSlots[i];
                counts[place] = oldCounts[i];
            }
        }
    }
}
