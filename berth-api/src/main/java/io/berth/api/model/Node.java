package io.berth.api.model;

import io.berth.api.amount.Resources;
import io.berth.api.label.Labelled;
import io.berth.api.label.Labels;
import io.berth.api.spec.Taint;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A node.
///
/// @param conditions status by type; the heartbeat is left out, so that it is no change
/// @param annotations those that the scheduler reads or reports a change of
public record Node(
        String name,
        String uid,
        String resourceVersion,
        Labels labels,
        Labels annotations,
        List<Taint> taints,
        boolean unschedulable,
        Resources allocatable,
        List<NodeImage> images,
        Map<String, String> conditions,
        Set<String> declaredFeatures)
        implements ClusterObject, Labelled {
    public static final String HOSTNAME_LABEL = "kubernetes.io/hostname";
    public static final String ZONE_LABEL = "topology.kubernetes.io/zone";
    public static final String REGION_LABEL = "topology.kubernetes.io/region";

    public Node {
        taints = List.copyOf(taints);
        images = List.copyOf(images);
        conditions = Map.copyOf(conditions);
        declaredFeatures = Set.copyOf(declaredFeatures);
    }

    public static NodeBuilder builder(String name) {
        return new NodeBuilder(name);
    }

    public NodeBuilder toBuilder() {
        return new NodeBuilder(this);
    }

    @Override
    public Kind kind() {
        return Kind.NODE;
    }

    @Override
    public String namespace() {
        return "";
    }

    @Override
    public String toString() {
        return name;
    }
}
