package io.berth.engine.search;

import io.berth.api.column.SlotTrait;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The nodes that a shape does not refuse, in list order, with the best of any stretch at hand.
///
/// **Goal**: a search reads what the one slot that changed since the last one has altered, and not
/// every node of the cluster.
///
/// **Layout**: nodes are in [NodeGroups], whose nodes differ in nothing but their kept verdicts and
/// scores; a pod about which other pods have nothing to say knows one group. Blocks of list
/// positions are the leaves of a binary tree per group, in arrays (entry i has the children 2i and
/// 2i + 1, the root is 1). Each entry knows of the positions below it how many hold a feasible node
/// of its group, the highest base among these, and how many of them share it. A change of one slot
/// reads its block and walks up to the root, in two trees where it changed its group.
///
/// **One attempt**: the filters that are not kept say of a [#sample] of each group whether it may
/// be chosen from ([#open]); the scores that are not kept say what each open group has on top of
/// the base ([#winner]). A search reads a few paths down the trees of the open groups.
///
/// **Which of equals**: the same as [HostChoice#best(long[], int)] would choose from the list of
/// feasible nodes, so their *ranks* in that list are what counts. The list begins at the rotation's
/// start and goes on at the first position, so a rank in it is a rank by position, moved. A rank
/// counts the nodes of all open groups, so counts of several trees are added up.
///
/// It reads the arrays of its shape and the order of the nodes; whoever replaces one of them or
/// changes the order makes a new one. Owned by the engine thread.
final class BestNodes {
    private static final int BLOCK = 32;

    private final int[] order;
    private final int count;
    private final short[] refusedBy;
    private final long[] base;
    private final NodeGroups groups;
    private final int firstLeaf;

    /// By group.
    private final Tree[] trees = new Tree[NodeGroups.MOST];

    private int treeCount;

    // The attempt under way: the groups to choose from, and the base that wins in each of them.
    private final boolean[] isOpen = new boolean[NodeGroups.MOST];
    private final int[] open = new int[NodeGroups.MOST];
    private final long[] winning = new long[NodeGroups.MOST];
    private int openCount;
    private int feasibleCount;
    private long highest;
    private int tieCount;

    /// The slot of the last hit.
    private int found;

    private BestNodes(int[] order, int count, short[] refusedBy, long[] base, NodeGroups groups) {
        this.order = order;
        this.count = count;
        this.refusedBy = refusedBy;
        this.base = base;
        this.groups = groups;
        int blocks = Math.max(1, (count + BLOCK - 1) / BLOCK);
        this.firstLeaf = blocks == 1 ? 1 : Integer.highestOneBit(blocks - 1) << 1;
        growTrees();
        for (int group = 0; group < treeCount; group++) {
            for (int block = 0; block < blocks; block++) {
                readBlock(group, block);
            }
            for (int entry = firstLeaf - 1; entry >= 1; entry--) {
                trees[group].combine(entry);
            }
        }
    }

    /// Null where the traits tell too many nodes apart.
    static @Nullable BestNodes of(
            int[] order, int count, short[] refusedBy, long[] base, List<SlotTrait> traits) {
        var groups = new NodeGroups(order, count, traits);
        for (int position = 0; position < count; position++) {
            if (groups.sort(position) == NodeGroups.NONE) {
                return null;
            }
        }
        return new BestNodes(order, count, refusedBy, base, groups);
    }

    /// Whether nodes of one group agree in all of these traits.
    boolean know(Collection<SlotTrait> traits) {
        return groups.know(traits);
    }

    int groupCount() {
        return treeCount;
    }

    /// How many nodes of a group are feasible as far as the shape can say.
    int feasibleIn(int group) {
        return trees[group].feasible[1];
    }

    /// The slot of a feasible node that stands for its group, which must have one.
    int sample(int group) {
        int[] feasible = trees[group].feasible;
        int entry = 1;
        while (entry < firstLeaf) {
            entry = feasible[2 * entry] > 0 ? 2 * entry : 2 * entry + 1;
        }
        for (int position = (entry - firstLeaf) * BLOCK; ; position++) {
            if (refusedBy[order[position]] == 0 && groups.at(position) == group) {
                return order[position];
            }
        }
    }

    /// Begins an attempt, in which no group may be chosen from yet.
    void closeAll() {
        Arrays.fill(isOpen, 0, treeCount, false);
        openCount = 0;
        feasibleCount = 0;
    }

    /// Lets nodes be chosen from a group that has feasible ones.
    void open(int group) {
        isOpen[group] = true;
        open[openCount++] = group;
        feasibleCount += feasibleIn(group);
    }

    int openCount() {
        return openCount;
    }

    /// The i-th open group.
    int openGroup(int i) {
        return open[i];
    }

    /// How many nodes can be chosen.
    int feasibleCount() {
        return feasibleCount;
    }

    /// The total of the last [#winner].
    long highest() {
        return highest;
    }

