package io.berth.testkit;

import io.berth.api.handle.ClusterException;
import io.berth.api.handle.ClusterWrites;
import io.berth.api.handle.Recorder;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.write.Departure;
import io.berth.api.write.Receipt;
import io.berth.api.write.Write;
import io.berth.engine.port.ClusterFeed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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
    private final List<Write.PatchObject> patches = new CopyOnWriteArrayList<>();
    private boolean isHeld;
    private final InMemoryVolumes volumes = new InMemoryVolumes(this::nextRevision, this::tell);
    private final InMemoryDevices devices = new InMemoryDevices(this::nextRevision, this::tell);
    private long revision;

    /// The volumes and claims that writes are about.
    public InMemoryVolumes volumes() {
        return volumes;
    }

    /// The resource claims that writes are about.
    public InMemoryDevices devices() {
        return devices;
    }

    @Override
    public ClusterObject read(Kind kind, String namespace, String name) {
        return kind == Kind.PERSISTENT_VOLUME
                ? volumes.volume(name)
                : devices.claim(namespace + "/" + name);
    }

    private String nextRevision() {
        return Long.toString(++revision);
    }

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
    public Receipt send(Write write, Departure departure) {
        if (!departure.leaves()) {
            return Receipt.WITHDRAWN;
        }
        switch (write) {
            case Write.Bind(var pod, var node) -> bind(pod, node);
            case Write.PatchStatus patch -> patchStatus(patch);
            case Write.PatchObject patch -> patches.add(patch);
            // Without a kubelet a deletion is done at once.
            case Write.Delete(var pod) -> remove(existing(pod));
            case Write.ReserveVolume reserve -> {
                return Receipt.of(volumes.reserve(reserve));
            }
            case Write.SelectNode select -> {
                return Receipt.of(volumes.select(select));
            }
            case Write.NameClaim name ->
                    devices.attempt(
                            name, () -> store(ClaimWrites.named(name, existing(name.pod()))));
            case Write.OfDevices claim -> {
                return devices.carryOut(claim);
            }
        }
        return Receipt.SENT;
    }

    /// What was written about objects other than pods, in order. It changes nothing here.
    public List<Write.PatchObject> patches() {
        return List.copyOf(patches);
    }

    private void bind(Pod pod, String node) {
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

    private void patchStatus(Write.PatchStatus patch) {
        var condition = patch.condition();
        var nominatedNodeName = patch.nominatedNodeName();
        var change = existing(patch.pod()).toBuilder();
        if (condition != null) {
            change.condition(condition);
        }
        if (nominatedNodeName != null) {
            change.nominatedNodeName(nominatedNodeName);
        }
        store(change.build());
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
        var stored = pod.toBuilder().resourceVersion(nextRevision()).build();
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
