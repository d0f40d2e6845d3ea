package io.berth.plugins.volume;

import io.berth.api.label.Labels;
import io.berth.api.model.AccessMode;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.model.VolumeAttachment;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Volume;
import io.berth.plugins.Samples;
import io.berth.plugins.TestCluster;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A cluster with volumes, made by chance out of few names, so that everything meets: claims with
/// and without volumes, shared disks, volumes of old, limits, and objects that are not there. What
/// it knows it keeps beside the cluster, for plain readings of the rules.
public final class VolumeWorld {
    private static final List<String> ZONES = List.of("a", "b", "c");
    private static final List<String> DRIVERS =
            List.of("fast", "slow", "ebs.csi.aws.com", "disk.csi.azure.com");
    private static final List<String> CLASSES = List.of("late", "now", "aws", "odd", "file");

    public final Random random;
    public final TestCluster cluster = new TestCluster();
    public final TreeMap<String, PersistentVolumeClaim> claims = new TreeMap<>();
    public final TreeMap<String, PersistentVolume> volumes = new TreeMap<>();
    public final TreeMap<String, StorageClass> classes = new TreeMap<>();
    public final TreeMap<String, CsiNode> csiNodes = new TreeMap<>();
    public final TreeMap<String, CsiDriver> drivers = new TreeMap<>();
    public final TreeMap<String, VolumeAttachment> attachments = new TreeMap<>();
    private int podNumber;

