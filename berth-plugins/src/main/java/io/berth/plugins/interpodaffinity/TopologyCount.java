package io.berth.plugins.interpodaffinity;

import io.berth.api.column.LabelColumn;
import io.berth.api.model.Node;
import io.berth.plugins.topology.DomainCounts;
import io.berth.plugins.topology.SlotCounts;
import org.jspecify.annotations.Nullable;

/// Pods per domain of one topology key during one attempt: kept counts, and what a dry run changes
/// in thought.
final class TopologyCount {
    private final String topologyKey;
    private final LabelColumn column;
    private final DomainCounts[] kept;
    private @Nullable SlotCounts changes;

    TopologyCount(String topologyKey, LabelColumn column, DomainCounts... kept) {
        this.topologyKey = topologyKey;
        this.column = column;
        this.kept = kept;
    }

    TopologyCount copy() {
        var copy = new TopologyCount(topologyKey, column, kept);
        copy.changes = changes == null ? null : changes.copy();
        return copy;
    }

    String topologyKey() {
        return topologyKey;
    }

    int[] domainBySlot() {
        return column.valueIds();
    }

    /// Hot.
    boolean isAny(int domain) {
        int count = changes == null ? 0 : changes.get(domain);
        for (var counts : kept) {
            count += counts.get(domain);
        }
        return count > 0;
    }

    long total() {
        long total = changes == null ? 0 : changes.total();
        for (var counts : kept) {
            total += counts.total();
        }
        return total;
    }

    void change(Node node, int change) {
        var value = node.labels().value(topologyKey);
        if (value == null) {
            return;
        }
        var known = changes;
        if (known == null) {
            known = new SlotCounts();
            changes = known;
        }
        known.add(column.idOf(value), change);
    }
}
