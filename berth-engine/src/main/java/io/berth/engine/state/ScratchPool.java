package io.berth.engine.state;

import java.util.ArrayDeque;
import java.util.Deque;

/// The scratch slots that nobody uses at the moment.
final class ScratchPool {
    private final Slots slots;
    private final Columns columns;
    private final ImageTable images;
    private final Deque<Scratch> free = new ArrayDeque<>();
    private int active;

    ScratchPool(Slots slots, Columns columns, ImageTable images) {
        this.slots = slots;
        this.columns = columns;
        this.images = images;
        add(slots.capacity(), slots.limit());
    }

    boolean isExhausted() {
        return free.isEmpty();
    }

    boolean isInUse() {
        return active > 0;
    }

    Scratch acquire() {
        var scratch = free.removeFirst();
        active++;
        slots.scratch(scratch.slot(), (SlotNode) scratch.view());
        return scratch;
    }

    SlotNode source(int slot) {
        return slots.get(slot);
    }

    void release(Scratch scratch, SlotNode place) {
        if (slots.at(place.slot()) != place) {
            throw new IllegalStateException("scratch slot " + place.slot() + " released twice");
        }
        slots.scratch(place.slot(), null);
        place.clear();
        active--;
        free.addFirst(scratch);
    }

    /// The scratch region has moved, none of it in use.
    void moved() {
        free.clear();
        add(slots.capacity(), slots.limit());
    }

    /// Slots were added to the end of the region.
    void add(int from, int to) {
        for (int slot = from; slot < to; slot++) {
            free.addLast(new Scratch(new SlotNode(columns, images, slot, ""), this));
        }
    }
}
