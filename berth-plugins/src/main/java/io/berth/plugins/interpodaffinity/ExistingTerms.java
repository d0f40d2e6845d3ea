package io.berth.plugins.interpodaffinity;

import io.berth.api.handle.StateObserver;
import io.berth.api.label.Labels;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.api.spec.Affinity.WeightedPodTerm;
import io.berth.api.spec.PodSpec;
import io.berth.plugins.interpodaffinity.ExistingTerm.Kind;
import io.berth.plugins.topology.KeptCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The affinity terms of all pods on nodes, each counted per slot.
///
/// Equal terms of pods in one namespace are one [ExistingTerm]. Which of them mean an incoming pod
/// is worked out once per (namespace, its labels, the pod's labels); terms that came since are
/// looked at when the answer is next needed. A term that no pod has any more counts for nothing and
/// is cleared away after a while.
///
/// Owned by the engine thread.
final class ExistingTerms implements StateObserver {
    private static final int REMEMBERED = 16_384;
    private static final int DEPARTURES_BEFORE_CLEARING = 1024;

    private record Source(PodSpec spec, String namespace) {}

    private static final class TermsOfPods {
        final ExistingTerm[] terms;
        int podCount;

        TermsOfPods(ExistingTerm[] terms) {
            this.terms = terms;
        }
    }

    private record Incoming(String namespace, Labels namespaceLabels, Labels labels) {}

    /// The terms that mean an incoming pod.
    static final class Matching {
        final List<ExistingTerm> requiredAnti = new ArrayList<>();
        final List<ExistingTerm> scored = new ArrayList<>();
        private int seen;
    }

    private final KeptCounts kept;
    private final Map<ExistingTerm.Key, ExistingTerm> byKey = new HashMap<>();
    private final List<ExistingTerm> all = new ArrayList<>();
    private final Map<Source, TermsOfPods> bySource = new HashMap<>();
    private final Map<Incoming, Matching> matching = new HashMap<>();
    private int departures;

    ExistingTerms(KeptCounts kept) {
        this.kept = kept;
    }

    Matching matching(Pod pod, Labels namespaceLabels) {
        if (matching.size() >= REMEMBERED) {
            matching.clear();
        }
        var result =
                matching.computeIfAbsent(
                        new Incoming(pod.namespace(), namespaceLabels, pod.labels()),
                        key -> new Matching());
        while (result.seen < all.size()) {
            var term = all.get(result.seen++);
            if (term.matches(pod.namespace(), namespaceLabels, pod.labels())) {
                var list =
                        term.key().kind() == Kind.REQUIRED_ANTI
                                ? result.requiredAnti
                                : result.scored;
                list.add(term);
            }
        }
        return result;
    }

    @Override
    public void podAdded(Pod pod, int slot) {
        if (!pod.spec().affinity().hasPodAffinity()) {
            return;
        }
        var source = new Source(pod.spec(), pod.namespace());
        var terms = bySource.get(source);
        if (terms == null) {
            terms = new TermsOfPods(termsOf(pod));
            bySource.put(source, terms);
        }
        terms.podCount++;
        for (var term : terms.terms) {
            kept.add(term, slot, 1);
        }
    }

    @Override
    public void podRemoved(Pod pod, int slot) {
        if (!pod.spec().affinity().hasPodAffinity()) {
            return;
        }
        var source = new Source(pod.spec(), pod.namespace());
        var terms = bySource.get(source);
        if (terms == null) {
            throw new IllegalStateException(
                    "pod " + pod.key() + " was removed from slot " + slot + " but never added");
        }
        for (var term : terms.terms) {
            kept.add(term, slot, -1);
        }
        if (--terms.podCount == 0) {
            bySource.remove(source);
            if (++departures >= DEPARTURES_BEFORE_CLEARING) {
                clearUnused();
            }
        }
    }

    @Override
    public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {}

    @Override
    public void objectChanged(@Nullable ClusterObject before, @Nullable ClusterObject after) {}

    private ExistingTerm[] termsOf(Pod pod) {
        var affinity = pod.spec().affinity();
        var terms = new ArrayList<ExistingTerm>();
        addRequired(terms, Kind.REQUIRED, pod, affinity.requiredPods());
        addRequired(terms, Kind.REQUIRED_ANTI, pod, affinity.requiredAntiPods());
        addPreferred(terms, Kind.PREFERRED, pod, affinity.preferredPods());
        addPreferred(terms, Kind.PREFERRED_ANTI, pod, affinity.preferredAntiPods());
        return terms.toArray(ExistingTerm[]::new);
    }

    /// Where one term of a list cannot be understood, upstream has none of the list.
    private void addRequired(List<ExistingTerm> terms, Kind kind, Pod pod, List<PodTerm> ofPod) {
        if (ofPod.stream().allMatch(IncomingTerms::isSound)) {
            ofPod.forEach(term -> terms.add(intern(kind, 0, pod, term)));
        }
    }

    private void addPreferred(
            List<ExistingTerm> terms, Kind kind, Pod pod, List<WeightedPodTerm> ofPod) {
        if (ofPod.stream().allMatch(weighted -> IncomingTerms.isSound(weighted.term()))) {
            ofPod.forEach(
                    weighted -> terms.add(intern(kind, weighted.weight(), pod, weighted.term())));
        }
    }

    private ExistingTerm intern(Kind kind, int weight, Pod pod, PodTerm term) {
        var key = new ExistingTerm.Key(kind, weight, pod.namespace(), term);
        var known = byKey.get(key);
        if (known == null) {
            known = new ExistingTerm(key);
            byKey.put(key, known);
            all.add(known);
        }
        return known;
    }

    private void clearUnused() {
        departures = 0;
        boolean any =
                all.removeIf(term -> {
                    boolean unused = term.bySlot().total() == 0;
                    if (unused) {
                        byKey.remove(term.key());
                        kept.drop(term);
                    }
                    return unused;
                });
        if (any) {
            matching.clear();
        }
    }
}
