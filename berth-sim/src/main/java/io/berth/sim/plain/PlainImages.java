package io.berth.sim.plain;

import io.berth.api.column.NodeView;
import io.berth.api.column.NodeView.ImageState;
import io.berth.api.handle.StateObserver;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.api.spec.Volume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The images of all nodes by the letter of the contract (E-17, E-18, IL-1 to IL-4): a table that
/// all nodes share, and a copy for each node, taken at the begin of the first attempt after the
/// node, or a pod on it, changed.
public final class PlainImages implements StateObserver {
    private static final long MIB = 1 << 20;

    private final Map<String, Entry> table = new HashMap<>();
    private final Map<Integer, Node> nodes = new HashMap<>();
    private final Set<Integer> changed = new HashSet<>();
    private final Map<String, Map<String, ImageState>> copies = new HashMap<>();

    private record Entry(long sizeBytes, Set<String> nodes) {}

    @Override
    public void podAdded(Pod pod, int slot) {
        changed.add(slot);
    }

    @Override
    public void podRemoved(Pod pod, int slot) {
        changed.add(slot);
    }

    @Override
    public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {
        changed.add(slot);
        if (before != null) {
            nodes.remove(slot);
            forEachImage(before, (name, _) -> leave(name, before.name()));
        }
        if (after != null) {
            nodes.put(slot, after);
            forEachImage(after, (name, size) -> enter(name, size, after.name()));
        }
    }

    private interface ImageVisitor {
        void visit(String name, long sizeBytes);
    }

    private static void forEachImage(Node node, ImageVisitor visitor) {
        for (var image : node.images()) {
            image.names().forEach(name -> visitor.visit(name, image.sizeBytes()));
        }
    }

    private void leave(String name, String node) {
        var entry = table.get(name);
        if (entry != null) {
            entry.nodes.remove(node);
            if (entry.nodes.isEmpty()) {
                table.remove(name);
            }
        }
    }

    private void enter(String name, long sizeBytes, String node) {
        table.computeIfAbsent(name, _ -> new Entry(sizeBytes, new HashSet<>())).nodes.add(node);
    }

    /// An attempt begins. What the nodes show from now on must be what the copies say.
    public void check(List<NodeView> shown) {
        for (int slot : changed) {
            var node = nodes.get(slot);
            if (node != null) {
                copies.put(node.name(), copy(node));
            }
        }
        changed.clear();
        for (var node : shown) {
            var expected = copies.getOrDefault(node.name(), Map.of());
            Broken.require(
                    new HashMap<>(node.images()).equals(expected),
                    "%s shows the images %s, but should show %s",
                    node.name(),
                    node.images(),
                    expected);
        }
    }

    private Map<String, ImageState> copy(Node node) {
        var copy = new HashMap<String, ImageState>();
        forEachImage(
                node,
                (name, _) -> {
                    var entry = table.get(name);
                    if (entry != null) {
                        copy.put(name, new ImageState(entry.sizeBytes, entry.nodes.size()));
                    }
                });
        return copy;
    }

    /// What ImageLocality must say about a node.
    ///
    /// @param nodeCount of the whole cluster
    static long score(Pod pod, NodeView node, int nodeCount) {
        var wanted = new ArrayList<String>();
        pod.spec().initContainers().forEach(container -> wanted.add(container.image()));
        pod.spec().containers().forEach(container -> wanted.add(container.image()));
        long containers = wanted.size();
        pod.spec()
                .volumes()
                .forEach(volume -> {
                    if (volume.source() instanceof Volume.Image image) {
                        wanted.add(image.reference());
                    }
                });
        long sum = 0;
        for (var name : wanted) {
            boolean hasTag = name.lastIndexOf(':') > name.lastIndexOf('/');
            var state = node.images().get(hasTag ? name : name + ":latest");
            if (state != null) {
                sum += (long) (state.sizeBytes() * ((double) state.nodeCount() / nodeCount));
            }
        }
        long most = 1000 * MIB * containers;
        long counted = Math.max(23 * MIB, Math.min(sum, most));
        return 100 * (counted - 23 * MIB) / (most - 23 * MIB);
    }
}
