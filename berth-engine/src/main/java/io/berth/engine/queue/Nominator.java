package io.berth.engine.queue;

import io.berth.api.handle.Log;
import io.berth.api.handle.Nominations;
import io.berth.api.model.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Pods that expect a node, since a preemption makes room for them there or an attempt has chosen
/// it. Owned by the engine thread.
///
/// A nomination lives here from the moment it is made; the pod's status follows later, by way of
/// the API server. Until then the status tells of what was before: the nomination that this one
/// takes the place of, or that there is none.
public final class Nominator implements Nominations {
    private static final class Nominated {
        private final String namespace;
        private final String name;
        private final String uid;
        private final String key;

        /// What the pod's status said when it was nominated.
        private final String before;

        /// Whether the status has told of this nomination.
        private boolean isTold;

        /// The pod's entry in the queue when it was last looked for; of use while it is in there.
        private @Nullable QueuedPodInfo entry;

        Nominated(Pod pod, String node) {
            namespace = pod.namespace();
            name = pod.name();
            uid = pod.uid();
            key = pod.key();
            before = pod.nominatedNodeName();
            isTold = before.equals(node);
        }

        /// Whether a status is older than this nomination.
        boolean isAfter(Pod pod) {
            return !isTold
                    && (pod.nominatedNodeName().isEmpty()
                            || pod.nominatedNodeName().equals(before));
        }
    }

    private final KnownPods known;
    private final Map<String, QueuedPodInfo> queued;
    private final Log log;
    private final Map<String, String> nodeByUid = new HashMap<>();
    private final Map<String, List<Nominated>> byNode = new HashMap<>();
    private long changes;

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
        if (info == null || info.subQueue() == SubQueue.OUT) {
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

    /// The nodes that pods are nominated to.
    public Set<String> nodes() {
        return Collections.unmodifiableSet(byNode.keySet());
    }

    /// How often nominations have come and gone.
    long changes() {
        return changes;
    }

    @Override
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
        add(new Nominated(pod, nodeName), nodeName);
    }

    private void add(Nominated nominated, String nodeName) {
        changes++;
        nodeByUid.put(nominated.uid, nodeName);
        byNode.computeIfAbsent(nodeName, name -> new ArrayList<>()).add(nominated);
    }

    /// Leaves a pod's nomination as it is: the one known here, which the status may not have heard
    /// of yet, or else that of the status.
    public void keep(Pod pod) {
        nominate(pod, nodeOf(pod.uid()).orElse(pod.nominatedNodeName()));
    }

    /// Nominates a pod as its status says.
    public void nominateByStatus(Pod pod) {
        nominate(pod, pod.nominatedNodeName());
    }

    /// Follows a change of a pod. A nomination that the status has not heard of yet stays: what the
    /// status says is older. That is why the last word of an earlier nomination, or that it was
    /// cleared, takes no newer one away.
    public void update(Pod before, Pod after) {
        String kept = nodeByUid.get(before.uid());
        @Nullable Nominated nominated = kept == null ? null : find(before.uid(), kept);
        remove(before);
        if (kept != null && nominated != null && nominated.isAfter(after)) {
            if (isWaiting(after)) {
                add(nominated, kept);
            }
        } else {
            nominateByStatus(after);
        }
    }

    private @Nullable Nominated find(String podUid, String node) {
        for (var nominated : byNode.getOrDefault(node, List.of())) {
            if (nominated.uid.equals(podUid)) {
                return nominated;
            }
        }
        return null;
    }

    @Override
    public void remove(Pod pod) {
        String node = nodeByUid.remove(pod.uid());
        if (node == null) {
            return;
        }
        changes++;
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
