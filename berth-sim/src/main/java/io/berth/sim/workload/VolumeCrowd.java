package io.berth.sim.workload;

import io.berth.api.label.Labels;
import io.berth.api.model.AccessMode;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.VolumeAttachment;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Volume;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.time.Chance;
import io.berth.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Who makes and takes away volumes, and their drivers on the nodes.
///
/// Half of the claims have a volume of their own, made and bound by somebody before the pod comes,
/// or after it; [LateVolumes] is about the others. In a strict run nothing happens that makes what
/// is placed exceed a limit: limits stand from the beginning and only grow.
final class VolumeCrowd {
    private static final List<String> DRIVERS = List.of("fast", "slow");
    private static final int CLAIMS = 8;
    private static final int MOST_NODES = 200;

    private final boolean isStrict;
    private final ApiServer server;
    private final VirtualTime time;
    private final Chance chance;
    private final Consumer<String> story;
    private final LateVolumes late;

    VolumeCrowd(
            boolean isStrict,
            ApiServer server,
            VirtualTime time,
            Chance chance,
            Consumer<String> story) {
        this.isStrict = isStrict;
        this.server = server;
        this.time = time;
        this.chance = chance;
        this.story = story;
        this.late = new LateVolumes(server, time, chance.split(), story);
    }

    void begin() {
        late.begin();
        for (var namespace : List.of("default", "shop")) {
            for (int i = 0; i < CLAIMS; i++) {
                if (chance.happens(0.8)) {
                    make(namespace, i);
                }
            }
        }
        for (int i = 0; isStrict && i < MOST_NODES; i++) {
            putLimits("n" + i);
        }
    }

    /// What the drivers say about a new node; they may need a while.
    void nodeAdded(String node) {
        if (isStrict || server.find(Kind.CSI_NODE, node) != null) {
            return;
        }
        if (chance.happens(0.7)) {
            putLimits(node);
        } else {
            time.in(chance.between(1, 2000), () -> putLimits(node));
        }
    }

    private void putLimits(String node) {
        var drivers = new ArrayList<CsiNode.Driver>();
        for (var driver : DRIVERS) {
            drivers.add(new CsiNode.Driver(driver, chance.between(isStrict ? 1 : 0, 3)));
        }
        server.put(new CsiNode(node, drivers, Set.of()));
    }

    boolean isTimeForChange() {
        return chance.happens(0.3);
    }

    /// The spec with a claim or two, maybe.
    PodSpec dress(String namespace, PodSpec spec) {
        if (chance.happens(0.3)) {
            return spec;
        }
        var dressed = (chance.happens(0.5) ? late.dress(namespace, spec) : spec).toBuilder();
        if (chance.happens(0.4)) {
            return dressed.build();
        }
        int first = chance.between(0, CLAIMS - 1);
        dressed.volume(volume(namespace, first));
        if (chance.happens(0.3)) {
            dressed.volume(volume(namespace, (first + 1) % CLAIMS));
        }
        return dressed.build();
    }

    private static Volume volume(String namespace, int index) {
        return new Volume("data", new Volume.Claim(name(namespace, index), false));
    }

    /// No two namespaces have a name in common (VR-5).
    private static String name(String namespace, int index) {
        return namespace + "-c" + index;
    }

    void act() {
        if (chance.happens(0.5)) {
            late.act();
            return;
        }
        var namespace = chance.oneOf("default", "default", "shop");
        int index = chance.between(0, CLAIMS - 1);
        switch (chance.between(0, 7)) {
            case 0, 1 -> make(namespace, index);
            case 2 -> remove(namespace, index);
            case 3, 4 -> attach();
            case 5 -> detach();
            case 6 -> moveZone(name(namespace, index));
            default -> changeLimit();
        }
    }

