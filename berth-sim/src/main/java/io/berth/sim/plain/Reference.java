package io.berth.sim.plain;

import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.Taint;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.sim.plain.PlainCluster.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The filters of the contract, written down plainly: everything is counted anew for every
/// question. Slow, and meant to be obviously right.
public final class Reference {
    private static final Taint CORDON =
            new Taint("node.kubernetes.io/unschedulable", "", Taint.NO_SCHEDULE);

    public static final String SHUNNED = " does not want it";

    private Reference() {}

    /// Which of the plugins keeps the pod from the node; null where none does. They are asked in
    /// the order of the default profile, so that it is the one that the pod is told of.
    ///
    /// @param plugins the enabled ones
    public static @Nullable String refusal(
            PlainCluster cluster, Pod pod, String nodeName, Set<String> plugins) {
        var place = cluster.place(nodeName);
        if (place == null) {
            return "no such node";
        }
        var node = place.node();
        if (plugins.contains("NodeUnschedulable") && !isSchedulable(pod, node)) {
            return "NodeUnschedulable";
        }
        if (plugins.contains("TaintToleration") && isRepelled(pod, node)) {
            return "TaintToleration";
        }
        if (plugins.contains("NodeAffinity") && !isWantedNode(pod, node)) {
            return "NodeAffinity";
        }
        if (plugins.contains("NodePorts") && hasPortConflict(pod, place)) {
            return "NodePorts";
        }
        if (plugins.contains("NodeResourcesFit")) {
            var lacking = lacking(pod, place);
            if (lacking != null) {
                return "NodeResourcesFit: " + lacking;
            }
        }
        var volume = cluster.volumes().refusal(cluster, pod, place, plugins);
        if (volume != null) {
            return volume;
        }
        if (plugins.contains("PodTopologySpread") && !isSpread(cluster, pod, node)) {
            return "PodTopologySpread";
        }
        if (plugins.contains("InterPodAffinity")) {
            var quarrel = quarrel(cluster, pod, node);
            if (quarrel != null) {
                return "InterPodAffinity: " + quarrel;
            }
        }
        return cluster.devices().refusal(pod, node, plugins);
    }

    private static boolean isSchedulable(Pod pod, Node node) {
        return !node.unschedulable() || tolerates(pod, CORDON);
    }

    private static boolean isRepelled(Pod pod, Node node) {
        return node.taints().stream()
                .anyMatch(taint -> taint.keepsPodsAway() && !tolerates(pod, taint));
    }

    private static boolean tolerates(Pod pod, Taint taint) {
        return pod.spec().tolerations().stream().anyMatch(t -> t.tolerates(taint));
    }

    private static boolean isWantedNode(Pod pod, Node node) {
        var selector = pod.spec().nodeSelector();
        if (selector != null) {
            for (var wanted : selector.toMap().entrySet()) {
                if (!wanted.getValue().equals(node.labels().value(wanted.getKey()))) {
                    return false;
                }
            }
        }
        var required = pod.spec().affinity().requiredNodes();
        return required == null || required.matches(node);
    }

