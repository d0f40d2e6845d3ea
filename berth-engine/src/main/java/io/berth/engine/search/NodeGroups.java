package io.berth.engine.search;

import io.berth.api.column.SlotTrait;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/// The nodes of the list in groups: those of one group agree in all traits that are looked at, so
/// that whoever goes by these traits alone cannot tell them apart.
///
/// There are few groups or none: a few zones, or as many as there are different counts of pods on a
/// node. A group that has lost its last node is free to become another.
final class NodeGroups {
    static final int MOST = 32;

    /// There is no room for one more group.
    static final int NONE = -1;

    private final int[] order;
    private final SlotTrait[] traits;
    private final List<SlotTrait> known;

    /// The group of the node at a position of the list; empty where there is but one.
    private final byte[] groupAt;

    /// By group, the numbers that its nodes have.
    private final long[][] numbers;

    private final int[] sizes;
    private final long[] read;
    private int count;

    NodeGroups(int[] order, int nodes, List<SlotTrait> traits) {
        this.order = order;
        this.known = List.copyOf(traits);
        this.traits = traits.toArray(SlotTrait[]::new);
        this.groupAt = new byte[traits.isEmpty() ? 0 : nodes];
        this.numbers = new long[MOST][traits.size()];
        this.sizes = new int[MOST];
        this.read = new long[traits.size()];
        this.count = traits.isEmpty() ? 1 : 0;
        Arrays.fill(groupAt, (byte) NONE);
    }

    /// Whether nodes that differ in one of these traits are in different groups.
    boolean know(Collection<SlotTrait> wanted) {
        return known.containsAll(wanted);
    }

    /// One more than the highest group in use.
    int count() {
        return count;
    }

    int at(int position) {
        return traits.length == 0 ? 0 : groupAt[position];
    }

    /// Reads the traits of the node at a position anew and puts it where it belongs.
    ///
    /// @return its group, or [#NONE] where it is in none, and this of no more use
    int sort(int position) {
        if (traits.length == 0) {
            return 0;
        }
        int before = groupAt[position];
        int group = readNumbers(order[position]) ? groupOfRead(before) : NONE;
        if (group != before) {
            if (before != NONE) {
                sizes[before]--;
            }
            if (group != NONE) {
                sizes[group]++;
            }
            groupAt[position] = (byte) group;
        }
        return group;
    }

    /// False where a trait broke: whoever goes by it will break too, and be heard.
    private boolean readNumbers(int slot) {
        try {
            for (int i = 0; i < read.length; i++) {
                read[i] = traits[i].of(slot);
            }
            return true;
        } catch (Throwable broken) {
            return false;
        }
    }

    /// @param likely the group to look at first
    private int groupOfRead(int likely) {
        if (likely != NONE && Arrays.equals(numbers[likely], read)) {
            return likely;
        }
        int free = NONE;
        for (int group = 0; group < count; group++) {
            if (sizes[group] == 0) {
                free = group;
            } else if (Arrays.equals(numbers[group], read)) {
                return group;
            }
        }
        if (free == NONE && count < MOST) {
            free = count++;
        }
        if (free != NONE) {
            System.arraycopy(read, 0, numbers[free], 0, read.length);
        }
        return free;
    }
}