    /// A claim and its volume, in any order.
    private void make(String namespace, int index) {
        var name = name(namespace, index);
        if (server.find(Kind.PERSISTENT_VOLUME_CLAIM, namespace + "/" + name) != null) {
            return;
        }
        story.accept("+ claim " + name);
        var claim =
                PersistentVolumeClaim.named(namespace, name)
                        .uid(server.newUid())
                        .resourceVersion(server.newUid())
                        .boundTo("pv-" + name)
                        .accessModes(
                                isStrict && index % 3 == 1
                                        ? AccessMode.READ_WRITE_ONCE_POD
                                        : AccessMode.READ_WRITE_ONCE)
                        .build();
        var volume =
                PersistentVolume.named("pv-" + name)
                        .uid(server.newUid())
                        .resourceVersion(server.newUid())
                        .source(new Volume.Csi(DRIVERS.get(index % 2), "disk-" + name))
                        .labels(
                                index % 4 == 0
                                        ? Labels.of(Node.ZONE_LABEL, "z" + chance.between(0, 2))
                                        : Labels.EMPTY)
                        .phase("Bound")
                        .build();
        if (chance.happens(0.5)) {
            server.put(volume);
            server.put(claim);
        } else {
            server.put(claim);
            time.in(chance.between(0, 500), () -> server.put(volume));
        }
    }

    /// Only what no pod uses, as the API server protects the others.
    private void remove(String namespace, int index) {
        var name = name(namespace, index);
        boolean isUsed =
                server.pods().stream()
                        .anyMatch(pod -> pod.spec().volumes().contains(volume(namespace, index)));
        if (isUsed || server.find(Kind.PERSISTENT_VOLUME, "pv-" + name) == null) {
            return;
        }
        story.accept("- claim " + name);
        for (var attachment : attachments()) {
            if (attachment.volumeName().equals("pv-" + name)) {
                server.remove(Kind.VOLUME_ATTACHMENT, attachment.name());
            }
        }
        server.remove(Kind.PERSISTENT_VOLUME_CLAIM, namespace + "/" + name);
        server.remove(Kind.PERSISTENT_VOLUME, "pv-" + name);
    }

    private List<VolumeAttachment> attachments() {
        return server.list(Kind.VOLUME_ATTACHMENT).stream()
                .map(stored -> (VolumeAttachment) stored.object())
                .toList();
    }

    /// As the attacher does for a pod that has got its node.
    private void attach() {
        var pods = server.pods().stream().filter(Pod::isAssigned).toList();
        if (pods.isEmpty()) {
            return;
        }
        var pod = chance.oneOf(pods);
        for (var each : pod.spec().volumes()) {
            if (each.source() instanceof Volume.Claim(String name, _)
                    && server.find(Kind.PERSISTENT_VOLUME, "pv-" + name) != null) {
                var stored = server.find(Kind.PERSISTENT_VOLUME, "pv-" + name);
                if (stored != null
                        && ((PersistentVolume) stored.object()).source()
                                instanceof Volume.Csi(String driver, _)) {
                    story.accept("attach " + name + " to " + pod.nodeName());
                    server.put(
                            new VolumeAttachment(
                                    name + "-" + pod.nodeName(),
                                    driver,
                                    pod.nodeName(),
                                    "pv-" + name));
                }
            }
        }
    }

    private void detach() {
        var all = attachments();
        if (!all.isEmpty()) {
            var gone = chance.oneOf(all);
            story.accept("detach " + gone.name());
            server.remove(Kind.VOLUME_ATTACHMENT, gone.name());
        }
    }

    private void moveZone(String claim) {
        var stored = server.find(Kind.PERSISTENT_VOLUME, "pv-" + claim);
        if (stored != null) {
            var zone = "z" + chance.between(0, 2);
            story.accept("~ volume " + claim + " in " + zone);
            server.put(
                    ((PersistentVolume) stored.object())
                            .toBuilder()
                                    .labels(Labels.of(Node.ZONE_LABEL, zone))
                                    .resourceVersion(server.newUid())
                                    .build());
        }
    }

    private void changeLimit() {
        var nodes = server.nodes();
        if (nodes.isEmpty()) {
            return;
        }
        var stored = server.find(Kind.CSI_NODE, chance.oneOf(nodes).name());
        if (stored != null) {
            var known = (CsiNode) stored.object();
            var drivers = new ArrayList<CsiNode.Driver>();
            for (var driver : known.drivers()) {
                drivers.add(
                        new CsiNode.Driver(
                                driver.name(),
                                isStrict
                                        ? driver.count() + chance.between(0, 1)
                                        : chance.between(0, 3)));
            }
            story.accept("~ limits " + known.name() + " " + drivers);
            server.put(new CsiNode(known.name(), drivers, Set.of()));
        }
    }
}