    private static boolean hasPortConflict(Pod pod, Place place) {
        for (var wanted : pod.spec().hostPorts()) {
            for (var other : others(pod, place)) {
                for (HostPort taken : other.spec().hostPorts()) {
                    if (wanted.conflictsWith(taken)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /// What the node has too little of; null where it has enough of everything.
    static @Nullable String lacking(Pod pod, Place place) {
        var has = place.node().allocatable();
        var others = others(pod, place);
        if (others.size() + 1 > has.pods()) {
            return "pods";
        }
        var wanted = pod.requests().exact();
        var names = new java.util.TreeSet<>(wanted.scalars().keySet());
        names.addAll(List.of("cpu", "memory", "ephemeral-storage"));
        for (var name : names) {
            long used = others.stream().mapToLong(o -> o.requests().exact().amount(name)).sum();
            long amount = wanted.amount(name);
            if (amount > 0 && used + amount > has.amount(name)) {
                return name;
            }
        }
        return null;
    }

    private static List<Pod> others(Pod pod, Place place) {
        return place.pods().stream().filter(other -> !other.uid().equals(pod.uid())).toList();
    }

    private static boolean isSpread(PlainCluster cluster, Pod pod, Node node) {
        var hard = pod.spec().topologySpread().stream().filter(c -> c.hard()).toList();
        for (var constraint : hard) {
            var value = node.labels().value(constraint.topologyKey());
            if (value == null) {
                return false;
            }
            var counts = countByDomain(cluster, pod, constraint, hard);
            long least = counts.values().stream().mapToLong(count -> count).min().orElse(1L << 31);
            if (counts.size() < constraint.minDomains()) {
                least = 0;
            }
            long self = constraint.selector().matches(pod.labels()) ? 1 : 0;
            if (counts.getOrDefault(value, 0L) + self - least > constraint.maxSkew()) {
                return false;
            }
        }
        return true;
    }

    private static Map<String, Long> countByDomain(
            PlainCluster cluster,
            Pod pod,
            TopologySpreadConstraint constraint,
            List<TopologySpreadConstraint> all) {
        var counts = new HashMap<String, Long>();
        for (var place : cluster.places()) {
            var labels = place.node().labels();
            var value = labels.value(constraint.topologyKey());
            boolean isIncluded =
                    value != null
                            && all.stream().allMatch(c -> labels.has(c.topologyKey()))
                            && (!constraint.honorsNodeAffinity() || isWantedNode(pod, place.node()))
                            && (!constraint.honorsNodeTaints() || !isRepelled(pod, place.node()));
            if (isIncluded) {
                long matching =
                        others(pod, place).stream()
                                .filter(other -> !other.isTerminating())
                                .filter(other -> isCounted(constraint, pod, other))
                                .count();
                // A pod that is taken away in thought is subtracted even where it did not count,
                // since it is terminating (TS-12).
                long owed =
                        place.takenAway().stream()
                                .filter(other -> isCounted(constraint, pod, other))
                                .count();
                counts.merge(value, matching - owed, Long::sum);
            }
        }
        return counts;
    }

    private static boolean isCounted(TopologySpreadConstraint constraint, Pod pod, Pod other) {
        return other.namespace().equals(pod.namespace())
                && constraint.selector().matches(other.labels());
    }

    /// Whether InterPodAffinity sits a whole attempt out: nobody in the cluster has a required term
    /// that concerns the pod (IP-6). It then hears of no pods that come or go in thought either.
    public static boolean isUnconcerned(PlainCluster cluster, Pod pod) {
        var affinity = pod.spec().affinity();
        if (!affinity.requiredPods().isEmpty() || !affinity.requiredAntiPods().isEmpty()) {
            return false;
        }
        for (var place : cluster.places()) {
            for (var other : others(pod, place)) {
                for (var term : other.spec().affinity().requiredAntiPods()) {
                    if (means(term, other, pod) && place.node().labels().has(term.topologyKey())) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /// Whether VolumeRestrictions sits a whole attempt out: the pod has no disk, and nobody uses a
    /// claim of it that is for a single pod (VR-2). It then hears of no pods that come or go in
    /// thought either.
    public static boolean isUnrestricted(PlainCluster cluster, Pod pod) {
        return PlainVolumes.disksOf(pod).isEmpty() && !cluster.volumes().isTaken(cluster, pod);
    }

    private static @Nullable String quarrel(PlainCluster cluster, Pod pod, Node node) {
        var affinity = pod.spec().affinity();
        for (var place : cluster.places()) {
            for (var other : others(pod, place)) {
                for (var term : other.spec().affinity().requiredAntiPods()) {
                    if (means(term, other, pod) && sameDomain(term, place.node(), node)) {
                        return other.key() + SHUNNED;
                    }
                }
                for (var term : affinity.requiredAntiPods()) {
                    if (means(term, pod, other) && sameDomain(term, place.node(), node)) {
                        return "does not want " + other.key();
                    }
                }
            }
        }
        return hasCompany(cluster, pod, node) ? null : "misses company";
    }

    private static boolean hasCompany(PlainCluster cluster, Pod pod, Node node) {
        var terms = pod.spec().affinity().requiredPods();
        if (!terms.stream().allMatch(term -> node.labels().has(term.topologyKey()))) {
            return false;
        }
        boolean isAlone = true;
        var met = new boolean[terms.size()];
        for (var place : cluster.places()) {
            for (var other : others(pod, place)) {
                if (!terms.stream().allMatch(term -> means(term, pod, other))) {
                    continue;
                }
                for (int i = 0; i < met.length; i++) {
                    if (place.node().labels().has(terms.get(i).topologyKey())) {
                        isAlone = false;
                    }
                    met[i] |= sameDomain(terms.get(i), place.node(), node);
                }
            }
        }
        boolean allMet = true;
        for (boolean one : met) {
            allMet &= one;
        }
        // The first of a group that wants to be together has to start somewhere.
        return allMet || isAlone && terms.stream().allMatch(term -> means(term, pod, pod));
    }

    public static boolean means(PodTerm term, Pod owner, Pod other) {
        // As the simulated cluster labels its namespaces.
        var namespaceLabels = Labels.of("team", other.namespace());
        return term.matches(owner.namespace(), other.namespace(), namespaceLabels, other.labels());
    }

    private static boolean sameDomain(PodTerm term, Node a, Node b) {
        var value = a.labels().value(term.topologyKey());
        return value != null && value.equals(b.labels().value(term.topologyKey()));
    }
}
