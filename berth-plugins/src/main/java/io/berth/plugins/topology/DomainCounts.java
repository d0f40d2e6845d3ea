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

    public SlotDomains domains() {
        return domains;
    }

    /// Hot.
    public int get(int domain) {
        return domain < sums.length ? sums[domain] : 0;
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
        if (domain >= sums.length) {
            sums = Arrays.copyOf(sums, Math.max(domain + 1, 2 * sums.length));
        }
        sums[domain] += change;
        total += change;
    }
}
