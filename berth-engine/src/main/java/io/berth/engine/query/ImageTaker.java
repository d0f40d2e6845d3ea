package io.berth.engine.query;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Pod;
import io.berth.engine.port.ClusterImage;
import io.berth.engine.queue.SchedulingQueue;
import io.berth.engine.state.ClusterState;
import io.berth.engine.state.ObjectStore;
import java.util.ArrayList;
import java.util.List;

/// Takes an image of an engine's books: objects as last seen, pods as they are counted.
final class ImageTaker {
    private ImageTaker() {}

    static ClusterImage take(ClusterState state, ObjectStore objects, SchedulingQueue queue) {
        var all = new ArrayList<ClusterObject>(state.podCount() + objects.podCount());
        objects.forEachOther(all::add);
        var nodes = state.knownNodesInOrder();
        nodes.forEach(node -> all.add(node.node()));
        nodes.forEach(node -> all.addAll(node.pods()));
        state.ghosts().forEach(ghost -> all.addAll(ghost.pods()));
        all.addAll(pending(state, objects, queue));
        return ClusterImage.of(all);
    }

    /// Pods of ours in the order of the queue, so that theirs is kept; then those of others.
    static List<Pod> pending(ClusterState state, ObjectStore objects, SchedulingQueue queue) {
        var all = new ArrayList<Pod>();
        for (var info : queue.pending()) {
            var node = queue.nominator().nodeOf(info.pod().uid()).orElse("");
            all.add(nominated(info.pod(), node));
        }
        objects.forEachPod(pod -> {
            if (state.podOf(pod.uid()) == null && queue.find(pod.key()) == null) {
                all.add(pod);
            }
        });
        return all;
    }

    /// A pod with a status that tells of its nomination.
    static Pod nominated(Pod pod, String node) {
        return pod.nominatedNodeName().equals(node)
                ? pod
                : pod.toBuilder().nominatedNodeName(node).build();
    }
}
