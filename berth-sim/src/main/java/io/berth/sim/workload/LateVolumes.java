package io.berth.sim.workload;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.model.AccessMode;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolume.ClaimReference;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Volume;
import io.berth.sim.cluster.ApiServer;
import io.berth.sim.storage.VolumeController;
import io.berth.sim.time.Chance;
import io.berth.sim.time.VirtualTime;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Who makes classes, claims that have no volume yet, and volumes that nobody has yet. The claims'
/// volumes are found or made by [VolumeController], some of them only once the scheduler has chosen
/// a node.
final class LateVolumes {
    /// Volumes are there, or not.
    private static final String LOCAL = "local";

    /// As `local`, but claims do not wait for their pod.
    private static final String SHARED = "shared";

    /// Made in a zone that the class allows.
    private static final String ZONAL = "zonal";

    /// Made where there is room.
    private static final String ROOMY = "roomy";

    private static final String ROOMY_DRIVER = "room";

    private static final List<StorageClass> CLASSES =
            List.of(
                    late(LOCAL, StorageClass.NO_PROVISIONER),
                    late("late", "fast"),
                    zonal("z0", "z1"),
                    late(ROOMY, ROOMY_DRIVER),
                    storageClass("instant", "fast", BindingMode.IMMEDIATE),
                    storageClass(SHARED, StorageClass.NO_PROVISIONER, BindingMode.IMMEDIATE));

    private static final int CLAIMS = 6;
    private static final int VOLUMES = 8;
    private static final int ZONES = 3;

    private final ApiServer server;
    private final VirtualTime time;
    private final Chance chance;
    private final Consumer<String> story;

    LateVolumes(ApiServer server, VirtualTime time, Chance chance, Consumer<String> story) {
        this.server = server;
        this.time = time;
        this.chance = chance;
        this.story = story;
    }

    private static StorageClass late(String name, String provisioner) {
        return storageClass(name, provisioner, BindingMode.WAIT_FOR_FIRST_CONSUMER);
    }

    static StorageClass storageClass(String name, String provisioner, BindingMode mode) {
        return new StorageClass(name, provisioner, mode, new NodeSelector(List.of()));
    }

    private static StorageClass zonal(String... zones) {
        return new StorageClass(
                ZONAL,
                "slow",
                BindingMode.WAIT_FOR_FIRST_CONSUMER,
                VolumeController.labelled(Node.ZONE_LABEL, zones));
    }

    void begin() {
        server.put(new CsiDriver(ROOMY_DRIVER, true, false));
        for (int zone = 0; zone < ZONES; zone++) {
            putRoom(zone);
        }
        for (var each : CLASSES) {
            if (chance.happens(0.8)) {
                server.put(each);
            } else {
                time.in(chance.between(1, 5000), () -> server.put(each));
            }
        }
        for (int i = 0; i < VOLUMES; i++) {
            makeVolume(i);
        }
        for (int i = 0; i < CLAIMS; i++) {
            makeClaim("default", i);
            makeClaim("shop", i);
        }
    }

    /// The spec with a claim that has no volume yet, or that is made for the pod.
    PodSpec dress(String namespace, PodSpec spec) {
        var volume =
                chance.happens(0.6)
                        ? new Volume(chance.oneOf(CLASSES).name(), new Volume.Ephemeral())
                        : new Volume(
                                "more",
                                new Volume.Claim(
                                        name(namespace, chance.between(0, CLAIMS - 1)), false));
        return spec.toBuilder().volume(volume).build();
    }

    private static String name(String namespace, int index) {
        return namespace + "-u" + index;
    }

    void act() {
        var namespace = chance.oneOf("default", "default", "shop");
        switch (chance.between(0, 9)) {
            case 0, 1 -> makeClaim(namespace, chance.between(0, CLAIMS - 1));
            case 2 -> deleteClaim(namespace, chance.between(0, CLAIMS - 1));
            case 3 -> makeVolume(chance.between(0, VOLUMES - 1));
            case 4 -> removeVolume();
            case 5 -> changeVolume();
            case 6 -> keepVolume();
            case 7 -> server.put(zonal("z" + chance.between(0, 2), "z" + chance.between(0, 2)));
            default -> putRoom(chance.between(0, ZONES - 1));
        }
    }

    private void putRoom(int zone) {
        var room = chance.between(0, 3);
        story.accept("room in z" + zone + ": " + room);
        server.put(
                new CsiStorageCapacity(
                        "default",
                        "room-z" + zone,
                        ROOMY,
                        LabelSelector.matching(Node.ZONE_LABEL, "z" + zone),
                        room == 0 ? null : Quantity.of(room - 1),
                        null));
    }

