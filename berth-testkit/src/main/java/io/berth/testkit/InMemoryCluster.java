package io.berth.testkit;

import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.plugin.ClusterException;
import io.berth.api.plugin.ClusterWrites;
import io.berth.api.plugin.Recorder;
import io.berth.engine.port.ClusterFeed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A cluster that accepts the scheduler's writes and echoes them as an API server's watch would: a
/// binding gives the pod its node and is then seen by the feed. Not thread-safe.
public final class InMemoryCluster implements ClusterWrites, Recorder {
    private final Map<String, Pod> pods = new LinkedHashMap<>();
    private final List<Event> events = new ArrayList<>();
    private final Map<String, ClusterException> bindFailures = new LinkedHashMap<>();
    private @Nullable ClusterFeed feed;
    private final List<Consumer<ClusterFeed>> held = new ArrayList<>();
    private boolean isHeld;
    private long revision;

    /// Sends what happens from now on to a feed.
    public void connect(ClusterFeed feed) {
        this.feed = feed;
    }

    /// Writes are accepted, but what they do is not seen until [#release]: a slow watch.
    public void hold() {
        isHeld = true;
    }

    /// Shows what happened since [#hold].
    public void release() {
        isHeld = false;
        held.forEach(this::tell);
        held.clear();
    }

    public void create(Pod pod) {
        store(pod);
    }

    public void remove(Pod pod) {
        pods.remove(pod.key());
        tell(feed -> feed.gone(Kind.POD, pod.namespace(), pod.name()));
    }

    public Pod pod(String key) {
        var pod = pods.get(key);
        if (pod == null) {
            throw new IllegalArgumentException("no pod " + key);
        }
        return pod;
    }

    public List<Pod> pods() {
        return List.copyOf(pods.values());
    }

    /// All events so far, oldest first.
    public List<Event> events() {
        return List.copyOf(events);
    }

    /// The next binding of a pod fails with this.
    public void failNextBind(String key, ClusterException failure) {
        bindFailures.put(key, failure);
    }

    @Override
    public void bind(Pod pod, String node) {
        var failure = bindFailures.remove(pod.key());
        if (failure != null) {
            throw failure;
        }
        var current = existing(pod);
        if (current.isAssigned()) {
            throw new ClusterException(
                    ClusterException.Kind.CONFLICT,
                    "Operation cannot be fulfilled on pods/binding \"%s\": pod %s is already assigned to node \"%s\""
                            .formatted(pod.name(), pod.name(), current.nodeName()));
        }
        store(
                current.toBuilder()
                        .nodeName(node)
                        .nominatedNodeName("")
                        .condition(PodCondition.of(PodCondition.POD_SCHEDULED, "True", "", ""))
                        .build());
    }

    @Override
    public void patchStatus(
            Pod pod, @Nullable PodCondition condition, @Nullable String nominatedNodeName) {
        var change = existing(pod).toBuilder();
        if (condition != null) {
            change.condition(condition);
        }
        if (nominatedNodeName != null) {
            change.nominatedNodeName(nominatedNodeName);
        }
        store(change.build());
    }

    /// Without a kubelet a deletion is done at once.
    @Override
    public void delete(Pod pod) {
        remove(existing(pod));
    }

    /// Marks a pod as being deleted.
    public void terminate(Pod pod, Instant at) {
        store(existing(pod).toBuilder().deletedAt(at).build());
    }

    private Pod existing(Pod pod) {
        var current = pods.get(pod.key());
        if (current == null || !current.uid().equals(pod.uid())) {
            throw new ClusterException(
                    ClusterException.Kind.NOT_FOUND, "pods \"" + pod.name() + "\" not found");
        }
        return current;
    }

    private void store(Pod pod) {
        var stored = pod.toBuilder().resourceVersion(Long.toString(++revision)).build();
        pods.put(stored.key(), stored);
        tell(feed -> feed.seen(stored));
    }

    private void tell(Consumer<ClusterFeed> happening) {
        var connected = feed;
        if (connected == null) {
            throw new IllegalStateException("connect the cluster to an engine first");
        }
        if (isHeld) {
            held.add(happening);
        } else {
            happening.accept(connected);
        }
    }

    @Override
    public void record(Event event, @Nullable Pod related) {
        events.add(event);
    }
}
