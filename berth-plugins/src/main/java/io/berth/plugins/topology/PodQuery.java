package io.berth.plugins.topology;

import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.model.Namespace;
import io.berth.api.spec.Affinity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which pods are to be counted.
public sealed interface PodQuery {
    /// @param namespace the namespace's object, null where it is not known
    boolean matches(
            String namespaceName,
            @Nullable Namespace namespace,
            Labels labels,
            boolean terminating);

    /// Whether the answer may change when the labels of a namespace do.
    boolean readsNamespaceLabels();

    /// Pods that spreading counts: of one namespace, not about to go. A selector that matches
    /// everything counts nothing (TS-6).
    record Spread(String namespace, LabelSelector selector) implements PodQuery {
        @Override
        public boolean matches(
                String namespaceName,
                @Nullable Namespace known,
                Labels labels,
                boolean terminating) {
            return !terminating
                    && namespaceName.equals(namespace)
                    && !selector.isEmpty()
                    && selector.matches(labels);
        }

        @Override
        public boolean readsNamespaceLabels() {
            return false;
        }
    }

    /// Pods that match all of some affinity terms of a pod in `ownNamespace`.
    record AllTerms(List<Affinity.PodTerm> terms, String ownNamespace) implements PodQuery {
        public AllTerms {
            terms = List.copyOf(terms);
        }

        @Override
        public boolean matches(
                String namespaceName,
                @Nullable Namespace known,
                Labels labels,
                boolean terminating) {
            for (var term : terms) {
                if (!covers(term, namespaceName, known) || !term.selector().matches(labels)) {
                    return false;
                }
            }
            return !terms.isEmpty();
        }

        /// A namespace selector means the namespaces that exist and match it. An empty one means
        /// every namespace, known or not (IP-3).
        private boolean covers(
                Affinity.PodTerm term, String namespaceName, @Nullable Namespace known) {
            var selector = term.namespaceSelector();
            if (selector == null || selector.isEmpty() || known != null) {
                return term.coversNamespace(
                        ownNamespace, namespaceName, known == null ? Labels.EMPTY : known.labels());
            }
            return term.namespaces().contains(namespaceName);
        }

        @Override
        public boolean readsNamespaceLabels() {
            for (var term : terms) {
                var selector = term.namespaceSelector();
                if (selector != null && !selector.isEmpty()) {
                    return true;
                }
            }
            return false;
        }
    }
}
