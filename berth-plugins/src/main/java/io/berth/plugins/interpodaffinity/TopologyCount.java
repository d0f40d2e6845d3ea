package io.berth.plugins.interpodaffinity;

import io.berth.api.column.LabelColumn;
import io.berth.api.column.SlotTrait;
import io.berth.api.model.Node;
import io.berth.plugins.topology.DomainCounts;
import io.berth.plugins.topology.HostTraits;
import io.berth.plugins.topology.SlotCounts;
import java.util.stream.Stream;
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

    /// What the questions below go by: the label, or where that tells all nodes apart, whether a
    /// node itself has pods. Null where a dry run changes counts.
    @Nullable SlotTrait trait() {
        if (changes != null) {
            return null;
        }
        return column.isDistinct()
                ? HostTraits.any(column, Stream.of(kept).map(DomainCounts::pods).toList())
                : column;
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

    /// Keeps those of the first `count` slots whose domain has pods. Hot.
    int retainAny(int[] domainBySlot, int[] slots, int count) {
        if (changes == null && kept.length == 1) {
            return kept[0].retainUsed(domainBySlot, column.idLimit(), slots, count);
        }
        int left = 0;
        for (int i = 0; i < count; i++) {
            int domain = domainBySlot[slots[i]];
            if (domain != 0 && isAny(domain)) {
                slots[left++] = slots[i];
            }
        }
        return left;
    }

    /// Keeps those of the first `count` slots whose domain has no pods, or that are in none. Hot.
    int retainNone(int[] domainBySlot, int[] slots, int count) {
        int left = count;
        if (changes == null) {
            // No count is below zero, so none may be above.
            for (var counts : kept) {
                left = counts.retainUnused(domainBySlot, column.idLimit(), slots, left);
            }
            return left;
        }
        left = 0;
        for (int i = 0; i < count; i++) {
            int domain = domainBySlot[slots[i]];
            if (domain == 0 || !isAny(domain)) {
                slots[left++] = slots[i];
            }
        }
        return left;
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
