package io.berth.engine.state;

import io.berth.api.model.Node;
import io.berth.api.plugin.NodeList;
import io.berth.api.plugin.NodeView;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/// The order in which nodes are visited, and the lists that follow it.
///
/// The order is taken from the [NodeTree] at a [#refresh], and only where the set of node names
/// differs from that of the last refresh: as upstream, a node that merely changed its zone, or left
/// and came back in between, keeps its position until another node comes or goes (E-32.3).
public final class NodeOrder implements NodeList {
    private static final int NONE = -1;

    private final Slots slots;
    private final NodeTree tree;
    private int[] order;
    private int count;
    private int[] positionOf;
    // Nodes of the present order that went since, with their positions.
    private final Map<String, Integer> departed = new HashMap<>();
    private int newcomers;
    private final Positions affinity = new Positions();
    private final Positions requiredAntiAffinity = new Positions();
    private final List<NodeView> all = new AllNodes();
    private final List<NodeView> withAffinity = new SomeNodes(affinity);
    private final List<NodeView> withRequiredAntiAffinity = new SomeNodes(requiredAntiAffinity);

    NodeOrder(Slots slots) {
        this.slots = slots;
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

    /// Where a slot stands in the order, -1 where it does not.
    public int positionOf(int slot) {
        return slot < positionOf.length ? positionOf[slot] : NONE;
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

    /// True where the order changed.
    boolean refresh() {
        if (newcomers == 0 && departed.isEmpty()) {
            return false;
        }
        tree.writeOrder(order);
        count = tree.count();
        departed.clear();
        newcomers = 0;
        Arrays.fill(positionOf, NONE);
        affinity.clear();
        requiredAntiAffinity.clear();
        for (int position = 0; position < count; position++) {
            positionOf[order[position]] = position;
            podsChanged(slots.get(order[position]));
        }
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
            podsChanged(place);
        }
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
            affinity.set(position, false);
            requiredAntiAffinity.set(position, false);
        }
    }

    /// Puts the node on the lists of those with affinity, or takes it off.
    void podsChanged(SlotNode place) {
        int position = positionOf[place.slot()];
        if (position != NONE) {
            affinity.set(position, !place.podsWithAffinity().isEmpty());
            requiredAntiAffinity.set(position, !place.podsWithRequiredAntiAffinity().isEmpty());
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

    private final class SomeNodes extends AbstractList<NodeView> implements RandomAccess {
        private final Positions positions;

        SomeNodes(Positions positions) {
            this.positions = positions;
        }

        @Override
        public NodeView get(int index) {
            return slots.get(order[positions.get(Objects.checkIndex(index, positions.size()))]);
        }

        @Override
        public int size() {
            return positions.size();
        }
    }
}
