package io.berth.sim.workload;

import io.berth.api.model.DeviceClass;
import io.berth.api.model.Kind;
import io.berth.api.model.ResourceClaim;
import io.berth.api.spec.PodClaim;
import io.berth.api.spec.PodSpec;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.device.ClaimController;
import io.berth.sim.device.ClaimShapes;
import io.berth.sim.device.Drivers;
import io.berth.sim.plain.PlainSelector;
import io.berth.sim.time.Chance;
import io.berth.sim.time.VirtualTime;
import java.util.List;
import java.util.function.Consumer;

/// Who has devices in the nodes, and who wants them: classes, claims that several pods use, and
/// pods with claims of their own.
final class DeviceCrowd {
    private static final int CLAIMS = 6;

    private final ApiServer server;
    private final VirtualTime time;
    private final Chance chance;
    private final Consumer<String> story;
    private final Drivers drivers;

    DeviceCrowd(ApiServer server, VirtualTime time, Chance chance, Consumer<String> story) {
        this.server = server;
        this.time = time;
        this.chance = chance;
        this.story = story;
        this.drivers = new Drivers(server, time, chance.split(), story);
    }

    void begin() {
        for (var each : List.of(ClaimShapes.GPU, ClaimShapes.PART, ClaimShapes.LINK)) {
            if (chance.happens(0.8)) {
                putClass(each);
            } else {
                time.in(chance.between(1, 5000), () -> putClass(each));
            }
        }
        drivers.publishFabric();
        for (int i = 0; i < CLAIMS; i++) {
            makeClaim("default", i);
            makeClaim("shop", i);
        }
    }

    private void putClass(String name) {
        var selector =
                switch (name) {
                    case ClaimShapes.GPU -> PlainSelector.GPU;
                    case ClaimShapes.PART -> PlainSelector.PART;
                    default -> PlainSelector.LINK;
                };
        server.put(deviceClass(name, selector));
    }

    static DeviceClass deviceClass(String name, PlainSelector selector) {
        return new DeviceClass(name, null, List.of(selector.expression()), List.of(), null);
    }

    /// The driver of a new node may need a while.
    void nodeAdded(String node) {
        if (chance.happens(0.5)) {
            drivers.publish(node);
        } else {
            time.in(
                    chance.between(1, 3000),
                    () -> {
                        if (server.node(node) != null) {
                            drivers.publish(node);
                        }
                    });
        }
    }

    boolean isTimeForChange() {
        return chance.happens(0.25);
    }

    /// The spec with a claim or two, maybe.
    PodSpec dress(String namespace, PodSpec spec) {
        if (chance.happens(0.4)) {
            return spec;
        }
        var dressed = spec.toBuilder();
        dressed.resourceClaim(
                chance.happens(0.6)
                        ? ownClaim("a")
                        : PodClaim.of("a", name(namespace, chance.between(0, CLAIMS - 1))));
        if (chance.happens(0.2)) {
            dressed.resourceClaim(ownClaim("b"));
        }
        return dressed.build();
    }

    private PodClaim ownClaim(String name) {
        return PodClaim.fromTemplate(name, chance.oneOf(ClaimShapes.NAMES));
    }

    private static String name(String namespace, int index) {
        return namespace + "-d" + index;
    }

    void act() {
        var namespace = chance.oneOf("default", "default", "shop");
        switch (chance.between(0, 11)) {
            case 0, 1 -> makeClaim(namespace, chance.between(0, CLAIMS - 1));
            case 2 -> deleteClaim(namespace, chance.between(0, CLAIMS - 1));
            case 3 -> drivers.die();
            case 4, 5, 6 -> republish();
            case 7, 8 -> drivers.taint();
            case 9 -> drivers.publishFabric();
            case 10 -> changeClass();
            default -> drivers.collect();
        }
    }

    private void republish() {
        var nodes = server.nodes().stream().filter(node -> !node.labels().has(Stage.KEY)).toList();
        if (!nodes.isEmpty()) {
            drivers.publish(chance.oneOf(nodes).name());
        }
    }

    /// A class means fewer devices, or as many as before.
    private void changeClass() {
        var narrow = chance.happens(0.5);
        story.accept("~ class gpu " + (narrow ? "big" : "any"));
        server.put(deviceClass(ClaimShapes.GPU, narrow ? PlainSelector.BIG : PlainSelector.GPU));
    }

    private void makeClaim(String namespace, int index) {
        var name = name(namespace, index);
        if (server.find(Kind.RESOURCE_CLAIM, namespace + "/" + name) == null) {
            story.accept("+ device claim " + name);
            server.put(
                    ClaimController.made(
                            namespace,
                            name,
                            server.newUid(),
                            null,
                            ClaimShapes.of(chance.oneOf(ClaimShapes.NAMES))));
        }
    }

    private void deleteClaim(String namespace, int index) {
        var stored = server.find(Kind.RESOURCE_CLAIM, namespace + "/" + name(namespace, index));
        if (stored != null) {
            story.accept("to be deleted: device claim " + name(namespace, index));
            ClaimController.delete(server, (ResourceClaim) stored.object());
        }
    }
}
