package io.berth.engine.debug;

import io.berth.api.handle.Log;
import io.berth.api.model.Pod;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.ObjectStore;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Compares what the watches have seen with what the engine works on, and logs what differs (rule
/// E-176). Engine thread only.
///
/// A pod in the middle of an attempt shows as missed. A node that only pods tell of shows as
/// redundant; none can be missed, since nodes as seen are kept in the state itself.
public final class Comparer {
    private final ObjectStore seen;
    private final ClusterState state;
    private final SchedulingQueue queue;
    private final Log log;

    public Comparer(ObjectStore seen, ClusterState state, SchedulingQueue queue, Log log) {
        this.seen = seen;
        this.state = state;
        this.queue = queue;
        this.log = log;
    }

    public void compare() {
        log.info(3, "Cache comparer started");
        compareNodes();
        comparePods();
        var wrong = state.recount();
        if (!wrong.isEmpty()) {
            log.error(null, "Cache mismatch", "recount", wrong);
        }
        log.info(3, "Cache comparer finished");
    }

    private void compareNodes() {
        var redundant = new TreeSet<String>();
        state.ghosts().forEach(ghost -> redundant.add(ghost.name()));
        if (!redundant.isEmpty()) {
            log.info(
                    0,
                    "Cache mismatch",
                    "missedNodes",
                    List.of(),
                    "redundantNodes",
                    List.copyOf(redundant));
        }
    }

    private void comparePods() {
        Set<String> expected = new TreeSet<>();
        seen.forEachPod(pod -> expected.add(pod.uid()));
        Set<String> held = new TreeSet<>();
        state.pods().forEach(pod -> held.add(pod.uid()));
        queue.forEachPending(info -> held.add(info.pod().uid()));
        var missed = without(expected, held);
        var redundant = without(held, expected);
        if (!missed.isEmpty() || !redundant.isEmpty()) {
            log.info(0, "Cache mismatch", "missedPods", missed, "redundantPods", redundant);
        }
    }

    private static List<String> without(Set<String> from, Set<String> these) {
        var left = new TreeSet<>(from);
        left.removeAll(these);
        return List.copyOf(left);
    }

    /// One line about a pod, as in dumps.
    static String line(Pod pod) {
        return "name: %s, namespace: %s, uid: %s, phase: %s, nominated node: %s"
                .formatted(
                        pod.name(),
                        pod.namespace(),
                        pod.uid(),
                        pod.phase(),
                        pod.nominatedNodeName());
    }
}
