package io.berth.engine.state;

import java.util.Arrays;

/// Which slots changed since a reader last looked.
///
/// Goal: whoever keeps results per slot recomputes exactly those that are out of date, each once,
/// without state of its own beyond one number.
///
/// Layout: a ring of the slots changed last, and for each slot and kind the version of its last
/// change. A reader at version v walks the entries after v and takes a slot where the entry is the
/// slot's last one. A reader so far behind that its entries are overwritten looks through all slots
/// instead, with the same result.
public final class Changes {
    /// The node object came, changed or went, or what it shows of images did.
    public static final int NODE = 1;

    /// A pod came to the slot or went.
    public static final int PODS = 2;

    /// A plugin says that what it reads about the slot from elsewhere changed.
    public static final int TOLD = 4;

    public static final int ANY = NODE | PODS | TOLD;

    private static final int SHORTEST_RING = 1024;

    private int[] ring;
    private long[] nodeVersions;
    private long[] podVersions;
    private long[] toldVersions;
    private long version;
    private long nodeCountVersion;
    private long allToldVersion;

    Changes(int capacity) {
        ring = new int[ringLength(capacity)];
        nodeVersions = new long[capacity];
        podVersions = new long[capacity];
        toldVersions = new long[capacity];
    }

    /// Grows with every change.
    public long version() {
        return version;
    }

    /// Grows whenever the number of nodes may have changed.
    public long nodeCountVersion() {
        return nodeCountVersion;
    }

    /// Grows whenever a plugin says that what it reads from elsewhere changed for all slots.
    public long allToldVersion() {
        return allToldVersion;
    }

    /// Whether a slot changed after a version, in one of the ways of the mask.
    public boolean changed(int slot, int mask, long since) {
        return lastChange(slot, mask) > since;
    }

    /// Writes the slots that changed after a version in one of the ways of the mask, each once,
    /// into an array.
    ///
    /// @return how many, or -1 where the array is too short, so that most slots changed anyway
    public int since(long known, int mask, int[] into) {
        return version - known <= ring.length
                ? sinceInRing(known, mask, into)
                : sinceInAll(known, mask, into);
    }

    private int sinceInRing(long known, int mask, int[] into) {
        int found = 0;
        for (long entry = known + 1; entry <= version; entry++) {
            int slot = ring[index(entry, ring)];
            if (lastChange(slot, mask) == entry) {
                if (found == into.length) {
                    return -1;
                }
                into[found++] = slot;
            }
        }
        return found;
    }

    private int sinceInAll(long known, int mask, int[] into) {
        int found = 0;
        for (int slot = 0; slot < nodeVersions.length; slot++) {
            if (lastChange(slot, mask) > known) {
                if (found == into.length) {
                    return -1;
                }
                into[found++] = slot;
            }
        }
        return found;
    }

    private long lastChange(int slot, int mask) {
        long node = (mask & NODE) == 0 ? 0 : nodeVersions[slot];
        long pods = (mask & PODS) == 0 ? 0 : podVersions[slot];
        long told = (mask & TOLD) == 0 ? 0 : toldVersions[slot];
        return Math.max(Math.max(node, pods), told);
    }

    void nodeChanged(int slot) {
        append(slot);
        nodeVersions[slot] = version;
    }

    void podsChanged(int slot) {
        append(slot);
        podVersions[slot] = version;
    }

    /// A plugin says so of one slot.
    public void told(int slot) {
        append(slot);
        toldVersions[slot] = version;
    }

    /// A plugin says so of all slots.
    public void allTold() {
        version++;
        ring[index(version, ring)] = 0;
        allToldVersion++;
    }

    void nodeCountChanged() {
        nodeCountVersion++;
    }

    void resize(int capacity) {
        nodeVersions = Arrays.copyOf(nodeVersions, capacity);
        podVersions = Arrays.copyOf(podVersions, capacity);
        toldVersions = Arrays.copyOf(toldVersions, capacity);
        var longer = new int[ringLength(capacity)];
        for (long entry = Math.max(1, version - ring.length + 1); entry <= version; entry++) {
            longer[index(entry, longer)] = ring[index(entry, ring)];
        }
        ring = longer;
    }

    private void append(int slot) {
        version++;
        ring[index(version, ring)] = slot;
    }

    private static int index(long entry, int[] ring) {
        return (int) entry & (ring.length - 1);
    }

    private static int ringLength(int capacity) {
        return Math.max(SHORTEST_RING, Integer.highestOneBit(Math.max(1, 2 * capacity - 1)));
    }
}
