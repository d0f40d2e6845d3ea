package io.berth.plugins.topology;

import java.util.LinkedHashMap;
import java.util.Map;

/// Pods of one kind, counted per slot and, for the divisions in use, per domain.
public class CountedPods {
    /// How many divisions are kept for one kind of pods. More come up only where pods of one kind
    /// differ in the nodes they require.
    private static final int DIVISIONS_KEPT = 32;

    private final SlotCounts bySlot = new SlotCounts();
    private final LinkedHashMap<Domains, DomainCounts> byDivision =
            new LinkedHashMap<>(4, 0.75f, true);

    public final SlotCounts bySlot() {
        return bySlot;
    }

    final void add(int slot, int change) {
        bySlot.add(slot, change);
        if (!byDivision.isEmpty()) {
            for (var counts : byDivision.values()) {
                counts.add(slot, change);
            }
        }
    }

    final DomainCounts in(Domains division, KeptCounts kept) {
        var known = byDivision.get(division);
        if (known != null) {
            kept.refresh(known.domains());
            return known;
        }
        if (byDivision.size() >= DIVISIONS_KEPT) {
            var eldest = byDivision.entrySet().iterator().next();
            byDivision.remove(eldest.getKey());
            kept.release(eldest.getValue());
        }
        var domains = kept.domains(division);
        var counts = new DomainCounts(this, domains);
        domains.attach(counts);
        byDivision.put(division, counts);
        return counts;
    }

    final void release(KeptCounts kept) {
        byDivision.values().forEach(kept::release);
        byDivision.clear();
    }

    /// For tests: how many divisions are kept.
    final Map<Domains, DomainCounts> divisions() {
        return byDivision;
    }
}
