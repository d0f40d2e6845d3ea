package io.berth.bench;

import static io.berth.testkit.Pods.pod;

import io.berth.api.model.Node;
import io.berth.api.model.NodeImage;
import io.berth.api.model.Pod;
import io.berth.api.spec.PodSpec;
import io.berth.testkit.Nodes;
import java.util.ArrayList;
import java.util.List;

/// Nodes and bound pods as large clusters have them.
final class LargeCluster {
    static final int TEMPLATES = 2_000;

    private final int nodeCount;
    private final List<PodSpec> specs = new ArrayList<>();

    LargeCluster(int nodeCount) {
        this.nodeCount = nodeCount;
    }

    /// A node as real ones are: a dozen labels, of which some are its own, and thirty images.
    static Node node(int i) {
        var node =
                Nodes.node("node-" + i)
                        .cpu("32")
                        .memory("128Gi")
                        .pods(250)
                        .zone("zone-" + i % 3)
                        .label("topology.kubernetes.io/region", "region-1")
                        .label("node.kubernetes.io/instance-type", "type-" + i % 7)
                        .label("kubernetes.io/arch", "amd64")
                        .label("kubernetes.io/os", "linux")
                        .label("pool", "pool-" + i % 20);
        for (int image = 0; image < 30; image++) {
            int number = (i + image) % 300;
            node.with(n -> n.image(new NodeImage(List.of("example.com/app-" + number + ":1"), 90)));
        }
        return node.build();
    }

    /// Pods of one template share their spec, as they do when they come from the API server.
    Pod bound(int i) {
        int template = i % TEMPLATES;
        var made =
                pod("app-" + template + "-7d4b9c6f58-" + Integer.toString(i, 36))
                        .cpu((10 + template % 90) + "m")
                        .memory("64Mi")
                        .label("app", "app-" + template)
                        .label("pod-template-hash", "7d4b9c6f58")
                        .build();
        if (template == specs.size()) {
            specs.add(made.spec());
        }
        return made.toBuilder().spec(specs.get(template)).build().onNode("node-" + i % nodeCount);
    }
}
