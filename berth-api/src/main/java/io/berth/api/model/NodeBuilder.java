package io.berth.api.model;

import io.berth.api.amount.Resources;
import io.berth.api.label.Labels;
import io.berth.api.spec.Taint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Builds a [Node].
public final class NodeBuilder {
    private String name;
    private String uid;
    private String resourceVersion = "";
    private Labels labels = Labels.EMPTY;
    private Labels annotations = Labels.EMPTY;
    private final List<Taint> taints = new ArrayList<>();
    private boolean unschedulable;
    private Resources allocatable = Resources.NONE;
    private final List<NodeImage> images = new ArrayList<>();
    private final Map<String, String> conditions = new LinkedHashMap<>();
    private final Set<String> declaredFeatures = new HashSet<>();

    NodeBuilder(String name) {
        this.name = name;
        this.uid = name;
    }

    NodeBuilder(Node from) {
        name = from.name();
        uid = from.uid();
        resourceVersion = from.resourceVersion();
        labels = from.labels();
        annotations = from.annotations();
        taints.addAll(from.taints());
        unschedulable = from.unschedulable();
        allocatable = from.allocatable();
        images.addAll(from.images());
        conditions.putAll(from.conditions());
        declaredFeatures.addAll(from.declaredFeatures());
    }

    public NodeBuilder name(String value) {
        name = value;
        return this;
    }

    public NodeBuilder uid(String value) {
        uid = value;
        return this;
    }

    public NodeBuilder resourceVersion(String value) {
        resourceVersion = value;
        return this;
    }

    public NodeBuilder labels(Labels value) {
        labels = value;
        return this;
    }

    public NodeBuilder annotations(Labels value) {
        annotations = value;
        return this;
    }

    public NodeBuilder taint(Taint taint) {
        taints.add(taint);
        return this;
    }

    public NodeBuilder taints(List<Taint> all) {
        taints.clear();
        taints.addAll(all);
        return this;
    }

    public NodeBuilder unschedulable(boolean value) {
        unschedulable = value;
        return this;
    }

    public NodeBuilder allocatable(Resources value) {
        allocatable = value;
        return this;
    }

    public NodeBuilder image(NodeImage image) {
        images.add(image);
        return this;
    }

    public NodeBuilder images(List<NodeImage> all) {
        images.clear();
        images.addAll(all);
        return this;
    }

    public NodeBuilder condition(String type, String status) {
        conditions.put(type, status);
        return this;
    }

    public NodeBuilder declaredFeature(String feature) {
        declaredFeatures.add(feature);
        return this;
    }

    public Node build() {
        return new Node(
                name,
                uid,
                resourceVersion,
                labels,
                annotations,
                taints,
                unschedulable,
                allocatable,
                images,
                conditions,
                declaredFeatures);
    }
}
