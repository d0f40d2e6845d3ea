package io.berth.plugins.interpodaffinity;

import io.berth.api.label.Labels;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.plugins.topology.CountedPods;

/// An affinity or anti-affinity term of pods on nodes, with the number of pods that have it.
final class ExistingTerm extends CountedPods {
    /// What the term asks for.
    enum Kind {
        REQUIRED,
        REQUIRED_ANTI,
        PREFERRED,
        PREFERRED_ANTI
    }

    /// @param ownNamespace where the pods that have the term are
    /// @param weight 0 for required terms
    record Key(Kind kind, int weight, String ownNamespace, PodTerm term) {}

    private final Key key;

    ExistingTerm(Key key) {
        this.key = key;
    }

    Key key() {
        return key;
    }

    boolean matches(String namespace, Labels namespaceLabels, Labels labels) {
        return key.term.matches(key.ownNamespace, namespace, namespaceLabels, labels);
    }
}