    public VolumeWorld(long seed) {
        random = new Random(seed);
        for (int i = 0; i < 24; i++) {
            put(claims, claim());
            put(volumes, volume());
        }
        for (int i = 0; i < 40; i++) {
            change();
        }
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private String name(String letter, int count) {
        return letter + random.nextInt(count);
    }

    /// Changes the world in one way.
    public void change() {
        switch (random.nextInt(14)) {
            case 0, 1 -> put(claims, claim());
            case 2, 3 -> put(volumes, volume());
            case 4 -> put(csiNodes, csiNode());
            case 5 -> put(attachments, attachment());
            case 6 -> put(classes, storageClass());
            case 7 -> changeNode();
            case 8 -> drop();
            case 9 -> put(drivers, new CsiDriver(oneOf(DRIVERS), chance(50), chance(50)));
            case 10, 11, 12 -> addPod();
            default -> removePod();
        }
    }

    private <T extends ClusterObject> void put(Map<String, T> known, T object) {
        known.put(object.key(), object);
        cluster.add(object);
    }

    private void drop() {
        switch (random.nextInt(6)) {
            case 0 -> drop(claims, Kind.PERSISTENT_VOLUME_CLAIM);
            case 1 -> drop(volumes, Kind.PERSISTENT_VOLUME);
            case 2 -> drop(classes, Kind.STORAGE_CLASS);
            case 3 -> drop(csiNodes, Kind.CSI_NODE);
            case 4 -> drop(drivers, Kind.CSI_DRIVER);
            default -> drop(attachments, Kind.VOLUME_ATTACHMENT);
        }
    }

    private <T extends ClusterObject> void drop(Map<String, T> known, Kind kind) {
        if (!known.isEmpty()) {
            var gone = known.remove(oneOf(new ArrayList<>(known.keySet())));
            cluster.objects.remove(kind, Objects.requireNonNull(gone).namespace(), gone.name());
        }
    }

    private void changeNode() {
        var name = name("n", 5);
        var known = cluster.state.node(name);
        if (known != null && chance(30)) {
            cluster.state.removeNode(known);
            return;
        }
        var labels = new ArrayList<String>();
        for (var key :
                List.of(
                        "topology.kubernetes.io/zone",
                        "failure-domain.beta.kubernetes.io/zone",
                        "topology.kubernetes.io/region")) {
            if (chance(40)) {
                labels.add(key);
                labels.add(oneOf(ZONES));
            }
        }
        cluster.add(Samples.node(name, labels.toArray(String[]::new)).build());
    }

    private PersistentVolumeClaim claim() {
        var claim = PersistentVolumeClaim.named(oneOf(List.of("x", "y")), claimName());
        if (chance(60)) {
            claim.volumeName(name("v", 8)).bindCompleted(chance(80));
        }
        if (chance(80)) {
            claim.storageClass(oneOf(CLASSES));
        }
        if (chance(60)) {
            claim.controllerUid("x/p" + random.nextInt(podNumber + 1));
        }
        return claim.accessModes(
                        chance(30) ? AccessMode.READ_WRITE_ONCE_POD : AccessMode.READ_WRITE_ONCE)
                .build();
    }

    /// Some are names of claims that are made for pods.
    private String claimName() {
        return chance(25) ? "p" + random.nextInt(podNumber + 1) + "-e" : name("c", 8);
    }

    private PersistentVolume volume() {
        var volume = PersistentVolume.named(name("v", 8)).source(source());
        if (chance(40)) {
            volume.labels(
                    Labels.of(
                            oneOf(
                                    List.of(
                                            "topology.kubernetes.io/zone",
                                            "failure-domain.beta.kubernetes.io/zone",
                                            "topology.kubernetes.io/region",
                                            "failure-domain.beta.kubernetes.io/region")),
                            oneOf(List.of("a", "a__b", " b __c", "", "a____b", "eu-1-a__eu-1-b"))));
        }
        return volume.build();
    }

    private Volume.Source source() {
        return switch (random.nextInt(8)) {
            case 0 -> new Volume.Other("hostPath");
            case 1 -> inline();
            default -> new Volume.Csi(oneOf(DRIVERS), chance(10) ? "" : name("h", 4));
        };
    }

    private Volume.Source inline() {
        return switch (random.nextInt(7)) {
            case 0, 1 ->
                    new Volume.AwsElasticBlockStore(
                            oneOf(List.of("h1", "aws://a/vol-1", "vol-1", "aws://a/vol/1")),
                            chance(50));
            case 2 -> new Volume.GcePersistentDisk(name("d", 2), chance(50));
            case 3 -> new Volume.AzureDisk("d", name("h", 3), chance(90) ? "managed" : "Dedicated");
            case 4 -> new Volume.AzureFile();
            case 5 -> new Volume.Iscsi(name("i", 2), chance(50));
            default ->
                    new Volume.Rbd(List.of(name("m", 2), "m9"), "pool", name("i", 2), chance(50));
        };
    }

    private CsiNode csiNode() {
        var listed = new ArrayList<CsiNode.Driver>();
        for (var driver : DRIVERS) {
            if (chance(60)) {
                listed.add(
                        new CsiNode.Driver(
                                driver, chance(75) ? random.nextInt(4) : CsiNode.UNLIMITED));
            }
        }
        return new CsiNode(name("n", 5), listed, Set.of());
    }

    private VolumeAttachment attachment() {
        return new VolumeAttachment(
                name("at", 8),
                chance(95) ? oneOf(DRIVERS) : "",
                name("n", 5),
                chance(95) ? name("v", 8) : "");
    }

    private StorageClass storageClass() {
        var name = oneOf(CLASSES);
        return switch (name) {
            case "late" -> storageClass(name, "fast", BindingMode.WAIT_FOR_FIRST_CONSUMER);
            case "now" -> storageClass(name, "slow", BindingMode.IMMEDIATE);
            case "aws" ->
                    storageClass(
                            name, "kubernetes.io/aws-ebs", BindingMode.WAIT_FOR_FIRST_CONSUMER);
            case "file" ->
                    storageClass(
                            name, "kubernetes.io/azure-file", BindingMode.WAIT_FOR_FIRST_CONSUMER);
            default -> storageClass(name, "", BindingMode.UNSET);
        };
    }

    private static StorageClass storageClass(String name, String provisioner, BindingMode mode) {
        return new StorageClass(name, provisioner, mode, new NodeSelector(List.of()));
    }

    private void addPod() {
        cluster.state.refresh();
        var names = cluster.nodes().all().stream().map(node -> node.name()).sorted().toList();
        if (!names.isEmpty()) {
            cluster.add(pod().onNode(oneOf(names)));
        }
    }

    private void removePod() {
        var pods = new ArrayList<>(cluster.state.pods());
        pods.sort(Comparator.comparing(Pod::uid));
        if (!pods.isEmpty()) {
            cluster.state.removePod(oneOf(pods));
        }
    }

    /// A pod with some volumes, on no node yet.
    public Pod pod() {
        var spec = PodSpec.builder();
        for (int i = random.nextInt(4); i > 0; i--) {
            spec.volume(podVolume());
        }
        var name = "p" + podNumber++;
        var namespace = chance(80) ? "x" : "y";
        return Pod.builder(namespace, name).uid(namespace + "/" + name).spec(spec.build()).build();
    }

    private Volume podVolume() {
        return switch (random.nextInt(8)) {
            case 0 -> new Volume("i", inline());
            case 1 -> new Volume("e", new Volume.Ephemeral());
            case 2 -> new Volume("", new Volume.ConfigMap());
            default -> new Volume("c", new Volume.Claim(name("c", 8), false));
        };
    }

    public @Nullable PersistentVolumeClaim claim(Pod pod, String name) {
        return claims.get(pod.namespace() + "/" + name);
    }
}
