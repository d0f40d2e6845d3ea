package io.berth.plugins.topology;

import java.util.Arrays;

/// How many pods of one kind are in each domain of one division. Kept, not recounted: invariant is
/// `sums[d]` = sum of the pods' counts over the slots that belong to domain d.
public final class DomainCounts {
    private final CountedPods pods;
    private final SlotDomains domains;
    private int[] sums = {};
    private long total;

    DomainCounts(CountedPods pods, SlotDomains domains) {
        this.pods = pods;
        this.domains = domains;
        pods.bySlot().forEach((slot, count) -> change(domains.domainOf(slot), count));
    }

    public CountedPods pods() {
        return pods;
    }

    public SlotDomains domains() {
        return domains;
    }

    /// Hot.
    public int get(int domain) {
        return domain < sums.length ? sums[domain] : 0;
    }

    // The loops below write each slot and let the next one overwrite those that are not kept, since
    // a jump that cannot be foreseen costs more than a write. `domainBySlot` is of a column whose
    // numbers are smaller than `domainLimit`.

    /// Hot: keeps those of the first `count` slots that have a domain, with at most `most` pods, in
    /// their order.
    ///
    /// @return how many are kept
    public int retainAtMost(
            long most, int[] domainBySlot, int domainLimit, int[] slots, int count) {
        int[] pods = reserved(domainLimit);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int slot = slots[i];
            int domain = domainBySlot[slot];
            slots[kept] = slot;
            kept += domain != 0 && pods[domain] <= most ? 1 : 0;
        }
        return kept;
    }

    /// Hot: keeps those of the first `count` slots whose domain has pods. Only for divisions that
    /// leave nodes without the label out.
    ///
    /// @return how many are kept
    public int retainUsed(int[] domainBySlot, int domainLimit, int[] slots, int count) {
        int[] pods = reserved(domainLimit);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int slot = slots[i];
            slots[kept] = slot;
            kept += pods[domainBySlot[slot]] > 0 ? 1 : 0;
        }
        return kept;
    }

    /// Hot: keeps those of the first `count` slots whose domain has no pods, or that have none.
    /// Only for divisions that leave nodes without the label out.
    ///
    /// @return how many are kept
    public int retainUnused(int[] domainBySlot, int domainLimit, int[] slots, int count) {
        int[] pods = reserved(domainLimit);
        int kept = 0;
        for (int i = 0; i < count; i++) {
            int slot = slots[i];
            slots[kept] = slot;
            kept += pods[domainBySlot[slot]] > 0 ? 0 : 1;
        }
        return kept;
    }

    /// The sum over all domains.
    public long total() {
        return total;
    }

    /// Adds each domain's count, times a weight, to an array that is indexed by domain.
    public void addTo(long[] target, long weight) {
        for (int domain = 0; domain < sums.length; domain++) {
            if (sums[domain] != 0) {
                target[domain] += weight * sums[domain];
            }
        }
    }

    /// One more than the largest domain that may have a count.
    public int limit() {
        return sums.length;
    }

    void add(int slot, int change) {
        change(domains.domainOf(slot), change);
    }

    void moved(int slot, int from, int to) {
        int count = pods.bySlot().get(slot);
        if (count != 0) {
            change(from, -count);
            change(to, count);
        }
    }

    private void change(int domain, int change) {
        if (domain < 0) {
            return;
        }
        reserved(domain + 1)[domain] += change;
        total += change;
    }

    /// The sums, at least `limit` of them.
    private int[] reserved(int limit) {
        reserve(limit);
        return sums;
    }

    void reserve(int limit) {
        if (limit > sums.length) {
            sums = Arrays.copyOf(sums, Math.max(limit, 2 * sums.length));
        }
    }
}
