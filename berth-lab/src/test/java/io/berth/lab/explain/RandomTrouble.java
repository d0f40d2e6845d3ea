package io.berth.lab.explain;

import static io.berth.testkit.Nodes.node;
import static io.berth.testkit.Pods.pod;

import io.berth.api.label.LabelSelector;
import io.berth.api.label.Requirement;
import io.berth.api.label.Requirement.Operator;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Node;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.model.PodDisruptionBudget;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.engine.port.ClusterImage;
import io.berth.testkit.Nodes;
import io.berth.testkit.Pods;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// A full, tainted, cordoned cluster by a seed, and pods with many wishes that it mostly cannot
/// fulfil.
final class RandomTrouble {
    private final Random random;
    private final List<ClusterObject> objects = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private int podNumber;

    RandomTrouble(long seed) {
        random = new Random(seed);
        int count = 2 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            nodes.add(randomNode("n" + i));
        }
        objects.addAll(nodes);
        for (var node : nodes) {
            fill(node);
        }
        if (random.nextBoolean()) {
            objects.add(
                    new PodDisruptionBudget(
                            "default", "db", LabelSelector.matching("app", "db"), 0, Set.of()));
        }
    }

    ClusterImage image() {
        return ClusterImage.of(objects);
    }

    /// The cluster with one more pod.
    ClusterImage with(Pod pod) {
        var more = new ArrayList<>(objects);
        more.add(pod);
        return ClusterImage.of(more);
    }

    private Node randomNode(String name) {
        Nodes node =
                node(name)
                        .cpu(oneOf("2", "4", "8"))
                        .memory(oneOf("4Gi", "8Gi"))
                        .pods(1 + random.nextInt(6))
                        .label(Node.HOSTNAME_LABEL, name)
                        .label("disk", oneOf("ssd", "hdd"))
                        .label("tier", oneOf("1", "2", "3"));
        if (random.nextInt(5) != 0) {
            node.zone(oneOf("east", "west", "south"));
        }
        if (random.nextInt(3) == 0) {
            node.taint("dedicated", oneOf("batch", "web"), oneOf("NoSchedule", "NoExecute"));
        }
        if (random.nextInt(6) == 0) {
            node.taint("node.kubernetes.io/not-ready", "", "NoExecute");
        }
        if (random.nextInt(5) == 0) {
            node.allocatable("example.com/gpu", oneOf("1", "4"));
        }
        if (random.nextInt(6) == 0) {
            node.unschedulable().taint("node.kubernetes.io/unschedulable", "", "NoSchedule");
        }
        return node.build();
    }

    private void fill(Node node) {
        int count = random.nextInt((int) node.allocatable().pods() + 1);
        for (int i = 0; i < count; i++) {
            Pods pod =
                    named("b")
                            .cpu(oneOf("100m", "500m", "1500m"))
                            .label("app", oneOf("web", "db"))
                            .priority(random.nextInt(3) * 10);
            // A port of a node is one pod's alone.
            if (i == 0 && random.nextInt(2) == 0) {
                pod.hostPort(8080);
            }
            if (random.nextInt(6) == 0) {
                pod.away(Node.HOSTNAME_LABEL, "app", "web");
            }
            if (random.nextInt(4) == 0) {
                pod.with(b -> b.controller(new Owner("apps/v1", "DaemonSet", "d", "d")));
            }
            objects.add(pod.onNode(node.name()).build());
        }
    }

    private Pods named(String prefix) {
        int number = podNumber++;
        return pod(prefix + number).uid("u" + number);
    }

    /// A pod with a few wishes, many of them vain.
    Pod demandingPod() {
        Pods pod =
                named("p")
                        .cpu(oneOf("100m", "1", "3", "7", "20"))
                        .label("app", oneOf("web", "db"))
                        .priority(random.nextInt(3) * 10);
        int wishes = random.nextInt(4);
        for (int i = 0; i < wishes; i++) {
            wish(pod);
        }
        return pod.build();
    }

    private void wish(Pods pod) {
        switch (random.nextInt(12)) {
            case 0 -> pod.memory(oneOf("1Gi", "6Gi", "64Gi"));
            case 1 -> pod.request("example.com/gpu", oneOf("1", "2", "8"));
            case 2 -> pod.nodeSelector("disk", oneOf("ssd", "nvme"));
            case 3 -> pod.nodeSelector("tier", oneOf("1", "9"));
            case 4 -> pod.requiresNode(Requirement.is(Node.ZONE_LABEL, oneOf("east", "north")));
            case 5 ->
                    pod.requiresNode(
                            new Requirement("tier", Operator.GT, List.of("1")),
                            new Requirement("disk", Operator.NOT_IN, List.of("ssd")));
            case 6 -> pod.away(Node.ZONE_LABEL, "app", oneOf("web", "db"));
            case 7 -> pod.near(Node.HOSTNAME_LABEL, "app", oneOf("web", "cache"));
            case 8 ->
                    pod.spread(
                            1,
                            oneOf(Node.ZONE_LABEL, Node.HOSTNAME_LABEL),
                            true,
                            LabelSelector.matching("app", "web"));
            case 9 ->
                    pod.spread(
                            new TopologySpreadConstraint(
                                    1,
                                    Node.ZONE_LABEL,
                                    true,
                                    LabelSelector.matching("app", "db"),
                                    4,
                                    true,
                                    random.nextBoolean(),
                                    List.of()));
            case 10 -> pod.hostPort(8080);
            default -> pod.requiresNodeNamed(oneOf("n0", "n1", "gone"));
        }
    }

    private String oneOf(String... values) {
        return List.of(values).get(random.nextInt(values.length));
    }
}
