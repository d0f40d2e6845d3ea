package io.berth.lab;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
import io.berth.engine.port.ClusterImage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// A cluster that stays as it was in an image.
public final class ImageCluster implements KnownCluster {
    private final ClusterImage image;
    private final List<Node> nodes;
    private final Map<String, Node> byName = new HashMap<>();
    private final List<Pod> pods;
    private final Map<String, Pod> byKey = new HashMap<>();
    private final Map<String, List<Pod>> byNode = new HashMap<>();

    public ImageCluster(ClusterImage image) {
        this.image = image;
        this.nodes = image.nodes();
        this.pods = image.pods();
        nodes.forEach(node -> byName.put(node.name(), node));
        for (var pod : pods) {
            byKey.put(pod.key(), pod);
            if (pod.isAssigned() && !pod.isTerminal()) {
                byNode.computeIfAbsent(pod.nodeName(), _ -> new ArrayList<>()).add(pod);
            }
        }
    }

    @Override
    public Collection<Node> nodes() {
        return nodes;
    }

    @Override
    public Map<String, Node> nodesByName() {
        return byName;
    }

    @Override
    public long nodesVersion() {
        return 0;
    }

    @Override
    public List<Pod> podsOn(String node) {
        return byNode.getOrDefault(node, List.of());
    }

    @Override
    public Optional<Pod> pod(String key) {
        return Optional.ofNullable(byKey.get(key));
    }

    @Override
    public List<Pod> podsWithoutNode() {
        return pods.stream().filter(pod -> !pod.isAssigned()).toList();
    }

    @Override
    public void forEachPod(Consumer<Pod> consumer) {
        pods.forEach(consumer);
    }

    @Override
    public int podCount() {
        return pods.size();
    }

    @Override
    public Optional<ClusterObject> object(Kind kind, String key) {
        return image.of(kind).stream().filter(object -> object.key().equals(key)).findFirst();
    }
}
