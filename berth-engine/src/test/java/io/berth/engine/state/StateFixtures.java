package io.berth.engine.state;

import io.berth.api.amount.Quantity;
import io.berth.api.amount.Resources;
import io.berth.api.column.NodeView;
import io.berth.api.handle.Log;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.NodeImage;
import io.berth.api.model.Pod;
import io.berth.api.spec.Affinity;
import io.berth.api.spec.Container;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.PodSpecBuilder;
import io.berth.api.spec.Volume;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Small clusters for the tests of the state.
final class StateFixtures {
    static final Affinity.PodTerm TERM =
            new Affinity.PodTerm(
                    LabelSelector.matching("app", "web"), Set.of(), null, Node.HOSTNAME_LABEL);

    static final Affinity PREFERS_PODS =
            affinity(List.of(new Affinity.WeightedPodTerm(1, TERM)), List.of());

    static final Affinity AVOIDS_PODS = affinity(List.of(), List.of(TERM));

    private StateFixtures() {}

    static ClusterState state() {
        return new ClusterState(Log.NONE, 4, 2);
    }

    static Node node(String name) {
        return Node.builder(name).allocatable(resources(4000)).build();
    }

    static Node nodeIn(String zone, String name) {
        return node(name).toBuilder().labels(Labels.of(Node.ZONE_LABEL, zone)).build();
    }

    static Node nodeWithImages(String name, NodeImage... images) {
        var builder = Node.builder(name);
        for (var image : images) {
            builder.image(image);
        }
        return builder.build();
    }

    static NodeImage image(String name, long sizeBytes) {
        return new NodeImage(List.of(name), sizeBytes);
    }

    static Resources resources(long cpuMillis) {
        return new Resources(cpuMillis, cpuMillis << 20, 1 << 30, 110, Map.of());
    }

    static Pod pod(String name, String node) {
        return pod(name, node, asking("100m"));
    }

    static Pod pod(String name, String node, PodSpecBuilder spec) {
        return Pod.builder("default", name).nodeName(node).spec(spec.build()).build();
    }

    static PodSpecBuilder asking(String cpu) {
        return PodSpec.builder()
                .container(Container.of("main", "img", Map.of("cpu", Quantity.parse(cpu))));
    }

    static PodSpecBuilder withPorts(HostPort... ports) {
        return PodSpec.builder()
                .container(
                        new Container(
                                "main", "img", Map.of(), Map.of(), Arrays.asList(ports), false));
    }

    static PodSpecBuilder withClaims(String... claims) {
        var spec = PodSpec.builder();
        for (int i = 0; i < claims.length; i++) {
            spec.volume(new Volume("v" + i, new Volume.Claim(claims[i], false)));
        }
        return spec;
    }

    static Affinity affinity(
            List<Affinity.WeightedPodTerm> preferred, List<Affinity.PodTerm> requiredAnti) {
        return new Affinity(
                null, List.of(), false, true, List.of(), preferred, requiredAnti, List.of());
    }

    static List<String> names(List<NodeView> nodes) {
        return nodes.stream().map(NodeView::name).toList();
    }

    static List<String> podNames(List<Pod> pods) {
        return pods.stream().map(Pod::name).toList();
    }

    static NodeView view(ClusterState state, String node) {
        return state.columns().node(state.columns().slotOf(node));
    }
}
