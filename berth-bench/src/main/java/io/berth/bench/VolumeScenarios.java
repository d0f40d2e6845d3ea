package io.berth.bench;

import static io.berth.testkit.Pods.pod;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Requirement;
import io.berth.api.model.AccessMode;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiNode;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolume.ClaimReference;
import io.berth.api.model.PersistentVolumeBuilder;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.Volume;
import io.berth.bench.Scenario.Surroundings;
import io.berth.testkit.Nodes;
import io.berth.testkit.TestScheduler;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Pods with one volume each, in clusters whose running pods have one too.
final class VolumeScenarios {
    private static final String DRIVER = "csi.example.com";
    private static final String CLASS = "wait";
    private static final Quantity SIZE = Quantity.parse("1Gi");

    private VolumeScenarios() {}

    static List<Scenario> all() {
        return List.of(
                scenario("bound CSI volumes", 60, new Bound(false)),
                scenario("bound volumes of old, taken over by a driver", 60, new Bound(true)),
                scenario("volumes made where there is room", 200, new Made()),
                scenario("local volumes that are there", 200, new Local()));
    }

    private static Scenario scenario(String name, double limit, Surroundings surroundings) {
        return new Scenario(
                        name,
                        limit,
                        VolumeScenarios::node,
                        10_000,
                        i -> withVolume("bound" + i),
                        i -> withVolume("p" + i))
                .in(surroundings);
    }

    private static Node node(int i) {
        return Nodes.node("node-" + i)
                .cpu("32")
                .memory("128Gi")
                .pods(1000)
                .zone("zone-" + i % 3)
                .label(Node.HOSTNAME_LABEL, "node-" + i)
                .label("topology.ebs.csi.aws.com/zone", "zone-" + i % 3)
                .build();
    }

    private static Pod withVolume(String name) {
        return pod(name)
                .cpu("100m")
                .memory("100Mi")
                .volume(new Volume("data", new Volume.Claim(name, false)))
                .build();
    }

    private static NodeSelector in(String label, String value) {
        var only = new Requirement(label, Requirement.Operator.IN, List.of(value));
        return new NodeSelector(List.of(new NodeSelector.Term(List.of(only), List.of())));
    }

    private static PersistentVolumeClaim claimOf(Pod pod) {
        return PersistentVolumeClaim.named(pod.namespace(), pod.name())
                .uid("u-" + pod.name())
                .request(SIZE)
                .accessModes(AccessMode.READ_WRITE_ONCE)
                .storageClass(CLASS)
                .phase("Pending")
                .build();
    }

    private static ClaimReference reference(Pod pod) {
        return new ClaimReference(pod.namespace(), pod.name(), "u-" + pod.name());
    }

    private static StorageClass storageClass(String provisioner, BindingMode mode) {
        return new StorageClass(CLASS, provisioner, mode, new NodeSelector(List.of()));
    }

    private static PersistentVolumeBuilder volume(String name) {
        return PersistentVolume.named(name)
                .capacity(SIZE)
                .accessModes(AccessMode.READ_WRITE_ONCE)
                .storageClass(CLASS)
                .source(new Volume.Csi(DRIVER, name));
    }

    /// Binds a claim to a volume, as the controller does.
    private static void bind(TestScheduler scheduler, Pod pod, PersistentVolumeBuilder volume) {
        var made = volume.claim(reference(pod)).phase("Bound").build();
        var volumes = scheduler.cluster().volumes();
        volumes.put(made);
        volumes.put(claimOf(pod).toBuilder().boundTo(made.name()).build());
    }

    private static boolean isBefore(Pod pod) {
        return pod.name().startsWith("bound");
    }

    private static String zoneOf(Pod pod) {
        return "zone-" + Math.floorMod(pod.name().hashCode(), 3);
    }

    /// Every claim has its volume, which is in one zone; nodes take 39 of them.
    private record Bound(boolean isOfOld) implements Surroundings {
        @Override
        public void furnish(TestScheduler scheduler, int nodes) {
            var driver = isOfOld ? "ebs.csi.aws.com" : DRIVER;
            scheduler.add(new CsiDriver(driver, false, false));
            scheduler.add(storageClass(driver, BindingMode.IMMEDIATE));
            for (int i = 0; i < nodes; i++) {
                scheduler.add(
                        new CsiNode(
                                "node-" + i,
                                List.of(new CsiNode.Driver(driver, 39)),
                                Set.of("kubernetes.io/aws-ebs")));
            }
            scheduler.settle();
        }

