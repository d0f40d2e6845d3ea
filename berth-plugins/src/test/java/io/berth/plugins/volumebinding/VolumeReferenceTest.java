package io.berth.plugins.volumebinding;

import static io.berth.plugins.volumebinding.Fixtures.DRIVER;
import static io.berth.plugins.volumebinding.Fixtures.ZONE;
import static io.berth.plugins.volumebinding.Fixtures.claim;
import static io.berth.plugins.volumebinding.Fixtures.in;
import static io.berth.plugins.volumebinding.Fixtures.node;
import static io.berth.plugins.volumebinding.Fixtures.podWith;
import static io.berth.plugins.volumebinding.Fixtures.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.amount.Quantity;
import io.berth.api.label.LabelSelector;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.CsiDriver;
import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolume.ClaimReference;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.StorageClass;
import io.berth.api.model.StorageClass.BindingMode;
import io.berth.api.spec.NodeSelector;
import io.berth.api.verdict.PreFilterVerdict;
import io.berth.api.verdict.Refusal;
import io.berth.plugins.PluginRun;
import io.berth.plugins.TestCluster;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The column form against a plain reading of the contract, node by node, on random clusters that
/// change.
@Tag("VB-6")
@Tag("VB-8")
@Tag("VB-9")
@Tag("VB-10")
@Tag("VB-11")
final class VolumeReferenceTest {
    private static final int NODES = 9;

    private final TestCluster cluster = new TestCluster();
    private final VolumeBinding plugin = new VolumeBinding(VolumeBindingArguments.DEFAULT, cluster);
    private final Map<String, PersistentVolume> volumes = new LinkedHashMap<>();
    private final Map<String, PersistentVolumeClaim> claims = new LinkedHashMap<>();
    private final Map<String, StorageClass> classes = new LinkedHashMap<>();
    private final Map<String, CsiStorageCapacity> capacities = new LinkedHashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private boolean driverTells;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void formsAgree(long seed) {
        var random = new Random(seed);
        for (int i = 0; i < NODES; i++) {
            var made = node("n" + i, "z" + i % 3);
            nodes.add(made);
            cluster.add(made);
        }
        int judged = 0;
        for (int round = 0; round < 300; round++) {
            change(random);
            var names = new HashSet<String>();
            for (int i = 0; i <= random.nextInt(3); i++) {
                names.add("c" + random.nextInt(5));
            }
            names.retainAll(claims.keySet());
            judged += compare(names.toArray(String[]::new));
        }
        assertThat(judged).as("nodes that were judged").isGreaterThan(300);
    }

    private void change(Random random) {
        switch (random.nextInt(5)) {
            case 0, 1 -> put(volumes, randomVolume(random));
            case 2 -> put(claims, randomClaim(random));
            case 3 -> put(capacities, randomCapacity(random));
            default -> {
                put(classes, randomClass(random));
                driverTells = random.nextInt(3) > 0;
                cluster.add(new CsiDriver(DRIVER, driverTells, false));
            }
        }
    }

    private <T extends ClusterObject> void put(Map<String, T> all, T object) {
        all.put(object.name(), object);
        cluster.add(object);
    }

    private static Quantity size(Random random) {
        return Quantity.parse(1 + random.nextInt(6) + "Gi");
    }

