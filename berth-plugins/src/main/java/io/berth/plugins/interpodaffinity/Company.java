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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Says which pods a term is about, on a node or in its domain. For explanations only: it looks
/// through the nodes of a domain, once for each, and finds its words once for all of them.
final class Company {
    /// Whose terms are asked about.
    private enum Terms {
        WANTED,
        UNWANTED,
        OTHERS
    }

    /// @param position of the term among the pod's own, or of the count of those of other pods
    /// @param domain number of the node's value of the term's label; 0 where it has none
    private record Asked(Terms terms, int position, int domain) {}

    private final Pod pod;
    private final Lister<Namespace> namespaces;
    private final Labels namespaceLabels;
    private final NodeColumns columns;
    private final Map<Asked, String> said = new HashMap<>();

    /// What the pod's own terms want, as a host says it that lacks it: there are as many domains as
    /// hosts.
    private final Map<Integer, String> wanted = new HashMap<>();

    Company(Pod pod, Lister<Namespace> namespaces, Labels namespaceLabels, NodeColumns columns) {
        this.pod = pod;
        this.namespaces = namespaces;
        this.namespaceLabels = namespaceLabels;
        this.columns = columns;
    }

    /// The pods that one of the pod's own terms wants are not where a node is.
    String missing(int position, int domain, int slot) {
        return said.computeIfAbsent(
                new Asked(Terms.WANTED, position, domain), _ -> missing(position, slot));
    }

    private String missing(int position, int slot) {
        var term = pod.spec().affinity().requiredPods().get(position);
        var key = term.topologyKey();
        return value(key, slot).isEmpty()
                ? "no label " + key
                : wanted.computeIfAbsent(position, _ -> "no pods " + term.selector().text() + " ")
                        + place(key, slot);
    }

    /// A pod that one of the pod's own terms keeps away from is where a node is.
    String unwanted(int position, int domain, int slot) {
        return said.computeIfAbsent(
                new Asked(Terms.UNWANTED, position, domain),
                _ -> unwanted(pod.spec().affinity().requiredAntiPods().get(position), slot));
    }

    private String unwanted(PodTerm term, int slot) {
        var query = new PodQuery.AllTerms(List.of(term), pod.namespace());
        var key = term.topologyKey();
        var other = find(key, slot, NodeView::pods, each -> matches(query, each));
        return other == null
                ? ""
                : other.key() + " (" + term.selector().text() + ") is " + place(key, slot);
    }

    private boolean matches(PodQuery.AllTerms query, Pod other) {
        var namespace = query.readsNamespaceLabels() ? namespaces.get(other.namespace()) : null;
        return query.matches(other.namespace(), namespace, other.labels(), other.isTerminating());
    }

    /// A pod that keeps this one away is where a node is.
    String unwilling(int position, String key, int domain, int slot) {
        return said.computeIfAbsent(
                new Asked(Terms.OTHERS, position, domain), _ -> unwilling(key, slot));
    }

    private String unwilling(String key, int slot) {
        var other =
                find(
                        key,
                        slot,
                        NodeView::podsWithRequiredAntiAffinity,
                        each -> keepsAway(each, key));
        return other == null ? "" : other.key() + " wants no such pod " + place(key, slot);
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

    /// The first one by name of the first node by name that has any, so that an engine and its
    /// twin, which have nodes and pods in other orders, name the same. A host is mostly a domain of
    /// its own, where there is no need to look further; elsewhere few nodes of many come before all
    /// that were met so far, and only the pods of these are looked at.
    private @Nullable Pod find(
            String key, int slot, Function<NodeView, List<Pod>> pods, Predicate<Pod> isMeant) {
        var best = first(pods.apply(columns.node(slot)), isMeant);
        if (best != null && key.equals(Node.HOSTNAME_LABEL)) {
            return best;
        }
        var label = columns.label(key);
        int domain = label.idOf(value(key, slot));
        int[] domains = label.valueIds();
        for (int other = 0; other < columns.limit(); other++) {
            if (domains[other] == domain && columns.holdsNode(other)) {
                var node = columns.node(other);
                if (best == null || node.name().compareTo(best.nodeName()) < 0) {
                    var found = first(pods.apply(node), isMeant);
                    best = found == null ? best : found;
                }
            }
        }
        return best;
    }

    private static @Nullable Pod first(List<Pod> pods, Predicate<Pod> isMeant) {
        @Nullable Pod best = null;
        for (var pod : pods) {
            if (isMeant.test(pod) && (best == null || pod.key().compareTo(best.key()) < 0)) {
                best = pod;
            }
        }
        return best;
    }

    private String place(String key, int slot) {
        return TopologyWords.at(key, value(key, slot));
    }

    private String value(String key, int slot) {
        var value = columns.node(slot).node().labels().value(key);
        return value == null ? "" : value;
    }
}
