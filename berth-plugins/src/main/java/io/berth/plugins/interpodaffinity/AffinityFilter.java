package io.berth.plugins.interpodaffinity;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.SlotTrait;
import io.berth.api.handle.Cycle;
import io.berth.api.handle.Lister;
import io.berth.api.label.Labels;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.plugin.SlotJudge;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.plugins.topology.DomainCounts;
import io.berth.plugins.topology.Domains;
import io.berth.plugins.topology.KeptCounts;
import io.berth.plugins.topology.PodQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The required terms that concern one pod during one attempt, its own and those of existing pods
/// against it, and the judgement of nodes by them.
final class AffinityFilter implements Cycle.Note {
    static final Cycle.Key<AffinityFilter> KEY = new Cycle.Key<>(AffinityFilter.class);

    static final Refusal AFFINITY = Refusal.hopeless("node(s) didn't match pod affinity rules");
    static final Refusal ANTI_AFFINITY =
            Refusal.mayPreempt("node(s) didn't match pod anti-affinity rules");
    static final Refusal EXISTING_ANTI_AFFINITY =
            Refusal.mayPreempt("node(s) didn't satisfy existing pods anti-affinity rules");

    private record Pair(String key, String value) {}

    private final Pod pod;
    private final Lister<Namespace> namespaces;
    private final Labels namespaceLabels;
    private final boolean matchesItself;

    /// One per required affinity term; counts pods that match all of them.
    private final TopologyCount[] affinity;

    /// One per required anti-affinity term.
    private final TopologyCount[] anti;

    /// One per topology key of existing pods' terms.
    private final TopologyCount[] existing;

    /// Terms that a dry run brings in under a key that no kept term has.
    private Map<Pair, Integer> brought = Map.of();

    private AffinityFilter(
            Pod pod,
            Lister<Namespace> namespaces,
            Labels namespaceLabels,
            boolean matchesItself,
            TopologyCount[] affinity,
            TopologyCount[] anti,
            TopologyCount[] existing) {
        this.pod = pod;
        this.namespaces = namespaces;
        this.namespaceLabels = namespaceLabels;
        this.matchesItself = matchesItself;
        this.affinity = affinity;
        this.anti = anti;
        this.existing = existing;
    }

    static AffinityFilter of(
            Pod pod,
            Labels namespaceLabels,
            List<ExistingTerm> existingAnti,
            KeptCounts kept,
            Lister<Namespace> namespaces,
            NodeColumns columns) {
        var required = pod.spec().affinity().requiredPods();
        var all = new PodQuery.AllTerms(required, pod.namespace());
        var affinity = new TopologyCount[required.size()];
        for (int i = 0; i < affinity.length; i++) {
            affinity[i] = count(required.get(i), all, kept, columns);
        }
        var requiredAnti = pod.spec().affinity().requiredAntiPods();
        var anti = new TopologyCount[requiredAnti.size()];
        for (int i = 0; i < anti.length; i++) {
            var term = requiredAnti.get(i);
            var query = new PodQuery.AllTerms(List.of(term), pod.namespace());
            anti[i] = count(term, query, kept, columns);
        }
        return new AffinityFilter(
                pod,
                namespaces,
                namespaceLabels,
                !required.isEmpty() && matches(all, pod, namespaces),
                affinity,
                anti,
                existing(existingAnti, kept, columns));
    }

    private static TopologyCount count(
            PodTerm term, PodQuery query, KeptCounts kept, NodeColumns columns) {
        return new TopologyCount(
                term.topologyKey(),
                columns.label(term.topologyKey()),
                kept.counts(query, Domains.by(term.topologyKey())));
    }

    private static TopologyCount[] existing(
            List<ExistingTerm> terms, KeptCounts kept, NodeColumns columns) {
        if (terms.isEmpty()) {
            return new TopologyCount[0];
        }
        var byKey = new LinkedHashMap<String, List<DomainCounts>>();
        for (int i = 0; i < terms.size(); i++) {
            var term = terms.get(i);
            if (term.bySlot().total() > 0) {
                var key = term.key().term().topologyKey();
                var counts = kept.counts(term, Domains.by(key));
                if (counts.total() > 0) {
                    byKey.computeIfAbsent(key, any -> new ArrayList<>()).add(counts);
                }
            }
        }
        var result = new ArrayList<TopologyCount>();
        byKey.forEach((key, counts) ->
                result.add(
                        new TopologyCount(
                                key, columns.label(key), counts.toArray(DomainCounts[]::new))));
        return result.toArray(TopologyCount[]::new);
    }