    private @Nullable NodeSelector randomAffinity(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> null;
            case 1 -> in("kubernetes.io/hostname", "n" + random.nextInt(NODES + 1));
            case 2 -> in(ZONE, "z" + random.nextInt(4));
            default -> in(ZONE, "z" + random.nextInt(3), "z" + random.nextInt(3));
        };
    }

    private PersistentVolume randomVolume(Random random) {
        var made =
                volume("v" + random.nextInt(12), "1Gi")
                        .capacity(size(random))
                        .storageClass(random.nextInt(5) == 0 ? "other" : "wait")
                        .phase(random.nextInt(6) == 0 ? "Bound" : "Available")
                        .deleting(random.nextInt(9) == 0)
                        .nodeAffinity(randomAffinity(random));
        if (random.nextInt(4) == 0) {
            made.claim(
                    new ClaimReference(
                            "default",
                            "c" + random.nextInt(6),
                            random.nextBoolean() ? "" : "u-c" + random.nextInt(6)));
        }
        return made.build();
    }

    private PersistentVolumeClaim randomClaim(Random random) {
        var made =
                claim("c" + random.nextInt(5), "1Gi")
                        .request(random.nextInt(8) == 0 ? null : size(random));
        if (random.nextInt(3) == 0) {
            made.boundTo("v" + random.nextInt(14));
        } else if (random.nextInt(6) == 0) {
            made.selectedNode("n" + random.nextInt(NODES));
        }
        return made.build();
    }

    private StorageClass randomClass(Random random) {
        return new StorageClass(
                "wait",
                random.nextInt(4) == 0 ? StorageClass.NO_PROVISIONER : DRIVER,
                BindingMode.WAIT_FOR_FIRST_CONSUMER,
                random.nextBoolean()
                        ? new NodeSelector(List.of())
                        : in(ZONE, "z" + random.nextInt(3), "z" + random.nextInt(3)));
    }

    private CsiStorageCapacity randomCapacity(Random random) {
        var topology =
                switch (random.nextInt(4)) {
                    case 0 -> LabelSelector.EVERYTHING;
                    case 1 -> LabelSelector.NOTHING;
                    case 2 ->
                            LabelSelector.matching(
                                    "kubernetes.io/hostname", "n" + random.nextInt(NODES));
                    default -> LabelSelector.matching(ZONE, "z" + random.nextInt(3));
                };
        return new CsiStorageCapacity(
                "default",
                "k" + random.nextInt(6),
                random.nextInt(6) == 0 ? "other" : "wait",
                topology,
                random.nextInt(5) == 0 ? null : size(random),
                random.nextInt(5) == 0 ? size(random) : null);
    }

    /// @return how many nodes were judged
    private int compare(String... names) {
        var run = PluginRun.of(cluster, plugin, podWith(names));
        if (!run.preFilter().equals(PreFilterVerdict.PASS)) {
            return 0;
        }
        var verdicts = run.filter();
        for (var node : nodes) {
            var said = Objects.requireNonNull(verdicts.get(node.name()));
            assertThat(said instanceof Refusal refusal ? refusal.reasons() : List.of())
                    .as("%s on %s", List.of(names), node.name())
                    .isEqualTo(plain(List.of(names), node));
        }
        return nodes.size();
    }

    /// The contract, read slowly.
    private List<String> plain(List<String> names, Node node) {
        var wanted = names.stream().map(name -> Objects.requireNonNull(claims.get(name))).toList();
        var flags = new boolean[4];
        for (var each : wanted) {
            if (each.isBound()) {
                var bound = volumes.get(each.volumeName());
                if (bound == null) {
                    flags[3] = true;
                    break;
                } else if (!reaches(node, bound)) {
                    flags[0] = true;
                    break;
                }
            }
        }
        judgeOpen(wanted.stream().filter(each -> !each.isBound()).toList(), node, flags);
        var reasons = new ArrayList<String>();
        for (int i = 0; i < flags.length; i++) {
            if (flags[i]) {
                reasons.add(VolumeJudge.REASONS.get(i));
            }
        }
        return reasons;
    }

    private void judgeOpen(List<PersistentVolumeClaim> open, Node node, boolean[] flags) {
        var made = new ArrayList<PersistentVolumeClaim>();
        var matched = new ArrayList<PersistentVolumeClaim>();
        for (var each : open) {
            if (each.selectedNode() == null) {
                matched.add(each);
            } else if (node.name().equals(each.selectedNode())) {
                made.add(each);
            } else {
                flags[1] = true;
                return;
            }
        }
        matched.sort(Comparator.comparing(VolumeReferenceTest::request));
        var taken = new HashSet<String>();
        for (var each : matched) {
            var found = match(each, node, taken);
            if (found == null) {
                made.add(each);
            } else {
                taken.add(found.name());
            }
        }
        for (var each : made) {
            var storageClass = Objects.requireNonNull(classes.get(each.storageClass()));
            if (storageClass.provisioner().equals(StorageClass.NO_PROVISIONER)
                    || !storageClass.allowedTopologies().terms().isEmpty()
                            && !storageClass.allowedTopologies().matches(node)) {
                flags[1] = true;
                return;
            }
            if (driverTells && each.request() != null && !hasRoom(each, node)) {
                flags[2] = true;
                return;
            }
        }
    }

    private static Quantity request(PersistentVolumeClaim claim) {
        var request = claim.request();
        return request == null ? Quantity.ZERO : request;
    }

    private boolean hasRoom(PersistentVolumeClaim claim, Node node) {
        for (var each : capacities.values()) {
            var limit = each.limit();
            if (each.storageClass().equals(claim.storageClass())
                    && limit != null
                    && limit.compareTo(request(claim)) >= 0
                    && each.nodeTopology().matches(node.labels())) {
                return true;
            }
        }
        return false;
    }

    private @Nullable PersistentVolume match(
            PersistentVolumeClaim claim, Node node, Set<String> taken) {
        @Nullable PersistentVolume smallest = null;
        for (var each : volumes.values()) {
            var reference = each.claim();
            boolean isKept =
                    reference != null
                            && reference.name().equals(claim.name())
                            && (reference.uid().isEmpty() || reference.uid().equals(claim.uid()));
            if (taken.contains(each.name())
                    || !each.storageClass().equals(claim.storageClass())
                    || reference != null && !isKept
                    || each.capacity().compareTo(request(claim)) < 0
                    || each.isDeleting()) {
                continue;
            }
            if (isKept) {
                return reaches(node, each) ? each : null;
            }
            if (each.phase().equals("Available")
                    && reaches(node, each)
                    && (smallest == null || each.capacity().compareTo(smallest.capacity()) < 0)) {
                smallest = each;
            }
        }
        return smallest;
    }

    private static boolean reaches(Node node, PersistentVolume volume) {
        var affinity = volume.nodeAffinity();
        return affinity == null || affinity.matches(node);
    }
}
