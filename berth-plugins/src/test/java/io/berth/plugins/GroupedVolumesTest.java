package io.berth.plugins;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;

import io.berth.api.amount.Quantity;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.model.AccessMode;
import io.berth.api.model.CsiNode;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolume.ClaimReference;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.model.VolumeAttachment;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Volume;
import io.berth.engine.framework.ProfileSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Decisions by groups of nodes are those of the plain passes, whatever volumes have to say: in
/// which zone they are, by labels or affinity, in whose words, and how many more a node takes.
@Tag("VB-6")
@Tag("VL-8")
@Tag("VZ-4")
final class GroupedVolumesTest {
    private static final String DRIVER = "csi.example.com";
    private static final String EBS = "ebs.csi.aws.com";
    private static final String EBS_ZONE = "topology.ebs.csi.aws.com/zone";
    private static final int NODES = 150;
    private static final int RUNS = 16;
    private static final int RUN_LENGTH = 25;

    private final TwoSchedulers schedulers =
            new TwoSchedulers(
                    List.of(),
                    enabled ->
                            new ProfileSettings[] {
                                ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, enabled)
                            });
    private final List<Placed> bound = new ArrayList<>();

    private record Placed(String pod, String claim) {}

    /// What the volumes of a run of pods have in common.
    private enum Sort {
        ANYWHERE,
        IN_A_ZONE,
        LABELLED,
        OF_OLD,
        SHARED
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void decisionsAreThoseOfThePlainPasses(long seed) {
        var random = new SplittableRandom(seed);
        for (int i = 0; i < NODES; i++) {
            var drawn = drawn("node-" + i, random);
            schedulers.each(scheduler -> scheduler.add(drawn));
            changeLimits("node-" + i, random);
        }
        for (int run = 0; run < RUNS; run++) {
            var sort = Sort.values()[random.nextInt(Sort.values().length)];
            for (int i = 0; i < RUN_LENGTH; i++) {
                disturb(random);
                place("p" + run + "-" + i, sort, random);
            }
        }
        schedulers.assertGrouped(4);
    }

    private void place(String name, Sort sort, SplittableRandom random) {
        var claim = sort == Sort.SHARED && random.nextInt(4) > 0 ? "shared" : name;
        if (claim.equals(name)) {
            bind(claim, sort, random);
        } else {
            bind(claim, sort, new SplittableRandom(7));
        }
        var made = withClaim(name, claim);
        if (schedulers.place(made).isEmpty()) {
            schedulers.remove(made.key());
        } else if (random.nextInt(3) == 0) {
            bound.add(new Placed(made.key(), claim));
        }
    }

    private static Pod withClaim(String name, String claim) {
        return pod(name)
                .cpu("100m")
                .memory("100Mi")
                .volume(new Volume("data", new Volume.Claim(claim, false)))
                .build();
    }

    private void bind(String claim, Sort sort, SplittableRandom random) {
        var zone = "zone-" + random.nextInt(4);
        var volume =
                PersistentVolume.named("pv-" + claim)
                        .capacity(Quantity.parse("1Gi"))
                        .accessModes(AccessMode.READ_WRITE_ONCE)
                        .storageClass("any")
                        .source(source(claim, sort))
                        .claim(new ClaimReference("default", claim, "u-" + claim))
                        .phase("Bound");
        if (sort == Sort.IN_A_ZONE || sort == Sort.OF_OLD) {
            volume.nodeAffinity(in(Node.ZONE_LABEL, zone));
        } else if (sort == Sort.LABELLED) {
            volume.labels(Labels.of(Node.ZONE_LABEL, zone + "__zone-0"));
        }
        var made = volume.build();
        var claimed =
                PersistentVolumeClaim.named("default", claim)
                        .uid("u-" + claim)
                        .request(Quantity.parse("1Gi"))
                        .accessModes(AccessMode.READ_WRITE_ONCE)
                        .storageClass("any")
                        .boundTo(made.name())
                        .build();
        schedulers.each(scheduler -> {
            scheduler.cluster().volumes().put(made);
            scheduler.cluster().volumes().put(claimed);
        });
    }

    private static Volume.Source source(String claim, Sort sort) {
        return sort == Sort.OF_OLD
                ? new Volume.AwsElasticBlockStore("vol-" + claim, false)
                : new Volume.Csi(DRIVER, claim);
    }

    private static NodeSelector in(String label, String value) {
        var only = new Requirement(label, Requirement.Operator.IN, List.of(value));
        return new NodeSelector(List.of(new NodeSelector.Term(List.of(only), List.of())));
    }

    /// Now and then, since what is kept by groups is kept as long as little happens.
    private void disturb(SplittableRandom random) {
        var name = "node-" + random.nextInt(NODES);
        switch (random.nextInt(30)) {
            case 0 -> add(drawn(name, random));
            case 1, 2, 3 -> changeLimits(name, random);
            case 4 -> attach(name, random);
            case 5, 6 -> {
                if (!bound.isEmpty()) {
                    schedulers.remove(bound.remove(random.nextInt(bound.size())).pod());
                }
            }
            case 7 -> moveVolume(random);
            case 8 ->
                    schedulers.each(scheduler ->
                            scheduler.add(
                                    new StorageClass(
                                            "any",
                                            DRIVER,
                                            BindingMode.IMMEDIATE,
                                            new NodeSelector(List.of()))));
            default -> {}
        }
    }

    private void add(Node node) {
        schedulers.each(scheduler -> scheduler.add(node));
    }

    /// Few places, so that many nodes are full.
    private void changeLimits(String name, SplittableRandom random) {
        var drivers = new ArrayList<CsiNode.Driver>();
        if (random.nextInt(8) > 0) {
            drivers.add(new CsiNode.Driver(DRIVER, random.nextInt(1, 5)));
        }
        drivers.add(new CsiNode.Driver(EBS, random.nextInt(1, 5)));
        var made =
                new CsiNode(
                        name,
                        drivers,
                        random.nextBoolean() ? Set.of("kubernetes.io/aws-ebs") : Set.of());
        schedulers.each(scheduler -> scheduler.add(made));
    }

    private void attach(String node, SplittableRandom random) {
        var some = someClaim(random);
        if (some != null) {
            var made = new VolumeAttachment("a-" + node, DRIVER, node, "pv-" + some);
            schedulers.each(scheduler -> scheduler.add(made));
        }
    }

    /// A volume becomes another one, so that the node of its pod has one more or one less.
    private void moveVolume(SplittableRandom random) {
        var some = someClaim(random);
        if (some != null) {
            Volume.Source source =
                    random.nextBoolean() ? new Volume.Csi(DRIVER, "x") : new Volume.Other("nfs");
            schedulers.each(scheduler ->
                    scheduler
                            .cluster()
                            .volumes()
                            .changeVolume(
                                    "pv-" + some, old -> old.toBuilder().source(source).build()));
        }
    }

    private @Nullable String someClaim(SplittableRandom random) {
        return bound.isEmpty() ? null : bound.get(random.nextInt(bound.size())).claim();
    }

    private static Node drawn(String name, SplittableRandom random) {
        var node = node(name).cpu("" + random.nextInt(4, 7)).memory("32Gi").pods(110);
        if (random.nextInt(15) > 0) {
            var zone = "zone-" + random.nextInt(4);
            node.zone(zone).label(EBS_ZONE, zone);
        }
        return node.build();
    }
}