    private static boolean matches(PodQuery.AllTerms query, Pod pod, Lister<Namespace> namespaces) {
        Namespace namespace = query.readsNamespaceLabels() ? namespaces.get(pod.namespace()) : null;
        return query.matches(pod.namespace(), namespace, pod.labels(), pod.isTerminating());
    }

    /// Whether no term concerns the pod.
    boolean isEmpty() {
        return affinity.length == 0 && anti.length == 0 && existing.length == 0;
    }

    @Override
    public Cycle.Note copy() {
        var copy =
                new AffinityFilter(
                        pod,
                        namespaces,
                        namespaceLabels,
                        matchesItself,
                        copies(affinity),
                        copies(anti),
                        copies(existing));
        copy.brought = brought.isEmpty() ? Map.of() : new HashMap<>(brought);
        return copy;
    }

    private static TopologyCount[] copies(TopologyCount[] counts) {
        var copies = new TopologyCount[counts.length];
        for (int i = 0; i < copies.length; i++) {
            copies[i] = counts[i].copy();
        }
        return copies;
    }

    /// Takes note of a pod that comes to or leaves a node in thought.
    void change(Pod other, Node node, int change) {
        for (var term : other.spec().affinity().requiredAntiPods()) {
            if (term.matches(other.namespace(), pod.namespace(), namespaceLabels, pod.labels())) {
                changeExisting(term.topologyKey(), node, change);
            }
        }
        var own = pod.spec().affinity();
        if (affinity.length > 0
                && matches(
                        new PodQuery.AllTerms(own.requiredPods(), pod.namespace()),
                        other,
                        namespaces)) {
            for (var count : affinity) {
                count.change(node, change);
            }
        }
        for (int i = 0; i < anti.length; i++) {
            var query =
                    new PodQuery.AllTerms(List.of(own.requiredAntiPods().get(i)), pod.namespace());
            if (matches(query, other, namespaces)) {
                anti[i].change(node, change);
            }
        }
    }

    private void changeExisting(String key, Node node, int change) {
        for (var count : existing) {
            if (count.topologyKey().equals(key)) {
                count.change(node, change);
                return;
            }
        }
        var value = node.labels().value(key);
        if (value != null) {
            if (brought.isEmpty()) {
                brought = new HashMap<>();
            }
            brought.merge(new Pair(key, value), change, Integer::sum);
        }
    }

    SlotJudge judge(NodeColumns columns) {
        return new Judge(
                this,
                columns,
                new Company(pod, namespaces, namespaceLabels, columns),
                domainsBySlot(affinity),
                domainsBySlot(anti),
                domainsBySlot(existing));
    }

    private static int[][] domainsBySlot(TopologyCount[] counts) {
        var domains = new int[counts.length][];
        for (int i = 0; i < domains.length; i++) {
            domains[i] = counts[i].domainBySlot();
        }
        return domains;
    }

    private boolean isAffinityEmpty() {
        for (var count : affinity) {
            if (count.total() != 0) {
                return false;
            }
        }
        return true;
    }