    /// How many nodes share it.
    int tieCount() {
        return tieCount;
    }

    /// Hot: reads one position anew.
    ///
    /// @return false where that makes one group too many: then this is of no more use
    boolean update(int position) {
        int before = groups.at(position);
        int group = groups.sort(position);
        if (group == NodeGroups.NONE) {
            return false;
        }
        growTrees();
        readPath(group, position / BLOCK);
        if (group != before) {
            readPath(before, position / BLOCK);
        }
        return true;
    }

    private void growTrees() {
        while (treeCount < groups.count()) {
            trees[treeCount++] = new Tree(2 * firstLeaf);
        }
    }

    private void readPath(int group, int block) {
        readBlock(group, block);
        for (int entry = (firstLeaf + block) >> 1; entry >= 1; entry >>= 1) {
            trees[group].combine(entry);
        }
    }

    private void readBlock(int group, int block) {
        int size = 0;
        long most = Long.MIN_VALUE;
        int sharing = 0;
        int end = Math.min((block + 1) * BLOCK, count);
        for (int position = block * BLOCK; position < end; position++) {
            int slot = order[position];
            if (refusedBy[slot] == 0 && groups.at(position) == group) {
                size++;
                if (base[slot] > most) {
                    most = base[slot];
                    sharing = 0;
                }
                sharing += base[slot] == most ? 1 : 0;
            }
        }
        trees[group].set(firstLeaf + block, size, most, sharing);
    }

    /// Hot: the slot of the winner where the list of nodes begins at a position. Some node must be
    /// feasible in an open group.
    ///
    /// @param extra what the nodes of the i-th open group have on top of their base
    int winner(int start, long[] extra) {
        highest = Long.MIN_VALUE;
        for (int i = 0; i < openCount; i++) {
            highest = Math.max(highest, trees[open[i]].best[1] + extra[i]);
        }
        tieCount = 0;
        for (int i = 0; i < openCount; i++) {
            winning[open[i]] = highest - extra[i];
            tieCount += hasBest(open[i], 1) ? trees[open[i]].ties[1] : 0;
        }
        int all = feasibleCount;
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

    /// Whether one of the best is below an entry of a group's tree.
    private boolean hasBest(int group, int entry) {
        return trees[group].best[entry] == winning[group];
    }

    private boolean hasBest(int entry) {
        for (int i = 0; i < openCount; i++) {
            if (hasBest(open[i], entry)) {
                return true;
            }
        }
        return false;
    }

    /// How many feasible nodes are below an entry, over all open groups.
    private int feasibleBelow(int entry) {
        int sum = 0;
        for (int i = 0; i < openCount; i++) {
            sum += trees[open[i]].feasible[entry];
        }
        return sum;
    }

    private boolean isFeasible(int position) {
        return refusedBy[order[position]] == 0 && isOpen[groups.at(position)];
    }

    /// How many feasible nodes stand before a position.
    private int rankOf(int position) {
        int block = position / BLOCK;
        int rank = 0;
        for (int entry = firstLeaf + block; entry > 1; entry >>= 1) {
            rank += (entry & 1) == 1 ? feasibleBelow(entry - 1) : 0;
        }
        for (int at = block * BLOCK; at < position; at++) {
            rank += isFeasible(at) ? 1 : 0;
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
        if (!hasBest(entry) || before + feasibleBelow(entry) <= from) {
            return -1;
        }
        if (entry >= firstLeaf) {
            return findInBlock(entry - firstLeaf, before, from);
        }
        int left = find(2 * entry, before, from);
        return left >= 0 ? left : find(2 * entry + 1, before + feasibleBelow(2 * entry), from);
    }

    private int findInBlock(int block, int before, int from) {
        int rank = before;
        int end = Math.min((block + 1) * BLOCK, count);
        for (int position = block * BLOCK; position < end; position++) {
            if (isFeasible(position)) {
                int slot = order[position];
                if (rank >= from && base[slot] == winning[groups.at(position)]) {
                    found = slot;
                    return rank;
                }
                rank++;
            }
        }
        return -1;
    }

    /// What is known of the stretches of the list, for one group.
    private static final class Tree {
        final int[] feasible;
        final long[] best;
        final int[] ties;

        Tree(int entries) {
            feasible = new int[entries];
            best = new long[entries];
            ties = new int[entries];
            Arrays.fill(best, Long.MIN_VALUE);
        }

        void set(int entry, int size, long highest, int sharing) {
            feasible[entry] = size;
            best[entry] = highest;
            ties[entry] = sharing;
        }

        void combine(int entry) {
            int left = 2 * entry;
            int right = left + 1;
            long highest = Math.max(best[left], best[right]);
            set(
                    entry,
                    feasible[left] + feasible[right],
                    highest,
                    (best[left] == highest ? ties[left] : 0)
                            + (best[right] == highest ? ties[right] : 0));
        }
    }
}
