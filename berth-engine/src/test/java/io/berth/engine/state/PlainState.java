package io.berth.engine.state;

import io.berth.api.column.NodeView.ImageState;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.Volume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The same cluster, written down plainly from the contract: names instead of slots, sums made when
/// asked for, and a snapshot that is copied.
final class PlainState {
    /// A node with its pods (E-13); the node is null for a ghost.
    static final class NodeInfo {
        @Nullable Node node;
        final List<Pod> pods = new ArrayList<>();
        final List<Pod> withAffinity = new ArrayList<>();
        final List<Pod> withRequiredAntiAffinity = new ArrayList<>();
        final Set<HostPort> ports = new HashSet<>();
        boolean changed = true;
    }

    private static final class Image {
        final long size;
        final Set<String> nodes = new HashSet<>();

        Image(long size) {
            this.size = size;
        }
    }

    final Map<String, NodeInfo> infos = new TreeMap<>();
    final Map<String, Pod> pods = new TreeMap<>();
    final Set<String> assumed = new HashSet<>();
    private final Map<String, List<String>> tree = new LinkedHashMap<>();
    private final Map<String, Image> images = new HashMap<>();

    /// The snapshot: nodes in order, and the images of each as they were when it last changed.
    List<String> order = new ArrayList<>();

    final Map<String, Map<String, ImageState>> frozen = new HashMap<>();

    void place(Pod pod) {
        var info = infos.computeIfAbsent(pod.nodeName(), name -> new NodeInfo());
        info.changed = true;
        info.pods.add(pod);
        if (pod.spec().affinity().hasPodAffinity()) {
            info.withAffinity.add(pod);
        }
        if (!pod.spec().affinity().requiredAntiPods().isEmpty()) {
            info.withRequiredAntiAffinity.add(pod);
        }
        info.ports.addAll(pod.spec().hostPorts());
        pods.put(pod.uid(), pod);
    }

    void take(String uid) {
        var pod = known(uid);
        var info = infos.get(pod.nodeName());
        if (info == null) {
            throw new IllegalStateException("no " + pod.nodeName());
        }
        info.changed = true;
        swapRemove(info.pods, pod);
        swapRemove(info.withAffinity, pod);
        swapRemove(info.withRequiredAntiAffinity, pod);
        pod.spec().hostPorts().forEach(info.ports::remove);
        pods.remove(uid);
        assumed.remove(uid);
        if (info.node == null && info.pods.isEmpty()) {
            infos.remove(pod.nodeName());
        }
    }

    Pod known(String uid) {
        var pod = pods.get(uid);
        if (pod == null) {
            throw new IllegalStateException("no " + uid);
        }
        return pod;
    }

    void setNode(Node node) {
        var info = infos.computeIfAbsent(node.name(), name -> new NodeInfo());
        info.changed = true;
        var before = info.node;
        if (before == null) {
            tree.computeIfAbsent(zone(node), zone -> new ArrayList<>()).add(node.name());
        } else {
            leaveImages(before);
            if (!zone(before).equals(zone(node))) {
                leaveTree(before);
                tree.computeIfAbsent(zone(node), zone -> new ArrayList<>()).add(node.name());
            }
        }
        for (var image : node.images()) {
            for (var name : image.names()) {
                images.computeIfAbsent(name, key -> new Image(image.sizeBytes()))
                        .nodes
                        .add(node.name());
            }
        }
        info.node = node;
    }

    void removeNode(String name) {
        var info = infos.get(name);
        if (info == null || info.node == null) {
            throw new IllegalStateException("no " + name);
        }
        leaveTree(info.node);
        leaveImages(info.node);
        info.node = null;
        info.changed = true;
        if (info.pods.isEmpty()) {
            infos.remove(name);
        }
    }

    /// UpdateSnapshot (E-32).
    void refresh() {
        boolean rebuild = false;
        for (var info : infos.values()) {
            var node = info.node;
            if (info.changed && node != null) {
                rebuild |= frozen.put(node.name(), imagesOf(node)) == null;
            }
            info.changed = false;
        }
        int nodes = tree.values().stream().mapToInt(List::size).sum();
        if (frozen.size() > nodes) {
            frozen.keySet().removeIf(name -> !isNode(name));
            rebuild = true;
        }
        if (rebuild) {
            order = new ArrayList<>();
            for (int i = 0; order.size() < nodes; i++) {
                for (var zone : tree.values()) {
                    if (i < zone.size()) {
                        order.add(zone.get(i));
                    }
                }
            }
        }
    }

    boolean isNode(String name) {
        var info = infos.get(name);
        return info != null && info.node != null;
    }

    List<String> ordered(Predicate<NodeInfo> having) {
        return order.stream()
                .filter(name -> {
                    var info = infos.get(name);
                    return info != null && info.node != null && having.test(info);
                })
                .toList();
    }

    Set<String> claimsInUse() {
        var result = new HashSet<String>();
        for (var info : infos.values()) {
            if (info.node != null) {
                info.pods.forEach(pod -> result.addAll(claims(pod)));
            }
        }
        return result;
    }

    static List<String> claims(Pod pod) {
        var result = new ArrayList<String>();
        for (var volume : pod.spec().volumes()) {
            if (volume.source() instanceof Volume.Claim claim) {
                result.add(pod.namespace() + "/" + claim.claimName());
            }
        }
        return result;
    }

    private Map<String, ImageState> imagesOf(Node node) {
        var result = new HashMap<String, ImageState>();
        for (var image : node.images()) {
            for (var name : image.names()) {
                var shared = images.get(name);
                if (shared != null) {
                    result.put(name, new ImageState(shared.size, shared.nodes.size()));
                }
            }
        }
        return result;
    }

    private void leaveImages(Node node) {
        for (var image : node.images()) {
            for (var name : image.names()) {
                var shared = images.get(name);
                if (shared != null && shared.nodes.remove(node.name()) && shared.nodes.isEmpty()) {
                    images.remove(name);
                }
            }
        }
    }

    private void leaveTree(Node node) {
        var members = tree.getOrDefault(zone(node), List.of());
        members.remove(node.name());
        if (members.isEmpty()) {
            tree.remove(zone(node));
        }
    }

    private static String zone(Node node) {
        Labels labels = node.labels();
        return labels.value(Node.REGION_LABEL) + "/" + labels.value(Node.ZONE_LABEL);
    }

    private static void swapRemove(List<Pod> list, Pod pod) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i).uid().equals(pod.uid())) {
                list.set(i, list.getLast());
                list.removeLast();
                return;
            }
        }
    }
}
