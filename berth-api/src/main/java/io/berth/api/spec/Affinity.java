package io.berth.api.spec;

import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a pod asks of its node and of its neighbours.
///
/// @param requiredNodes null where the pod requires nothing
/// @param hasPreferredNodes whether the list of preferences was given at all; an empty list differs
///   from none
/// @param hasPodAffinity whether a podAffinity or podAntiAffinity object was given, even an empty
///   one
public record Affinity(
        @Nullable NodeSelector requiredNodes,
        List<NodeSelector.Preferred> preferredNodes,
        boolean hasPreferredNodes,
        boolean hasPodAffinity,
        List<PodTerm> requiredPods,
        List<WeightedPodTerm> preferredPods,
        List<PodTerm> requiredAntiPods,
        List<WeightedPodTerm> preferredAntiPods) {
    public static final Affinity NONE =
            new Affinity(null, List.of(), false, false, List.of(), List.of(), List.of(), List.of());

    public Affinity {
        preferredNodes = List.copyOf(preferredNodes);
        requiredPods = List.copyOf(requiredPods);
        preferredPods = List.copyOf(preferredPods);
        requiredAntiPods = List.copyOf(requiredAntiPods);
        preferredAntiPods = List.copyOf(preferredAntiPods);
    }

    /// Pods in some namespaces, chosen by labels, seen from the domain that a node label names.
    ///
    /// @param namespaces as written; where empty and without a namespace selector, the owner's own
    /// @param namespaceSelector null where absent
    public record PodTerm(
            LabelSelector selector,
            Set<String> namespaces,
            @Nullable LabelSelector namespaceSelector,
            String topologyKey) {
        public PodTerm {
            namespaces = Set.copyOf(namespaces);
        }

        /// Whether the term of a pod in `ownNamespace` means a pod with these facts (H-15).
        public boolean matches(
                String ownNamespace, String namespace, Labels namespaceLabels, Labels labels) {
            return selector.matches(labels)
                    && coversNamespace(ownNamespace, namespace, namespaceLabels);
        }

        public boolean coversNamespace(
                String ownNamespace, String namespace, Labels namespaceLabels) {
            if (namespaces.isEmpty() && namespaceSelector == null) {
                return namespace.equals(ownNamespace);
            }
            return namespaces.contains(namespace)
                    || (namespaceSelector != null && namespaceSelector.matches(namespaceLabels));
        }
    }

    /// A term that scoring rewards (or, for anti-affinity, punishes) with its weight.
    public record WeightedPodTerm(int weight, PodTerm term) {}
}
