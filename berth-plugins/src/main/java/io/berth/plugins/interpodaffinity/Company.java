package io.berth.plugins.interpodaffinity;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.handle.Lister;
import io.berth.api.label.Labels;
import io.berth.api.model.Namespace;
import io.berth.api.model.Pod;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.plugins.topology.PodQuery;
import io.berth.plugins.topology.TopologyWords;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Says which pods a term is about, on a node or in its domain. For explanations only: it looks
/// through the nodes of a domain, once for each.
final class Company {
    /// @param what the term that is in the way; empty for those of other pods
    private record Asked(Object what, String key, String value) {}

    private final Pod pod;
    private final Lister<Namespace> namespaces;
    private final Labels namespaceLabels;
    private final NodeColumns columns;
    private final Map<Asked, Optional<Pod>> found = new HashMap<>();

    Company(Pod pod, Lister<Namespace> namespaces, Labels namespaceLabels, NodeColumns columns) {
        this.pod = pod;
        this.namespaces = namespaces;
        this.namespaceLabels = namespaceLabels;
        this.columns = columns;
    }

    /// The pods that a term wants are not where a node is.
    String missing(PodTerm term, int slot) {
        var key = term.topologyKey();
        return value(key, slot).isEmpty()
                ? "no label " + key
                : "no pods %s %s".formatted(term.selector().text(), place(key, slot));
    }

    /// A pod that a term keeps away from is where a node is.
    String unwanted(PodTerm term, int slot) {
        var query = new PodQuery.AllTerms(List.of(term), pod.namespace());
        var key = term.topologyKey();
        return find(
                        new Asked(term, key, value(key, slot)),
                        slot,
                        view ->
                                view.pods().stream()
                                        .filter(other -> matches(query, other))
                                        .findFirst())
                .map(other ->
                        "%s (%s) is %s"
                                .formatted(other.key(), term.selector().text(), place(key, slot)))
                .orElse("");
    }

    private boolean matches(PodQuery.AllTerms query, Pod other) {
        var namespace = query.readsNamespaceLabels() ? namespaces.get(other.namespace()) : null;
        return query.matches(other.namespace(), namespace, other.labels(), other.isTerminating());
    }

    /// A pod that keeps this one away is where a node is.
    String unwilling(String key, int slot) {
        return find(
                        new Asked("", key, value(key, slot)),
                        slot,
                        view ->
                                view.podsWithRequiredAntiAffinity().stream()
                                        .filter(other -> keepsAway(other, key))
                                        .findFirst())
                .map(other -> "%s wants no such pod %s".formatted(other.key(), place(key, slot)))
                .orElse("");
    }

    private boolean keepsAway(Pod other, String key) {
        return other.spec().affinity().requiredAntiPods().stream()
                .anyMatch(term ->
                        term.topologyKey().equals(key)
                                && term.matches(
                                        other.namespace(),
                                        pod.namespace(),
                                        namespaceLabels,
                                        pod.labels()));
    }

    private Optional<Pod> find(Asked asked, int slot, Function<NodeView, Optional<Pod>> search) {
        return found.computeIfAbsent(asked, _ -> inDomain(asked.key, asked.value, slot, search));
    }

    /// On the node itself, or else anywhere in its domain.
    private Optional<Pod> inDomain(
            String key, String value, int slot, Function<NodeView, Optional<Pod>> search) {
        var here = search.apply(columns.node(slot));
        if (here.isPresent()) {
            return here;
        }
        var label = columns.label(key);
        int domain = label.idOf(value);
        int[] domains = label.valueIds();
        for (int other = 0; other < columns.limit(); other++) {
            if (domains[other] == domain && other != slot) {
                var there = search.apply(columns.node(other));
                if (there.isPresent()) {
                    return there;
                }
            }
        }
        return Optional.empty();
    }

    private String place(String key, int slot) {
        return TopologyWords.at(key, value(key, slot));
    }

    private String value(String key, int slot) {
        var value = columns.node(slot).node().labels().value(key);
        return value == null ? "" : value;
    }
}
