package io.berth.plugins.topology;

import io.berth.api.column.NodeColumns;
import io.berth.api.model.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which domain each slot belongs to, for one division of the nodes. Domains are numbered as the
/// values of the label are in its column; 0 stands for nodes without the label.
///
/// Nodes that change are only marked. The next reader brings this and the counts that hang on it up
/// to date, when the columns know the new values too.
public final class SlotDomains {
    private static final int LEFT_OUT = -1;

    private final Domains division;
    private final List<DomainCounts> counts = new ArrayList<>();
    private final BitSet changed = new BitSet();
    private int[] domainBySlot = {};
    private int[] nodesByDomain = {};
    private int domainCount;

    SlotDomains(Domains division) {
        this.division = division;
    }

    Domains division() {
        return division;
    }

    /// How many domains have nodes.
    public int domainCount() {
        return domainCount;
    }

    /// Whether a node of the domain is included.
    public boolean exists(int domain) {
        return domain < nodesByDomain.length && nodesByDomain[domain] > 0;
    }

    /// One more than the largest domain that exists.
    public int limit() {
        return nodesByDomain.length;
    }

    int domainOf(int slot) {
        return slot < domainBySlot.length ? domainBySlot[slot] : LEFT_OUT;
    }

    boolean isUsed() {
        return !counts.isEmpty();
    }

    void attach(DomainCounts view) {
        counts.add(view);
    }

    void detach(DomainCounts view) {
        counts.remove(view);
    }

    void markChanged(int slot) {
        changed.set(slot);
    }

    /// @param nodes by slot
    void refresh(@Nullable Node[] nodes, NodeColumns columns) {
        if (changed.isEmpty()) {
            return;
        }
        var column = columns.label(division.topologyKey());
        for (int slot = changed.nextSetBit(0); slot >= 0; slot = changed.nextSetBit(slot + 1)) {
            var node = slot < nodes.length ? nodes[slot] : null;
            if (node == null || !division.includes(node)) {
                move(slot, LEFT_OUT);
            } else {
                var value = node.labels().value(division.topologyKey());
                move(slot, value == null ? 0 : column.idOf(value));
            }
        }
        changed.clear();
    }

    private void move(int slot, int domain) {
        int before = domainOf(slot);
        if (before == domain) {
            return;
        }
        reserve(slot, domain);
        domainBySlot[slot] = domain;
        if (before != LEFT_OUT && --nodesByDomain[before] == 0) {
            domainCount--;
        }
        if (domain != LEFT_OUT && nodesByDomain[domain]++ == 0) {
            domainCount++;
        }
        for (int i = 0; i < counts.size(); i++) {
            counts.get(i).moved(slot, before, domain);
        }
    }

    /// Makes room in all arrays before anything is changed in one of them.
    private void reserve(int slot, int domain) {
        if (slot >= domainBySlot.length) {
            int known = domainBySlot.length;
            var longer = Arrays.copyOf(domainBySlot, Math.max(slot + 1, 2 * known));
            Arrays.fill(longer, known, longer.length, LEFT_OUT);
            domainBySlot = longer;
        }
        if (domain >= nodesByDomain.length) {
            nodesByDomain = Arrays.copyOf(nodesByDomain, Math.max(domain + 1, 2 * domain));
        }
        for (int i = 0; i < counts.size(); i++) {
            counts.get(i).reserve(domain + 1);
        }
    }
}
