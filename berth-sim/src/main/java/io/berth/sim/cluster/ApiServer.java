package io.berth.sim.cluster;

import io.berth.api.handle.ClusterException;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.PodCondition;
import io.berth.api.model.ResourceClaim;
import io.berth.api.write.Write;
import io.berth.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The truth about the cluster. Changes take effect here at once; who wants to know of them
/// listens, and passes them on as late as he likes.
public final class ApiServer {
    /// Hears of every change.
    public interface Listener {
        /// @param after null where the object is gone
        void changed(@Nullable Stored before, @Nullable Stored after);
    }

    private final VirtualTime time;
    private final Map<Kind, Map<String, Stored>> objects = new TreeMap<>();
    private final List<Listener> listeners = new ArrayList<>();
    private final List<Pod> created = new ArrayList<>();
    private long revision;
    private long uids;

    public ApiServer(VirtualTime time) {
        this.time = time;
        for (var kind : Kind.values()) {
            objects.put(kind, new TreeMap<>());
        }
    }

    public void listen(Listener listener) {
        listeners.add(listener);
    }

    public void unlisten(Listener listener) {
        listeners.remove(listener);
    }

    public String newUid() {
        return "u" + ++uids;
    }

    /// All objects of a kind in list order.
    public Collection<Stored> list(Kind kind) {
        return of(kind).values();
    }

    public @Nullable Stored find(Kind kind, String key) {
        return of(kind).get(key);
    }

    public @Nullable Pod pod(String key) {
        var stored = find(Kind.POD, key);
        return stored == null ? null : (Pod) stored.object();
    }

    /// Whether a pod like this has ever been there, in the form in which it was created.
    public boolean everHadPodWith(Predicate<Pod> property) {
        return created.stream().anyMatch(property);
    }

    /// The pods that are not finished.
    public List<Pod> pods() {
        var pods = new ArrayList<Pod>();
        for (var stored : list(Kind.POD)) {
            if (stored.isWatched()) {
                pods.add((Pod) stored.object());
            }
        }
        return pods;
    }

    public List<Node> nodes() {
        return list(Kind.NODE).stream().map(stored -> (Node) stored.object()).toList();
    }

    public @Nullable Node node(String name) {
        var stored = find(Kind.NODE, name);
        return stored == null ? null : (Node) stored.object();
    }

    /// Creates or replaces an object.
    public void put(ClusterObject object) {
        var before = of(object.kind()).get(object.key());
        long version = ++revision;
        var stored =
                switch (object) {
                    case Pod pod -> {
                        if (before == null) {
                            created.add(pod);
                        }
                        yield new Stored(
                                pod.toBuilder().resourceVersion("" + version).build(),
                                pod.uid(),
                                version);
                    }
                    case Node node ->
                            new Stored(
                                    node.toBuilder().resourceVersion("" + version).build(),
                                    node.uid(),
                                    version);
                    case PersistentVolume volume ->
                            new Stored(
                                    volume.toBuilder().resourceVersion("" + version).build(),
                                    volume.uid(),
                                    version);
                    case PersistentVolumeClaim claim ->
                            new Stored(
                                    claim.toBuilder().resourceVersion("" + version).build(),
                                    claim.uid(),
                                    version);
                    case ResourceClaim claim ->
                            new Stored(claim.at("" + version), claim.uid(), version);
                    default ->
                            new Stored(object, before == null ? newUid() : before.uid(), version);
                };
        of(object.kind()).put(object.key(), stored);
        tell(before, stored);
    }

    public void remove(Kind kind, String key) {
        var before = of(kind).remove(key);
        if (before != null) {
            revision++;
            tell(before, null);
        }
    }

    /// Changes a pod, if it is still the one of that uid.
    public void change(String key, String uid, UnaryOperator<Pod> change) {
        var pod = pod(key);
        if (pod != null && pod.uid().equals(uid)) {
            put(change.apply(pod));
        }
    }

