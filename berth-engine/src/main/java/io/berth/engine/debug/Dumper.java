package io.berth.engine.debug;

import io.berth.api.amount.Resources;
import io.berth.api.column.NodeView;
import io.berth.api.handle.Log;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.state.ClusterState;

/// Writes what the engine holds to the log: nodes with their pods, those that are gone or unknown
/// but have pods after the others, and the queue (rule E-177). Engine thread only.
public final class Dumper {
    private final ClusterState state;
    private final SchedulingQueue queue;
    private final Log log;

    public Dumper(ClusterState state, SchedulingQueue queue, Log log) {
        this.state = state;
        this.queue = queue;
        this.log = log;
    }

    public void dump() {
        log.info(0, "Dump of cached NodeInfo", "nodes", nodes());
        log.info(0, "Dump of scheduling queue", "summary", queue.summary(), "pods", pending());
    }

    private String nodes() {
        var text = new StringBuilder();
        for (var node : state.knownNodes()) {
            describe(node, false, node.node().allocatable(), text);
        }
        for (var ghost : state.ghosts()) {
            describe(ghost, true, Resources.NONE, text);
        }
        return text.toString();
    }

    private void describe(
            NodeView node, boolean isGhost, Resources allocatable, StringBuilder text) {
        if (!text.isEmpty()) {
            text.append("\n\n");
        }
        text.append("Node name: ").append(node.name());
        text.append("\nDeleted: ").append(isGhost);
        text.append("\nRequested Resources: ").append(resources(node.requested()));
        text.append("\nAllocatable Resources:").append(resources(allocatable));
        text.append("\nScheduled Pods(number: ").append(node.pods().size()).append("):");
        node.pods().forEach(pod -> text.append('\n').append(Comparer.line(pod)));
        var nominated = queue.nominator().on(node.name());
        if (!nominated.isEmpty()) {
            text.append("\nNominated Pods(number: ").append(nominated.size()).append("):");
            nominated.forEach(pod -> text.append('\n').append(Comparer.line(pod)));
        }
    }

    private static String resources(Resources amounts) {
        return "{cpu: %dm, memory: %d, ephemeral-storage: %d, pods: %d, scalars: %s}"
                .formatted(
                        amounts.cpuMillis(),
                        amounts.memoryBytes(),
                        amounts.ephemeralBytes(),
                        amounts.pods(),
                        amounts.scalars());
    }

    private String pending() {
        var text = new StringBuilder();
        queue.forEachPending(info -> {
            if (!text.isEmpty()) {
                text.append('\n');
            }
            text.append(Comparer.line(info.pod()));
        });
        return text.toString();
    }
}
