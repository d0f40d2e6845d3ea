package io.berth.engine.queue;

import io.berth.api.model.Pod;
import io.berth.api.plugin.Log;
import io.berth.api.plugin.Nominations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Pods that expect a node, since a preemption makes room for them there or an attempt has chosen
/// it. Owned by the engine thread.
///
/// A nomination lives here from the moment it is made; the pod's status follows later, by way of
/// the API server.
public final class Nominator implements Nominations {
    private static final class Nominated {
        private final String namespace;
        private final String name;
        private final String uid;
        private final String key;

        /// The pod's entry in the queue when it was last looked for; of use while it is in there.
        private @Nullable QueuedPodInfo entry;

        Nominated(Pod pod) {
            namespace = pod.namespace();
            name = pod.name();
            uid = pod.uid();
            key = pod.key();
        }
    }

    private final KnownPods known;
    private final Map<String, QueuedPodInfo> queued;
    private final Log log;
    private final Map<String, String> nodeByUid = new HashMap<>();
    private final Map<String, List<Nominated>> byNode = new HashMap<>();

    /// @param queued all pods in the queue by key
    Nominator(KnownPods known, Map<String, QueuedPodInfo> queued, Log log) {
        this.known = known;
        this.queued = queued;
        this.log = log;
    }

    /// The pods nominated to a node, in the order of nomination. One that is not in the queue is
    /// known by its identity alone.
    @Override
    public List<Pod> on(String nodeName) {
        if (byNode.isEmpty()) {
            return List.of();
        }
        var nominated = byNode.get(nodeName);
        if (nominated == null) {
            return List.of();
        }
        var pods = new ArrayList<Pod>(nominated.size());
        for (var one : nominated) {
            pods.add(body(one));
        }
        return pods;
    }

    private Pod body(Nominated nominated) {
        var info = nominated.entry;
        if (info == null || info.place() == Place.OUT) {
            info = queued.get(nominated.key);
            nominated.entry = info;
        }
        return info != null && info.pod().uid().equals(nominated.uid)
                ? info.pod()
                : Pod.builder(nominated.namespace, nominated.name).uid(nominated.uid).build();
    }

    /// Whether no pod is nominated anywhere.
    @Override
    public boolean isEmpty() {
        return byNode.isEmpty();
    }

    /// The node that a pod is nominated to.
    public Optional<String> nodeOf(String podUid) {
        return Optional.ofNullable(nodeByUid.get(podUid));
    }

    /// Nominates a pod in place of its earlier nomination, whatever its status says. An empty name
    /// takes the nomination away. A pod that is gone or has a node is not nominated.
    @Override
    public void nominate(Pod pod, String nodeName) {
        remove(pod);
        if (nodeName.isEmpty() || !isWaiting(pod)) {
            return;
        }
        nodeByUid.put(pod.uid(), nodeName);
        byNode.computeIfAbsent(nodeName, name -> new ArrayList<>()).add(new Nominated(pod));
    }

    /// Nominates a pod as its status says.
    public void nominateByStatus(Pod pod) {
        nominate(pod, pod.nominatedNodeName());
    }

    /// Follows a change of a pod. A nomination that the status has not heard of yet stays.
    public void update(Pod before, Pod after) {
        String kept = nodeByUid.get(before.uid());
        remove(before);
        if (before.nominatedNodeName().isEmpty()
                && after.nominatedNodeName().isEmpty()
                && kept != null) {
            nominate(after, kept);
        } else {
            nominateByStatus(after);
        }
    }

    @Override
    public void remove(Pod pod) {
        String node = nodeByUid.remove(pod.uid());
        if (node == null) {
            return;
        }
        byNode.computeIfPresent(
                node,
                (name, list) -> {
                    list.removeIf(nominated -> nominated.uid.equals(pod.uid()));
                    return emptyToNull(list);
                });
    }

    private static @Nullable List<Nominated> emptyToNull(List<Nominated> list) {
        return list.isEmpty() ? null : list;
    }

    private boolean isWaiting(Pod pod) {
        var seen = known.pod(pod.key());
        if (seen == null) {
            log.info(
                    4,
                    "Pod doesn't exist in podLister, aborted adding it to the nominator",
                    "pod",
                    pod.key());
            return false;
        }
        if (seen.isAssigned()) {
            log.info(
                    4,
                    "Pod is already scheduled to a node, aborted adding it to the nominator",
                    "pod",
                    pod.key(),
                    "node",
                    seen.nodeName());
            return false;
        }
        return true;
    }
}
