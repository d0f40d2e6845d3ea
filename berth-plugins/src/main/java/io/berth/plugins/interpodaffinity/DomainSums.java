package io.berth.plugins.interpodaffinity;

import io.berth.api.column.LabelColumn;
import io.berth.api.column.SlotTrait;
import io.berth.plugins.topology.DomainCounts;
import io.berth.plugins.topology.HostTraits;
import io.berth.plugins.topology.SpareArrays;
import java.util.ArrayList;
import java.util.List;

/// What the pods in each domain of one topology key count for in the score of one attempt: weighted
/// counts, added up for a domain that is asked for, or for all where many are.
final class DomainSums {
    private final LabelColumn column;
    private final int[] domainBySlot;
    private final int number;
    private final SpareArrays spare;
    private final List<DomainCounts> counts = new ArrayList<>(2);
    private final List<Long> weights = new ArrayList<>(2);

    /// @param number the number of the spare array that sums of all domains go to
    DomainSums(LabelColumn column, int number, SpareArrays spare) {
        this.column = column;
        this.domainBySlot = column.valueIds();
        this.number = number;
        this.spare = spare;
    }

    boolean isOf(LabelColumn other) {
        return column.equals(other);
    }

    void add(DomainCounts pods, long weight) {
        counts.add(pods);
        weights.add(weight);
    }

    /// The label, or where that tells all nodes apart, what a node's own pods count for.
    SlotTrait trait() {
        return column.isDistinct()
                ? HostTraits.sum(column, counts.stream().map(DomainCounts::pods).toList(), weights)
                : column;
    }

    /// Hot. No pod is counted in domain 0.
    long of(int slot) {
        int domain = domainBySlot[slot];
        long sum = 0;
        for (int i = 0; i < counts.size(); i++) {
            sum += weights.get(i) * counts.get(i).get(domain);
        }
        return sum;
    }

    /// Hot. No pod is counted in domain 0, so that it needs no question. Few slots are not worth
    /// the sums of all domains.
    void addTo(int[] slots, int count, long[] scores) {
        if (2 * count < column.idLimit()) {
            for (int i = 0; i < count; i++) {
                scores[i] += of(slots[i]);
            }
            return;
        }
        int[] domains = domainBySlot;
        long[] sums = ofAll();
        for (int i = 0; i < count; i++) {
            scores[i] += sums[domains[slots[i]]];
        }
    }

    private long[] ofAll() {
        int size = column.idLimit();
        for (var pods : counts) {
            size = Math.max(size, pods.limit());
        }
        long[] sums = spare.zeroes(number, size);
        for (int i = 0; i < counts.size(); i++) {
            counts.get(i).addTo(sums, weights.get(i));
        }
        return sums;
    }
}