    /// The binding subresource.
    public void bind(String key, String uid, String node) {
        var pod = existing(key, uid);
        if (pod.isTerminating()) {
            throw new ClusterException(
                    ClusterException.Kind.CONFLICT,
                    "pod " + pod.name() + " is being deleted, cannot be assigned to a host");
        }
        if (pod.isAssigned()) {
            throw new ClusterException(
                    ClusterException.Kind.CONFLICT,
                    "pod %s is already assigned to node \"%s\""
                            .formatted(pod.name(), pod.nodeName()));
        }
        put(
                pod.toBuilder()
                        .nodeName(node)
                        .nominatedNodeName("")
                        .condition(PodCondition.of(PodCondition.POD_SCHEDULED, "True", "", ""))
                        .build());
    }

    /// The status subresource, changed by what differs from the form that the writer knew.
    public void patchStatus(
            Pod known, @Nullable PodCondition condition, @Nullable String nominatedNodeName) {
        var pod = existing(known.key(), known.uid());
        var change = pod.toBuilder();
        if (condition != null) {
            change.condition(condition);
        }
        if (nominatedNodeName != null && !nominatedNodeName.equals(known.nominatedNodeName())) {
            change.nominatedNodeName(nominatedNodeName);
        }
        var changed = change.build();
        if (!changed.equals(pod)) {
            put(changed);
        }
    }

    /// Deletes a pod: at once where it has no node, else its kubelet ends it.
    public void delete(String key, String uid) {
        var pod = existing(key, uid);
        if (!pod.isAssigned() || pod.isTerminal()) {
            remove(Kind.POD, key);
        } else if (!pod.isTerminating()) {
            put(pod.toBuilder().deletedAt(time.now()).build());
        }
    }

    /// Keeps a volume for a claim, unless the volume has changed.
    ///
    /// @return its version from then on
    public String reserve(Write.ReserveVolume write) {
        var key = write.volume().key();
        var stored = unchanged(Kind.PERSISTENT_VOLUME, key, write.volume().resourceVersion());
        var claim = write.claim();
        var reference =
                new PersistentVolume.ClaimReference(claim.namespace(), claim.name(), claim.uid());
        return replace(
                stored, ((PersistentVolume) stored.object()).toBuilder().claim(reference).build());
    }

    /// Says for which node a claim's volume is to be made, unless the claim has changed.
    ///
    /// @return its version from then on
    public String select(Write.SelectNode write) {
        var key = write.claim().key();
        var stored = unchanged(Kind.PERSISTENT_VOLUME_CLAIM, key, write.claim().resourceVersion());
        return replace(
                stored,
                ((PersistentVolumeClaim) stored.object())
                        .toBuilder().selectedNode(write.node()).build());
    }

    /// What changes nothing is no change: the version stays, and nobody hears of it.
    private String replace(Stored before, ClusterObject after) {
        if (!before.object().equals(after)) {
            put(after);
            return "" + revision;
        }
        return "" + before.revision();
    }

    private Stored unchanged(Kind kind, String key, String version) {
        var stored = find(kind, key);
        if (stored == null) {
            throw new ClusterException(
                    ClusterException.Kind.NOT_FOUND, kind.plural() + " \"" + key + "\" not found");
        }
        if (!version.equals("" + stored.revision())) {
            throw new ClusterException(
                    ClusterException.Kind.CONFLICT,
                    "Operation cannot be fulfilled on " + kind.plural() + " \"" + key + "\"");
        }
        return stored;
    }

    Pod existing(String key, String uid) {
        var pod = pod(key);
        if (pod == null || !pod.uid().equals(uid)) {
            throw new ClusterException(
                    ClusterException.Kind.NOT_FOUND, "pods \"" + key + "\" not found");
        }
        return pod;
    }

    private Map<String, Stored> of(Kind kind) {
        var ofKind = objects.get(kind);
        if (ofKind == null) {
            throw new IllegalStateException("no " + kind);
        }
        return ofKind;
    }

    private void tell(@Nullable Stored before, @Nullable Stored after) {
        for (var listener : List.copyOf(listeners)) {
            listener.changed(before, after);
        }
    }
}
