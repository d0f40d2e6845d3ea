package io.berth.kube.extender;

import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.kube.codec.Decoded;
import io.berth.kube.watch.RawKeeper;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The JSON of pods and nodes, as far as some extender is sent whole objects.
///
/// The scheduler's own records hold only what placing pods depends on, so objects that go out whole
/// are kept beside them. That costs memory, so no more is kept than the extenders ask for: pending
/// pods where one filters, scores or preempts; nodes where one that has no node cache filters or
/// scores; running pods only where one without a node cache preempts.
///
/// Always the newest form that the watch saw. What vanished a moment ago is still found, since an
/// attempt that began before may need it. Written by watches, read by whoever calls an extender.
final class RawObjects implements RawKeeper {
    private static final int MOST_LEAVERS = 1_000;

    private final boolean wantsPending;
    private final boolean wantsBound;
    private final boolean wantsNodes;
    private final Map<String, byte[]> pods = new ConcurrentHashMap<>();
    private final Map<String, byte[]> nodes = new ConcurrentHashMap<>();
    private final Map<String, byte[]> leavers =
            Collections.synchronizedMap(
                    new LinkedHashMap<>() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        protected boolean removeEldestEntry(Map.Entry<String, byte[]> eldest) {
                            return size() > MOST_LEAVERS;
                        }
                    });

    RawObjects(List<ExtenderSettings> extenders) {
        this.wantsPending =
                extenders.stream().anyMatch(e -> e.filters() || e.prioritizes() || e.preempts());
        this.wantsBound = extenders.stream().anyMatch(e -> e.preempts() && !e.nodeCacheCapable());
        this.wantsNodes =
                extenders.stream()
                        .anyMatch(e -> (e.filters() || e.prioritizes()) && !e.nodeCacheCapable());
    }

    @Override
    public boolean wants(Kind kind) {
        return kind == Kind.POD && wantsPending || kind == Kind.NODE && wantsNodes;
    }

    @Override
    public void seen(Kind kind, Decoded object) {
        byte[] raw = object.raw();
        if (raw == null) {
            return;
        }
        if (object.object() instanceof Pod pod) {
            if (pod.isAssigned() && !wantsBound) {
                leave(pod.uid(), pods.remove(pod.uid()));
            } else {
                pods.put(pod.uid(), raw);
            }
        } else if (kind == Kind.NODE) {
            nodes.put(object.key(), raw);
        }
    }

    @Override
    public void gone(Kind kind, String key, String uid) {
        if (kind == Kind.POD) {
            leave(uid, pods.remove(uid));
        } else if (kind == Kind.NODE) {
            leave(key, nodes.remove(key));
        }
    }

    private void leave(String key, byte @Nullable [] raw) {
        if (raw != null) {
            leavers.put(key, raw);
        }
    }

    /// The pod as JSON, with the node that the scheduler has in mind for it.
    byte[] pod(Pod pod) {
        byte[] raw = found(pods.get(pod.uid()), pod.uid(), "pod", pod.key());
        return pod.isAssigned() ? Json.onNode(raw, pod.nodeName()) : raw;
    }

    byte[] node(Node node) {
        return found(nodes.get(node.name()), node.name(), "node", node.name());
    }

    private byte[] found(byte @Nullable [] raw, String key, String what, String name) {
        if (raw != null) {
            return raw;
        }
        byte[] leaver = leavers.get(key);
        if (leaver == null) {
            throw new IllegalStateException(
                    what + " " + name + " is no longer there and cannot be sent to an extender");
        }
        return leaver;
    }

    int size() {
        return pods.size() + nodes.size();
    }
}
