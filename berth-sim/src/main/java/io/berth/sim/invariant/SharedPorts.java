package io.berth.sim.invariant;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.engine.Inspection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/// Nodes on which two pods have the same port, through somebody else's fault. The contract counts
/// ports without counting how often (NP-4): when one of the two goes, the port counts as free. From
/// then on the plain reading and the contract differ for pods that want ports.
public final class SharedPorts implements Invariant {
    private final Watched watched;
    private final Set<String> nodes = new HashSet<>();

    SharedPorts(Watched watched) {
        this.watched = watched;
    }

    @Override
    public void beforeSeen(ClusterObject object) {
        if (object instanceof Pod pod && pod.isAssigned()) {
            var pods = new ArrayList<Pod>();
            watched.stream(Kind.POD).told().forEach(told -> pods.add((Pod) told));
            pods.addAll(Inspection.of(watched.engine()).state().pods());
            look(pods);
        }
    }

    @Override
    public void afterStep() {
        look(Inspection.of(watched.engine()).state().pods());
    }

    /// Looks for nodes that are to be noted among all pods that have or are assumed to have a node.
    private void look(Collection<Pod> pods) {
        var withPorts =
                pods.stream()
                        .filter(pod -> pod.isAssigned() && !pod.spec().hostPorts().isEmpty())
                        .toList();
        for (int i = 0; i < withPorts.size(); i++) {
            for (int j = 0; j < i; j++) {
                var a = withPorts.get(i);
                var b = withPorts.get(j);
                if (a.nodeName().equals(b.nodeName()) && !a.uid().equals(b.uid()) && share(a, b)) {
                    nodes.add(a.nodeName());
                }
            }
        }
    }

    private static boolean share(Pod a, Pod b) {
        return a.spec().hostPorts().stream().anyMatch(b.spec().hostPorts()::contains);
    }

    /// Whether the contract's answer about a pod on a node may differ from the plain one.
    boolean matterTo(Pod pod, String node) {
        return nodes.contains(node) && !pod.spec().hostPorts().isEmpty();
    }

    boolean matterTo(Pod pod) {
        return !nodes.isEmpty() && !pod.spec().hostPorts().isEmpty();
    }
}
