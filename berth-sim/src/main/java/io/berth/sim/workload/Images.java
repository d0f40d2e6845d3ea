package io.berth.sim.workload;

import io.berth.api.label.Labels;
import io.berth.api.model.Node;
import io.berth.api.model.NodeImage;
import io.berth.api.spec.Volume;
import io.berth.sim.time.Chance;
import java.util.ArrayList;
import java.util.List;

/// Which images nodes have. Sizes differ from node to node, as those of one name do on nodes of
/// different architecture; some images have two names, some pods leave the tag out.
final class Images {
    private static final String REGISTRY = "registry.example/";
    private static final int MIB = 1 << 20;

    private final Chance chance;

    Images(Chance chance) {
        this.chance = chance;
    }

    /// The image that pods with these labels run.
    static String of(Labels labels) {
        var app = labels.value("app");
        return REGISTRY + app + ("web".equals(app) ? "" : ":v1");
    }

    /// A volume that has an app's files from its image.
    static Volume volume(String app) {
        return new Volume("files", new Volume.Image(REGISTRY + app + ":v1"));
    }

    boolean isTimeForChange() {
        return chance.happens(0.25);
    }

    /// Another choice of images.
    Node anew(Node node) {
        var images = new ArrayList<NodeImage>();
        for (var app : Template.APPS) {
            if (chance.happens(0.6)) {
                images.add(image(app));
            }
        }
        return node.toBuilder().images(images).build();
    }

    /// One of the nodes with another choice of images, or only with another size of one.
    Node changeOneOf(List<Node> nodes) {
        var node = chance.oneOf(nodes);
        if (node.images().isEmpty() || chance.happens(0.6)) {
            return anew(node);
        }
        var images = new ArrayList<>(node.images());
        var changed = images.removeLast();
        images.add(new NodeImage(changed.names(), chance.between(1, 1500) * (long) MIB));
        return node.toBuilder().images(images).build();
    }

    private NodeImage image(String app) {
        var name = REGISTRY + app;
        return new NodeImage(
                chance.oneOf(
                        List.of(name + ":v1"),
                        List.of(name + ":latest"),
                        List.of(name + ":v1", name + ":latest")),
                chance.between(1, 1500) * (long) MIB);
    }
}
