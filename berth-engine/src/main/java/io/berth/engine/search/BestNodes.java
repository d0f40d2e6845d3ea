package io.berth.engine.search;

import java.util.Arrays;

/// The nodes that a shape does not refuse, in list order, with the best of any stretch at hand.
///
/// **Goal**: where a pod's kept scores alone decide, a search reads what the one slot that changed
/// since the last one has altered, and not every node of the cluster.
///
/// **Layout**: blocks of list positions are the leaves of a binary tree in arrays (entry i has the
/// children 2i and 2i + 1, the root is 1). Each entry knows of the positions below it how many are
/// feasible, the highest base among them, and how many of them share it. A change of one slot reads
/// its block and walks up to the root; a search reads a few paths down.
///
/// **Which of equals**: the same as [HostChoice#best(long[], int)] would choose from the list of
/// feasible nodes, so their *ranks* in that list are what counts. The list begins at the rotation's
/// start and goes on at the first position, so a rank in it is a rank by position, moved.
///
/// It reads the arrays of its shape and the order of the nodes; whoever replaces one of them or
/// changes the order makes a new one. Owned by the engine thread.
final class BestNodes {
    private static final int BLOCK = 32;

    private final int[] order;
    private final int count;
    private final short[] refusedBy;
    private final long[] base;
    private final int firstLeaf;
    private final int[] feasible;
    private final long[] best;
    private final int[] ties;

    /// The slot of the last hit.
    private int found;

    BestNodes(int[] order, int count, short[] refusedBy, long[] base) {
        this.order = order;
        this.count = count;
        this.refusedBy = refusedBy;
        this.base = base;
        int blocks = Math.max(1, (count + BLOCK - 1) / BLOCK);
        this.firstLeaf = blocks == 1 ? 1 : Integer.highestOneBit(blocks - 1) << 1;
        this.feasible = new int[2 * firstLeaf];
        this.best = new long[2 * firstLeaf];
        this.ties = new int[2 * firstLeaf];
        Arrays.fill(best, Long.MIN_VALUE);
        for (int block = 0; block < blocks; block++) {
            readBlock(block);
        }
        for (int entry = firstLeaf - 1; entry >= 1; entry--) {
            combine(entry);
        }
    }

    int feasibleCount() {
        return feasible[1];
    }

    /// How many nodes share the highest base.
    int tieCount() {
        return ties[1];
    }

    /// Hot: reads one position anew.
    void update(int position) {
        int block = position / BLOCK;
        readBlock(block);
        for (int entry = (firstLeaf + block) >> 1; entry >= 1; entry >>= 1) {
            combine(entry);
        }
    }

    private void readBlock(int block) {
        int size = 0;
        long highest = Long.MIN_VALUE;
        int sharing = 0;
        int end = Math.min((block + 1) * BLOCK, count);
        for (int position = block * BLOCK; position < end; position++) {
            int slot = order[position];
            if (refusedBy[slot] == 0) {
                size++;
                if (base[slot] > highest) {
                    highest = base[slot];
                    sharing = 0;
                }
                sharing += base[slot] == highest ? 1 : 0;
            }
        }
        feasible[firstLeaf + block] = size;
        best[firstLeaf + block] = highest;
        ties[firstLeaf + block] = sharing;
    }

    private void combine(int entry) {
        int left = 2 * entry;
        int right = left + 1;
        long highest = Math.max(best[left], best[right]);
        feasible[entry] = feasible[left] + feasible[right];
        best[entry] = highest;
        ties[entry] =
                (best[left] == highest ? ties[left] : 0)
                        + (best[right] == highest ? ties[right] : 0);
    }

    /// Hot: the slot of the winner where the list of nodes begins at a position. Some node must be
    /// feasible.
    int winner(int start) {
        int all = feasible[1];
        int before = rankOf(start);
        int winner = -1;
        // Level by level of the implicit tree over the feasible nodes, as in HostChoice.
        for (int first = 0, end = 1;
                first < Math.min(end, all);
                first = 2 * first + 1, end = 2 * end + 1) {
            int hit = firstBest(first, Math.min(end, all), before, all);
            if (hit >= 0) {
                winner = found;
                end = hit;
            }
        }
        return winner;
    }

    /// How many feasible nodes stand before a position.
    private int rankOf(int position) {
        int block = position / BLOCK;
        int rank = 0;
        for (int entry = firstLeaf + block; entry > 1; entry >>= 1) {
            rank += (entry & 1) == 1 ? feasible[entry - 1] : 0;
        }
        for (int at = block * BLOCK; at < position; at++) {
            rank += refusedBy[order[at]] == 0 ? 1 : 0;
        }
        return rank;
    }

    /// The first of the best among the ranks `from` to `to` of a list that begins with the feasible
    /// node after the first `before`; -1 where there is none.
    private int firstBest(int from, int to, int before, int all) {
        int ahead = all - before;
        if (from < ahead) {
            int hit = find(1, 0, before + from) - before;
            if (hit >= 0 && hit < Math.min(to, ahead)) {
                return hit;
            }
        }
        if (to > ahead) {
            int hit = find(1, 0, Math.max(from, ahead) - ahead);
            if (hit >= 0 && hit < to - ahead) {
                return hit + ahead;
            }
        }
        return -1;
    }

    /// The rank by position of the first of the best, from a rank on, below an entry; -1 where
    /// there is none.
    private int find(int entry, int before, int from) {
        if (best[entry] != best[1] || before + feasible[entry] <= from) {
            return -1;
        }
        if (entry >= firstLeaf) {
            return findInBlock(entry - firstLeaf, before, from);
        }
        int left = find(2 * entry, before, from);
        return left >= 0 ? left : find(2 * entry + 1, before + feasible[2 * entry], from);
    }

    private int findInBlock(int block, int before, int from) {
        int rank = before;
        int end = Math.min((block + 1) * BLOCK, count);
        for (int position = block * BLOCK; position < end; position++) {
            int slot = order[position];
            if (refusedBy[slot] == 0) {
                if (rank >= from && base[slot] == best[1]) {
                    found = slot;
                    return rank;
                }
                rank++;
            }
        }
        return -1;
    }
}