        @Override
        public void prepare(TestScheduler scheduler, Pod pod) {
            var volume = volume("pv-" + pod.name());
            if (!isBefore(pod)) {
                volume.nodeAffinity(in(Node.ZONE_LABEL, zoneOf(pod)));
            }
            if (isOfOld) {
                volume.source(new Volume.AwsElasticBlockStore("vol-" + pod.name(), false));
            }
            bind(scheduler, pod, volume);
        }
    }

    /// The claims of pods that come have no volume until the scheduler has chosen a node.
    private interface WithoutVolumes extends Surroundings {
        @Override
        default void prepare(TestScheduler scheduler, Pod pod) {
            if (isBefore(pod)) {
                bind(scheduler, pod, volume("pv-" + pod.name()));
            } else {
                scheduler.cluster().volumes().put(claimOf(pod));
            }
        }
    }

    /// What the scheduler is to have written by now.
    private static String written(@Nullable String what, TestScheduler scheduler, Pod pod) {
        if (what == null) {
            throw new IllegalStateException(
                    pod.key() + " waits: " + scheduler.messageOf(pod.key()));
        }
        return what;
    }

    /// The claim gets its volume, for which the pod still waits.
    private static boolean bound(TestScheduler scheduler, Pod pod, String volume) {
        scheduler
                .cluster()
                .volumes()
                .changeClaim(pod.key(), old -> old.toBuilder().boundTo(volume).build());
        return true;
    }

    /// Every node has room of its own, of which its driver tells; a volume is made once the pod has
    /// its node.
    private record Made() implements WithoutVolumes {
        @Override
        public void furnish(TestScheduler scheduler, int nodes) {
            scheduler.add(new CsiDriver(DRIVER, true, false));
            scheduler.add(storageClass(DRIVER, BindingMode.WAIT_FOR_FIRST_CONSUMER));
            for (int i = 0; i < nodes; i++) {
                var name = "node-" + i;
                scheduler.add(new CsiNode(name, List.of(new CsiNode.Driver(DRIVER, 39)), Set.of()));
                scheduler.add(
                        new CsiStorageCapacity(
                                "default",
                                name,
                                CLASS,
                                LabelSelector.matching(Node.HOSTNAME_LABEL, name),
                                Quantity.parse(i % 4 == 0 ? "512Mi" : "100Gi"),
                                null));
            }
            scheduler.settle();
        }

        @Override
        public boolean answer(TestScheduler scheduler, Pod pod) {
            var volumes = scheduler.cluster().volumes();
            var node = written(volumes.claim(pod.key()).selectedNode(), scheduler, pod);
            var made =
                    volume("pv-" + pod.name())
                            .nodeAffinity(in(Node.HOSTNAME_LABEL, node))
                            .claim(reference(pod))
                            .phase("Bound")
                            .build();
            volumes.put(made);
            return bound(scheduler, pod, made.name());
        }
    }

    /// Every node has free volumes of its own.
    private record Local() implements WithoutVolumes {
        @Override
        public void furnish(TestScheduler scheduler, int nodes) {
            scheduler.add(
                    storageClass(StorageClass.NO_PROVISIONER, BindingMode.WAIT_FOR_FIRST_CONSUMER));
            for (int i = 0; i < Math.max(nodes, 5_000) * 3; i++) {
                var host = "node-" + i % nodes;
                scheduler
                        .cluster()
                        .volumes()
                        .put(
                                volume("local-" + i)
                                        .nodeAffinity(in(Node.HOSTNAME_LABEL, host))
                                        .phase("Available")
                                        .build());
            }
            scheduler.settle();
        }

        @Override
        public boolean answer(TestScheduler scheduler, Pod pod) {
            var volumes = scheduler.cluster().volumes();
            var kept = written(volumes.keptFor(pod.key()), scheduler, pod);
            volumes.changeVolume(kept, old -> old.toBuilder().phase("Bound").build());
            return bound(scheduler, pod, kept);
        }
    }
}
