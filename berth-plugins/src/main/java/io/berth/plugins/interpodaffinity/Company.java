package io.berth.plugins.interpodaffinity;

import io.berth.api.column.NodeColumns;
import io.berth.api.column.NodeView;
import io.berth.api.handle.Lister;
import io.berth.api.label.Labels;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.plugins.topology.PodQuery;
import io.berth.plugins.topology.TopologyWords;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/// Says which pods a term is about, on a node or in its domain. For explanations only: it looks
/// through the nodes of a domain, once for each.
final class Company {
    /// @param what the term that is in the way; empty for those of other pods
    private record Asked(Object what, String key, String value) {}

    private static final Comparator<Pod> BY_NAME = Comparator.comparing(Pod::key);

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
                        view -> first(view.pods(), other -> matches(query, other)))
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
                                first(
                                        view.podsWithRequiredAntiAffinity(),
                                        other -> keepsAway(other, key)))
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

    /// The first one by name, so that an engine and its twin, which have nodes and pods in other
    /// orders, name the same. A host is mostly a domain of its own, where there is no need to look
    /// further.
    private Optional<Pod> inDomain(
            String key, String value, int slot, Function<NodeView, Optional<Pod>> search) {
        var here = search.apply(columns.node(slot));
        if (here.isPresent() && key.equals(Node.HOSTNAME_LABEL)) {
            return here;
        }
        var label = columns.label(key);
        int domain = label.idOf(value);
        int[] domains = label.valueIds();
        return IntStream.range(0, columns.limit())
                .filter(other -> domains[other] == domain && columns.holdsNode(other))
                .mapToObj(other -> search.apply(columns.node(other)))
                .flatMap(Optional::stream)
                .min(BY_NAME);
    }

    private static Optional<Pod> first(List<Pod> pods, Predicate<Pod> isMeant) {
        return pods.stream().filter(isMeant).min(BY_NAME);
    }

    private String place(String key, int slot) {
        return TopologyWords.at(key, value(key, slot));
    }

    private String value(String key, int slot) {
        var value = columns.node(slot).node().labels().value(key);
        return value == null ? "" : value;
    }
}
