package io.berth.testkit;

import io.berth.api.amount.Quantity;
import io.berth.api.amount.Resources;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.NodeBuilder;
import io.berth.api.model.NodeImage;
import io.berth.api.spec.Taint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Builds nodes in the words of a test: `node("a").cpu("4").zone("z1").build()`. Without further
/// words a node has 4 cores, 16 GiB and room for 110 pods.
public final class Nodes {
    private final NodeBuilder node;
    private final Map<String, Quantity> allocatable = new LinkedHashMap<>();
    private Labels labels;

    private Nodes(String name) {
        node = Node.builder(name);
        labels = Labels.of(Node.HOSTNAME_LABEL, name);
        allocatable("cpu", "4").allocatable("memory", "16Gi").allocatable("pods", "110");
    }

    public static Nodes node(String name) {
        return new Nodes(name);
    }

    public Nodes cpu(String amount) {
        return allocatable("cpu", amount);
    }

    public Nodes memory(String amount) {
        return allocatable("memory", amount);
    }

    public Nodes pods(int count) {
        return allocatable("pods", Integer.toString(count));
    }

    public Nodes allocatable(String resource, String amount) {
        allocatable.put(resource, Quantity.parse(amount));
        return this;
    }

    public Nodes label(String key, String value) {
        labels = labels.with(key, value);
        return this;
    }

    public Nodes zone(String zone) {
        return label(Node.ZONE_LABEL, zone);
    }

    public Nodes taint(String key, String value, String effect) {
        node.taint(new Taint(key, value, effect));
        return this;
    }

    public Nodes unschedulable() {
        node.unschedulable(true);
        return this;
    }

    public Nodes image(String name, long sizeBytes) {
        node.image(new NodeImage(List.of(name), sizeBytes));
        return this;
    }

    /// Changes anything else.
    public Nodes with(Consumer<NodeBuilder> change) {
        change.accept(node);
        return this;
    }

    public Node build() {
        return node.labels(labels).allocatable(Resources.of(allocatable)).build();
    }
}