    private record Judge(
            AffinityFilter note,
            NodeColumns columns,
            Company company,
            int[][] affinityDomains,
            int[][] antiDomains,
            int[][] existingDomains)
            implements SlotJudge {
        @Override
        public boolean passes(int slot) {
            return hasCompany(slot)
                    && !isAny(note.anti, antiDomains, slot)
                    && !isAny(note.existing, existingDomains, slot)
                    && !isBroughtIn(slot);
        }

        @Override
        public int retain(int[] slots, int count) {
            int kept = count;
            if (note.matchesItself && note.isAffinityEmpty()) {
                kept = retainLabelled(slots, kept);
            } else {
                for (int i = 0; i < affinityDomains.length; i++) {
                    kept = note.affinity[i].retainAny(affinityDomains[i], slots, kept);
                }
            }
            for (int i = 0; i < antiDomains.length; i++) {
                kept = note.anti[i].retainNone(antiDomains[i], slots, kept);
            }
            for (int i = 0; i < existingDomains.length; i++) {
                kept = note.existing[i].retainNone(existingDomains[i], slots, kept);
            }
            return note.brought.isEmpty() ? kept : retainNotBroughtIn(slots, kept);
        }

        @Override
        public @Nullable List<SlotTrait> traits() {
            var traits = new ArrayList<SlotTrait>();
            boolean isAll =
                    note.brought.isEmpty()
                            && addTraits(note.affinity, traits)
                            && addTraits(note.anti, traits)
                            && addTraits(note.existing, traits);
            return isAll ? traits : null;
        }

        private static boolean addTraits(TopologyCount[] counts, List<SlotTrait> traits) {
            for (var count : counts) {
                var trait = count.trait();
                if (trait == null) {
                    return false;
                }
                traits.add(trait);
            }
            return true;
        }

        /// Those that have all labels: any of these will do for the first pod of its kind.
        private int retainLabelled(int[] slots, int count) {
            int kept = 0;
            for (int i = 0; i < count; i++) {
                if (hasCompany(slots[i])) {
                    slots[kept++] = slots[i];
                }
            }
            return kept;
        }

        private int retainNotBroughtIn(int[] slots, int count) {
            int kept = 0;
            for (int i = 0; i < count; i++) {
                if (!isBroughtIn(slots[i])) {
                    slots[kept++] = slots[i];
                }
            }
            return kept;
        }

        @Override
        public String detail(int slot) {
            if (!hasCompany(slot)) {
                for (int i = 0; i < affinityDomains.length; i++) {
                    int domain = affinityDomains[i][slot];
                    if (domain == 0 || !note.affinity[i].isAny(domain)) {
                        return company.missing(i, domain, slot);
                    }
                }
            }
            for (int i = 0; i < antiDomains.length; i++) {
                int domain = antiDomains[i][slot];
                if (isAny(note.anti[i], domain)) {
                    return company.unwanted(i, domain, slot);
                }
            }
            int first = firstUnwilling(slot);
            return first < 0
                    ? ""
                    : company.unwilling(
                            first,
                            note.existing[first].topologyKey(),
                            existingDomains[first][slot],
                            slot);
        }

        /// Counts of other pods' terms are in no order, so the first key by name is told.
        private int firstUnwilling(int slot) {
            int first = -1;
            for (int i = 0; i < existingDomains.length; i++) {
                if (isAny(note.existing[i], existingDomains[i][slot])
                        && (first < 0
                                || note.existing[i]
                                                .topologyKey()
                                                .compareTo(note.existing[first].topologyKey())
                                        < 0)) {
                    first = i;
                }
            }
            return first;
        }

        private static boolean isAny(TopologyCount count, int domain) {
            return domain != 0 && count.isAny(domain);
        }

        @Override
        public Verdict explain(int slot) {
            if (!hasCompany(slot)) {
                return AFFINITY;
            }
            if (isAny(note.anti, antiDomains, slot)) {
                return ANTI_AFFINITY;
            }
            return isAny(note.existing, existingDomains, slot) || isBroughtIn(slot)
                    ? EXISTING_ANTI_AFFINITY
                    : Verdict.PASS;
        }

        /// A pod that only wants company of its own kind may be the first of it.
        private boolean hasCompany(int slot) {
            boolean everywhere = true;
            for (int i = 0; i < affinityDomains.length; i++) {
                int domain = affinityDomains[i][slot];
                if (domain == 0) {
                    return false;
                }
                everywhere &= note.affinity[i].isAny(domain);
            }
            return everywhere || note.matchesItself && note.isAffinityEmpty();
        }

        private static boolean isAny(TopologyCount[] counts, int[][] domains, int slot) {
            for (int i = 0; i < counts.length; i++) {
                if (isAny(counts[i], domains[i][slot])) {
                    return true;
                }
            }
            return false;
        }

        private boolean isBroughtIn(int slot) {
            if (note.brought.isEmpty()) {
                return false;
            }
            var labels = columns.node(slot).node().labels();
            for (var entry : note.brought.entrySet()) {
                @Nullable String value = labels.value(entry.getKey().key());
                if (entry.getValue() > 0 && entry.getKey().value().equals(value)) {
                    return true;
                }
            }
            return false;
        }
    }
}
