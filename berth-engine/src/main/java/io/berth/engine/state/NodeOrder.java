package io.berth.engine.state;

import io.berth.api.column.NodeView;
import io.berth.api.handle.NodeList;
import io.berth.api.model.Node;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The order in which nodes are visited, and the lists that follow it.
///
/// The order is taken from the [NodeTree] at a [#refresh], and only where the set of node names
/// differs from that of the last refresh: as upstream, a node that merely changed its zone, or left
/// and came back in between, keeps its position until another node comes or goes (E-32.3).
public final class NodeOrder implements NodeList {
    private static final int NONE = -1;

    private final Slots slots;
    private final Predicate<String> claimsInUse;
    private final NodeTree tree;
    private int[] order;
    private int count;
    private int[] positionOf;
    // Nodes of the present order that went since, with their positions.
    private final Map<String, Integer> departed = new HashMap<>();
    private int newcomers;
    private int version;
    private final List<NodeView> all = new AllNodes();
    private final SomeNodes withAffinity = new SomeNodes();
    private final SomeNodes withRequiredAntiAffinity = new SomeNodes();

    /// What [#next] said last, where that was not the present order.
    private int[] nextOrder = new int[0];

    private long nextOrderVersion = -1;

    /// @param claimsInUse whether a pod on a known node uses a claim
    NodeOrder(Slots slots, Predicate<String> claimsInUse) {
        this.slots = slots;
        this.claimsInUse = claimsInUse;
        this.tree = new NodeTree(slots.capacity());
        this.order = new int[slots.capacity()];
        this.positionOf = new int[slots.capacity()];
        Arrays.fill(positionOf, NONE);
    }

    /// Slots in visiting order; the first [#count] elements count. Replaced when the columns grow.
    public int[] slots() {
        return order;
    }

    /// How many nodes are in the order.
    public int count() {
        return count;
    }

    /// Another one each time that nodes change places.
    int version() {
        return version;
    }

    /// Where a slot stands in the order, -1 where it does not.
    public int positionOf(int slot) {
        return slot < positionOf.length ? positionOf[slot] : NONE;
    }

    @Override
    public boolean isClaimInUse(String claimKey) {
        return claimsInUse.test(claimKey);
    }

    @Override
    public List<NodeView> all() {
        return all;
    }

    @Override
    public @Nullable NodeView byName(String name) {
        var place = slots.find(name);
        return place == null || place.isGhost() ? null : place;
    }

    @Override
    public List<NodeView> withAffinityPods() {
        return withAffinity;
    }

    @Override
    public List<NodeView> withRequiredAntiAffinityPods() {
        return withRequiredAntiAffinity;
    }

    /// The slots as the next [#refresh] would order them; nobody may write into them.
    int[] next() {
        if (isCurrent()) {
            return Arrays.copyOf(order, count);
        }
        if (nextOrderVersion != tree.version()) {
            nextOrder = new int[tree.count()];
            tree.writeOrder(nextOrder);
            nextOrderVersion = tree.version();
        }
        return nextOrder;
    }

    /// Another one whenever [#next] may say something else.
    long nextVersion() {
        return tree.version();
    }

    private boolean isCurrent() {
        return newcomers == 0 && departed.isEmpty();
    }

    /// True where the order changed.
    boolean refresh() {
        if (isCurrent()) {
            return false;
        }
        tree.writeOrder(order);
        count = tree.count();
        version++;
        departed.clear();
        newcomers = 0;
        Arrays.fill(positionOf, NONE);
        for (int position = 0; position < count; position++) {
            positionOf[order[position]] = position;
        }
        withAffinity.orderChanged();
        withRequiredAntiAffinity.orderChanged();
        return true;
    }

    void nodeAdded(SlotNode place) {
        tree.add(place.slot(), place.node());
        var position = departed.remove(place.name());
        if (position == null) {
            newcomers++;
        } else {
            order[position] = place.slot();
            positionOf[place.slot()] = position;
        }
        podsChanged(place);
    }

    void nodeUpdated(SlotNode place, Node before) {
        tree.update(place.slot(), before, place.node());
    }

    void nodeRemoved(SlotNode place) {
        tree.remove(place.slot());
        int position = positionOf[place.slot()];
        if (position == NONE) {
            newcomers--;
        } else {
            departed.put(place.name(), position);
            positionOf[place.slot()] = NONE;
        }
        withAffinity.set(place.slot(), false);
        withRequiredAntiAffinity.set(place.slot(), false);
    }

    /// Puts a node on the lists of those with affinity, or takes it off.
    void podsChanged(SlotNode place) {
        if (!place.isGhost()) {
            withAffinity.set(place.slot(), !place.podsWithAffinity().isEmpty());
            withRequiredAntiAffinity.set(
                    place.slot(), !place.podsWithRequiredAntiAffinity().isEmpty());
        }
    }

    int treeCount() {
        return tree.count();
    }

    void resize() {
        int before = positionOf.length;
        tree.resize(slots.capacity());
        order = Arrays.copyOf(order, slots.capacity());
        positionOf = Arrays.copyOf(positionOf, slots.capacity());
        Arrays.fill(positionOf, before, positionOf.length, NONE);
    }

    private final class AllNodes extends AbstractList<NodeView> implements RandomAccess {
        @Override
        public NodeView get(int index) {
            return slots.get(order[Objects.checkIndex(index, count)]);
        }

        @Override
        public int size() {
            return count;
        }
    }

    /// Some of the nodes, in the main order. Who belongs to them is kept; the list is made when it
    /// is read after a change.
    private final class SomeNodes extends AbstractList<NodeView> implements RandomAccess {
        private final BitSet members = new BitSet();
        private int[] list = new int[0];
        private int size;
        private boolean isCurrent = true;

        void set(int slot, boolean member) {
            if (members.get(slot) != member) {
                members.set(slot, member);
                isCurrent = false;
            }
        }

        void orderChanged() {
            isCurrent = false;
        }

        @Override
        public NodeView get(int index) {
            makeCurrent();
            return slots.get(list[Objects.checkIndex(index, size)]);
        }

        @Override
        public int size() {
            makeCurrent();
            return size;
        }

        private void makeCurrent() {
            if (isCurrent) {
                return;
            }
            isCurrent = true;
            size = 0;
            if (members.isEmpty()) {
                return;
            }
            list = list.length < count ? new int[order.length] : list;
            for (int position = 0; position < count; position++) {
                int slot = order[position];
                if (members.get(slot) && positionOf[slot] == position) {
                    list[size++] = slot;
                }
            }
        }
    }
}
