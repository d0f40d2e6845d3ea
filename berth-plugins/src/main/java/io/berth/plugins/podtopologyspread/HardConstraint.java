package io.berth.plugins.podtopologyspread;

import io.berth.api.column.LabelColumn;
import io.berth.api.column.SlotTrait;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.plugins.topology.DomainCounts;
import io.berth.plugins.topology.Domains;
import io.berth.plugins.topology.SlotCounts;
import io.berth.plugins.topology.TopologyWords;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A constraint that must hold, during one attempt: the kept counts, and what a dry run changes in
/// thought.
///
/// The smallest count of any domain is found once. A dry run changes the domain of one node, so the
/// smallest count of the *other* domains and that domain's new count give the new minimum; that is
/// why the two smallest are remembered.
final class HardConstraint {
    private final TopologySpreadConstraint constraint;
    private final Domains division;
    private final DomainCounts counts;
    private final LabelColumn column;
    private final int self;
    private int smallest = Integer.MAX_VALUE;
    private int smallestDomain = -1;
    private int secondSmallest = Integer.MAX_VALUE;
    private @Nullable SlotCounts changes;
    private int changedDomain;
    private boolean changesOneDomain = true;
    private long highestAllowed;

    HardConstraint(
            TopologySpreadConstraint constraint,
            Domains division,
            DomainCounts counts,
            LabelColumn column,
            Pod pod) {
        this.constraint = constraint;
        this.division = division;
        this.counts = counts;
        this.column = column;
        this.self = constraint.selector().matches(pod.labels()) ? 1 : 0;
        findSmallest();
        highestAllowed = constraint.maxSkew() - self + minimum();
    }

    private HardConstraint(HardConstraint other) {
        constraint = other.constraint;
        division = other.division;
        counts = other.counts;
        column = other.column;
        self = other.self;
        smallest = other.smallest;
        smallestDomain = other.smallestDomain;
        secondSmallest = other.secondSmallest;
        changes = other.changes == null ? null : other.changes.copy();
        changedDomain = other.changedDomain;
        changesOneDomain = other.changesOneDomain;
        highestAllowed = other.highestAllowed;
    }

    HardConstraint copy() {
        return new HardConstraint(this);
    }

    int[] domainBySlot() {
        return column.valueIds();
    }

    /// What the judgement goes by: the label, unless a dry run changes counts.
    @Nullable SlotTrait trait() {
        return changes == null ? column : null;
    }

    /// Whether one more pod like this one may be in the domain. Hot.
    boolean allows(int domain) {
        return count(domain) <= highestAllowed;
    }

    /// Why a domain allows no more pods: how many it would have, and which one has the fewest.
    ///
    /// @param domain 0 where a node is in none
    String words(int domain) {
        var key = division.topologyKey();
        if (domain == 0) {
            return "no label " + key;
        }
        long minimum = minimum();
        long count = (long) count(domain) + self;
        return "%s would have %d, %s: skew %d, at most %d"
                .formatted(
                        TopologyWords.of(key, column.value(domain)),
                        count,
                        fewest(key, minimum),
                        count - minimum,
                        constraint.maxSkew());
    }

    private String fewest(String key, long minimum) {
        int known = counts.domains().domainCount();
        if (known < constraint.minDomains()) {
            return "with %d of %d domains the fewest count as 0"
                    .formatted(known, constraint.minDomains());
        }
        // In thought, another one may have become the smallest.
        return changes == null && smallestDomain > 0
                ? "%s has %d".formatted(TopologyWords.of(key, emptiest()), minimum)
                : "the fewest are " + minimum;
    }

    /// Of several domains with the fewest pods the first by name: their numbers are chance.
    private String emptiest() {
        return IntStream.range(1, counts.domains().limit())
                .filter(domain -> counts.domains().exists(domain) && counts.get(domain) == smallest)
                .mapToObj(column::value)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /// Keeps those of the first `count` slots whose domain allows one more pod. Hot.
    int retain(int[] domainBySlot, int[] slots, int count) {
        if (changes == null) {
            return counts.retainAtMost(
                    highestAllowed, domainBySlot, column.idLimit(), slots, count);
        }
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int domain = domainBySlot[slots[i]];
            if (domain != 0 && allows(domain)) {
                slots[kept++] = slots[i];
            }
        }
        return kept;
    }

    private int count(int domain) {
        return counts.get(domain) + (changes == null ? 0 : changes.get(domain));
    }

    /// Counts as 0 as long as there are fewer domains than the pod wants.
    private long minimum() {
        if (counts.domains().domainCount() < constraint.minDomains()) {
            return 0;
        }
        if (changes == null) {
            return smallest;
        }
        if (!changesOneDomain) {
            return scanForMinimum();
        }
        int others = changedDomain == smallestDomain ? secondSmallest : smallest;
        return Math.min(others, count(changedDomain));
    }

    /// Takes note of a pod that comes to or leaves a node in thought. Unlike in the kept counts, a
    /// selector that matches everything counts here, and so do pods about to go (TS-12).
    void change(Pod pod, Pod other, Node node, int change) {
        if (!constraint.selector().matches(other.labels()) || !division.includes(node)) {
            return;
        }
        var value = node.labels().value(division.topologyKey());
        int domain = value == null ? 0 : column.idOf(value);
        var known = changes;
        if (known == null) {
            known = new SlotCounts();
            changes = known;
            changedDomain = domain;
        }
        changesOneDomain &= changedDomain == domain;
        known.add(domain, change);
        highestAllowed = constraint.maxSkew() - self + minimum();
    }

    private void findSmallest() {
        var domains = counts.domains();
        for (int domain = 0; domain < domains.limit(); domain++) {
            if (domains.exists(domain)) {
                int count = counts.get(domain);
                if (count < smallest) {
                    secondSmallest = smallest;
                    smallest = count;
                    smallestDomain = domain;
                } else if (count < secondSmallest) {
                    secondSmallest = count;
                }
            }
        }
    }

    private int scanForMinimum() {
        var domains = counts.domains();
        int minimum = Integer.MAX_VALUE;
        for (int domain = 0; domain < domains.limit(); domain++) {
            if (domains.exists(domain)) {
                minimum = Math.min(minimum, count(domain));
            }
        }
        return minimum;
    }
}