    private void makeClaim(String namespace, int index) {
        var name = name(namespace, index);
        if (server.find(Kind.PERSISTENT_VOLUME_CLAIM, namespace + "/" + name) != null) {
            return;
        }
        story.accept("+ claim " + name);
        server.put(
                PersistentVolumeClaim.named(namespace, name)
                        .uid(server.newUid())
                        .storageClass(CLASSES.get(index % CLASSES.size()).name())
                        .accessModes(
                                index % 3 == 1
                                        ? AccessMode.READ_WRITE_ONCE_POD
                                        : AccessMode.READ_WRITE_ONCE)
                        .request(Quantity.of(chance.between(1, 2)))
                        .phase("Pending")
                        .build());
    }

    /// Goes when no pod uses it any more.
    private void deleteClaim(String namespace, int index) {
        var stored =
                server.find(Kind.PERSISTENT_VOLUME_CLAIM, namespace + "/" + name(namespace, index));
        if (stored != null) {
            story.accept("to be deleted: claim " + name(namespace, index));
            server.put(
                    ((PersistentVolumeClaim) stored.object()).toBuilder().deleting(true).build());
        }
    }

    private void makeVolume(int index) {
        var name = "disk" + index;
        if (server.find(Kind.PERSISTENT_VOLUME, name) != null) {
            return;
        }
        var affinity = affinity();
        story.accept("+ volume " + name + " " + affinity);
        server.put(
                PersistentVolume.named(name)
                        .uid(server.newUid())
                        .storageClass(index % 4 == 0 ? SHARED : LOCAL)
                        .capacity(Quantity.of(chance.between(1, 4)))
                        .accessModes(AccessMode.READ_WRITE_ONCE, AccessMode.READ_WRITE_ONCE_POD)
                        .nodeAffinity(affinity)
                        .build());
    }

    private @Nullable NodeSelector affinity() {
        var nodes = server.nodes();
        return switch (chance.between(0, 3)) {
            case 0 -> null;
            case 1 -> VolumeController.labelled(Node.ZONE_LABEL, "z" + chance.between(0, 2));
            default ->
                    nodes.isEmpty()
                            ? null
                            : VolumeController.labelled(
                                    Node.HOSTNAME_LABEL, chance.oneOf(nodes).name());
        };
    }

    private List<PersistentVolume> volumes() {
        return server.list(Kind.PERSISTENT_VOLUME).stream()
                .map(stored -> (PersistentVolume) stored.object())
                .filter(volume -> volume.name().startsWith("disk"))
                .toList();
    }

    /// Volumes in use are protected; one that is only promised is not.
    private void removeVolume() {
        var free = volumes().stream().filter(volume -> !volume.phase().equals("Bound")).toList();
        if (!free.isEmpty()) {
            var volume = chance.oneOf(free);
            story.accept("- volume " + volume.name());
            server.remove(Kind.PERSISTENT_VOLUME, volume.name());
        }
    }

    /// Something that does not matter, or how large it is, or from where it can be reached.
    private void changeVolume() {
        var all = volumes();
        if (all.isEmpty()) {
            return;
        }
        var volume = chance.oneOf(all);
        var change = volume.toBuilder();
        switch (chance.between(0, 2)) {
            case 0 -> change.labels(Labels.of("beat", "" + time.elapsedMillis()));
            case 1 -> change.capacity(Quantity.of(chance.between(1, 4)));
            default -> {
                if (!volume.phase().equals("Bound")) {
                    change.nodeAffinity(affinity());
                }
            }
        }
        var changed = change.build();
        story.accept("~ volume " + changed.name() + " " + changed.nodeAffinity());
        server.put(changed);
    }

    /// Somebody keeps a volume for a claim that has none.
    private void keepVolume() {
        var free = volumes().stream().filter(volume -> volume.claim() == null).toList();
        var wanting =
                server.list(Kind.PERSISTENT_VOLUME_CLAIM).stream()
                        .map(stored -> (PersistentVolumeClaim) stored.object())
                        .filter(claim -> claim.storageClass().equals(LOCAL))
                        .filter(claim -> claim.volumeName().isEmpty())
                        .toList();
        if (!free.isEmpty() && !wanting.isEmpty()) {
            var volume = chance.oneOf(free);
            var claim = chance.oneOf(wanting);
            story.accept("volume " + volume.name() + " is kept for " + claim.key());
            server.put(
                    volume.toBuilder()
                            .claim(new ClaimReference(claim.namespace(), claim.name(), ""))
                            .build());
        }
    }
}
