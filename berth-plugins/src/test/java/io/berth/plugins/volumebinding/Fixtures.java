package io.berth.plugins.volumebinding;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Requirement;
import io.berth.api.model.AccessMode;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeBuilder;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.PersistentVolumeClaimBuilder;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Volume;
import io.berth.api.verdict.Refusal;
import io.berth.api.verdict.Verdict;
import io.berth.testkit.Nodes;
import io.berth.testkit.Pods;
import java.util.List;

/// Volumes, claims and what belongs to them.
final class Fixtures {
    static final String ZONE = "topology.kubernetes.io/zone";
    static final String DRIVER = "csi.example.com";

    private Fixtures() {}

    static Node node(String name, String zone) {
        return Nodes.node(name).label(ZONE, zone).label("kubernetes.io/hostname", name).build();
    }

    static Pod podWith(String... claims) {
        return podWith(Pods.pod("p").build(), claims);
    }

    static Pod podWith(Pod pod, String... claims) {
        var spec = PodSpec.builder();
        for (var claim : claims) {
            spec.volume(new Volume("v-" + claim, new Volume.Claim(claim, false)));
        }
        return pod.toBuilder().spec(spec.build()).build();
    }

    static NodeSelector in(String key, String... values) {
        return new NodeSelector(
                List.of(
                        new NodeSelector.Term(
                                List.of(
                                        new Requirement(
                                                key, Requirement.Operator.IN, List.of(values))),
                                List.of())));
    }

    static PersistentVolumeBuilder volume(String name, String size) {
        return PersistentVolume.named(name)
                .uid("u-" + name)
                .resourceVersion("1")
                .capacity(Quantity.parse(size))
                .accessModes(AccessMode.READ_WRITE_ONCE)
                .storageClass("wait")
                .phase("Available");
    }

    /// Why a node will not do; empty where it will.
    static List<String> reasons(Verdict verdict) {
        return verdict instanceof Refusal refusal ? refusal.reasons() : List.of();
    }

    static PersistentVolumeClaimBuilder claim(String name, String size) {
        return PersistentVolumeClaim.named("default", name)
                .uid("u-" + name)
                .resourceVersion("1")
                .request(Quantity.parse(size))
                .accessModes(AccessMode.READ_WRITE_ONCE)
                .storageClass("wait")
                .phase("Pending");
    }

    static StorageClass waiting(String name, String provisioner) {
        return storageClass(name, provisioner, BindingMode.WAIT_FOR_FIRST_CONSUMER);
    }

    static StorageClass storageClass(String name, String provisioner, BindingMode mode) {
        return new StorageClass(name, provisioner, mode, new NodeSelector(List.of()));
    }

    static CsiStorageCapacity capacity(String name, String zone, String bytes) {
        return new CsiStorageCapacity(
                "default",
                name,
                "wait",
                LabelSelector.matching(ZONE, zone),
                Quantity.parse(bytes),
                null);
    }
}
