package io.berth.plugins;

import io.berth.api.amount.Quantity;
import io.berth.api.amount.Resources;
import io.berth.api.column.NodeView;
import io.berth.api.label.LabelSelector;
import io.berth.api.label.Labels;
import io.berth.api.label.Requirement;
import io.berth.api.label.Requirement.Operator;
import io.berth.api.model.Kind;
import io.berth.api.model.Namespace;
import io.berth.api.model.Node;
import io.berth.api.model.NodeImage;
import io.berth.api.model.Owner;
import io.berth.api.model.Pod;
import io.berth.api.model.PodController;
import io.berth.api.model.Service;
import io.berth.api.spec.Affinity;
import io.berth.api.spec.Affinity.PodTerm;
import io.berth.api.spec.Affinity.WeightedPodTerm;
import io.berth.api.spec.Container;
import io.berth.api.spec.HostPort;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.PodSpec;
import io.berth.api.spec.Taint;
import io.berth.api.spec.Toleration;
import io.berth.api.spec.TopologySpreadConstraint;
import io.berth.api.spec.Volume;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A cluster made by chance out of few values, so that they meet often.
public final class RandomCluster {
    public final Random random;
    public final TestCluster cluster = new TestCluster();

    /// A controller in the annotation that asks to avoid its pods, from kind and uid.
    public static final String AVOIDED_CONTROLLER =
            "{\"apiVersion\": \"v1\", \"kind\": \"%s\", \"name\": \"w\", \"uid\": \"%s\"}";

    private static final List<String> NAMESPACES = List.of("red", "green", "blue");
    private int podNumber;
    private int nodeNumber;

    RandomCluster(long seed, int maxNodes, int maxPods) {
        random = new Random(seed);
        for (var name : NAMESPACES) {
            if (chance(80)) {
                cluster.add(new Namespace(name, labels("team", "a", "b")));
            }
        }
        for (int i = random.nextInt(6); i > 0; i--) {
            changeSelectors();
        }
        for (int i = random.nextInt(maxNodes) + 1; i > 0; i--) {
            cluster.add(node("n" + nodeNumber++));
        }
        for (int i = random.nextInt(maxPods + 1); i > 0; i--) {
            cluster.add(podOnNode());
        }
    }

    public boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    @SafeVarargs
    public final <T> T oneOf(T... values) {
        return values[random.nextInt(values.length)];
    }

    Labels labels(String key, String... values) {
        return chance(20) ? Labels.EMPTY : Labels.of(key, oneOf(values));
    }

    /// Changes the cluster in one way.
    public void change() {
        var pods = new ArrayList<>(cluster.state.pods());
        pods.sort(java.util.Comparator.comparing(Pod::uid));
        var nodes = new ArrayList<>(cluster.nodes().all());
        switch (random.nextInt(9)) {
            case 0, 1 -> cluster.add(podOnNode());
            case 2, 3 -> {
                if (!pods.isEmpty()) {
                    cluster.state.removePod(pods.get(random.nextInt(pods.size())));
                }
            }
            case 4 -> {
                if (!pods.isEmpty()) {
                    var pod = pods.get(random.nextInt(pods.size()));
                    var changed =
                            chance(50)
                                    ? pod.toBuilder().labels(podLabels()).build()
                                    : pod.toBuilder().deletedAt(Instant.EPOCH).build();
                    cluster.state.updatePod(pod, changed);
                }
            }
            case 5 -> cluster.add(node("n" + random.nextInt(nodeNumber)));
            case 6 -> cluster.add(node("n" + nodeNumber++));
            case 7 -> {
                cluster.state.refresh();
                if (nodes.size() > 1 && cluster.state.node(nodes.getFirst().name()) != null) {
                    cluster.state.removeNode(nodes.getFirst().node());
                }
            }
            default -> {
                if (chance(50)) {
                    cluster.add(new Namespace(oneOf("red", "green"), labels("team", "a", "b")));
                } else {
                    changeSelectors();
                }
            }
        }
    }

    /// Adds, changes or removes a service or a controller of pods.
    private void changeSelectors() {
        var namespace = oneOf("red", "red", "green");
        if (chance(50)) {
            var name = oneOf("s1", "s2");
            if (chance(15)) {
                cluster.objects.remove(Kind.SERVICE, namespace, name);
            } else {
                cluster.add(new Service(namespace, name, serviceSelector()));
            }
            return;
        }
        var kind = oneOf(Kind.REPLICATION_CONTROLLER, Kind.REPLICA_SET, Kind.STATEFUL_SET);
        var name = oneOf("w0", "w1");
        if (chance(15)) {
            cluster.objects.remove(kind, namespace, name);
        } else {
            boolean ofLabels = kind == Kind.REPLICATION_CONTROLLER;
            var selector = ofLabels ? LabelSelector.matching("app", oneOf("x", "y")) : selector();
            cluster.add(new PodController(kind, namespace, name, selector));
        }
    }

    private @Nullable Labels serviceSelector() {
        return switch (random.nextInt(8)) {
            case 0 -> null;
            case 1 -> Labels.EMPTY;
            case 2 -> Labels.of("app", oneOf("x", "y"), "tier", oneOf("gold", "silver"));
            case 3 -> Labels.of("tier", oneOf("gold", "silver"));
            default -> Labels.of("app", oneOf("x", "y"));
        };
    }

    private @Nullable Owner controller() {
        var kind =
                oneOf(
                        "v1 ReplicationController",
                        "apps/v1 ReplicaSet",
                        "apps/v1 StatefulSet",
                        "extensions/v1beta1 ReplicaSet",
                        "batch/v1 Job");
        var words = kind.split(" ", 2);
        int number = random.nextInt(2);
        return chance(40) ? null : new Owner(words[0], words[1], "w" + number, "u" + number);
    }

    /// Some of the nodes, as filters leave them; may be none.
    public List<NodeView> feasible() {
        return cluster.nodes().all().stream().filter(node -> chance(70)).toList();
    }

    Node node(String name) {
        var labels = new LinkedHashMap<String, String>();
        if (chance(92)) {
            labels.put(Node.HOSTNAME_LABEL, name);
        }
        if (chance(85)) {
            labels.put(Node.ZONE_LABEL, chance(5) ? "" : oneOf("a", "b", "c"));
        }
        if (chance(40)) {
            labels.put("topology.kubernetes.io/region", oneOf("r", "s", ""));
        }
        if (chance(10)) {
            labels.put("failure-domain.beta.kubernetes.io/zone", oneOf("a", "z", ""));
        }
        if (chance(10)) {
            labels.put("failure-domain.beta.kubernetes.io/region", oneOf("r", "t"));
        }
        if (chance(60)) {
            labels.put("disk", oneOf("ssd", "hdd"));
        }
        if (chance(60)) {
            labels.put("cores", oneOf("2", "8", "16", "-3", "many"));
        }
        var node =
                Node.builder(name)
                        .labels(Labels.of(labels))
                        .unschedulable(chance(15))
                        .allocatable(allocatable());
        for (int i = random.nextInt(3); i > 0; i--) {
            node.taint(taint());
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            node.image(
                    new NodeImage(
                            List.of(oneOf("web:latest", "db:1", "reg:5000/job:latest")),
                            random.nextLong(900L << 20)));
        }
        if (chance(50)) {
            node.declaredFeature("RestartAllContainersOnContainerExits");
        }
        if (chance(50)) {
            node.declaredFeature("UserNamespacesHostNetworkSupport");
        }
        if (chance(40)) {
            node.annotations(Labels.of("scheduler.alpha.kubernetes.io/preferAvoidPods", avoided()));
        }
        return node.build();
    }

    /// What an annotation says about the controllers whose pods are not wanted; sometimes cut off.
    private String avoided() {
        var entries = new ArrayList<String>();
        for (int i = random.nextInt(3); i > 0; i--) {
            var kind = oneOf("ReplicationController", "ReplicaSet", "StatefulSet");
            entries.add(
                    "{\"podSignature\": {\"podController\": "
                            + AVOIDED_CONTROLLER.formatted(kind, oneOf("u0", "u1"))
                            + "}, \"reason\": \"\\u00fc, \\\"}]\"}");
        }
        var text = "{\"preferAvoidPods\": [" + String.join(", ", entries) + "]}";
        return chance(20) ? text.substring(0, random.nextInt(text.length())) : text;
    }

    private Resources allocatable() {
        var scalars = new LinkedHashMap<String, Long>();
        if (chance(50)) {
            scalars.put("example.com/gpu", (long) random.nextInt(5));
        }
        if (chance(30)) {
            scalars.put("hugepages-2Mi", (long) random.nextInt(5));
        }
        return new Resources(
                chance(10) ? 0 : random.nextInt(8000),
                chance(10) ? 0 : random.nextLong(8L << 30),
                random.nextLong(1 << 20),
                random.nextInt(12),
                scalars);
    }

    Taint taint() {
        return new Taint(
                oneOf("k", "l"),
                oneOf("", "v", "w"),
                oneOf(Taint.NO_SCHEDULE, Taint.NO_EXECUTE, Taint.PREFER_NO_SCHEDULE));
    }

    Toleration toleration() {
        return new Toleration(
                oneOf("", "k", "l", "node.kubernetes.io/unschedulable"),
                oneOf("", "Equal", "Exists", "Exists", "Gt"),
                oneOf("", "v", "w"),
                oneOf("", "", Taint.NO_SCHEDULE, Taint.NO_EXECUTE, Taint.PREFER_NO_SCHEDULE));
    }

    public Pod podOnNode() {
        return pod().onNode("n" + random.nextInt(nodeNumber + (chance(5) ? 1 : 0)));
    }

    public Pod pod() {
        return Pod.builder(oneOf("red", "green", "blue"), "p" + podNumber++)
                .labels(podLabels())
                .controller(controller())
                .spec(spec())
                .deletedAt(chance(8) ? Instant.EPOCH : null)
                .build();
    }

    Labels podLabels() {
        var labels = new LinkedHashMap<String, String>();
        if (chance(85)) {
            labels.put("app", oneOf("x", "y"));
        }
        if (chance(50)) {
            labels.put("tier", oneOf("gold", "silver"));
        }
        return Labels.of(labels);
    }

    private PodSpec spec() {
        var spec = PodSpec.builder().priority(random.nextInt(3));
        for (int i = random.nextInt(3); i >= 0; i--) {
            spec.container(container("c" + i, false));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            spec.initContainer(container("i" + i, chance(40)));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            spec.toleration(toleration());
        }
        if (chance(25)) {
            spec.nodeSelector(chance(20) ? Labels.EMPTY : labels("disk", "ssd", "hdd"));
        }
        if (chance(20)) {
            spec.podLevelRequests(Map.of("cpu", Quantity.ofMillis(random.nextInt(900))));
        }
        if (chance(10)) {
            spec.volume(new Volume("v", new Volume.Image(oneOf("web", "db:1"))));
        }
        spec.affinity(affinity()).hostNetwork(chance(30)).hostUsers(chance(70));
        spec.restartsAllContainers(chance(20));
        if (chance(50)) {
            for (int i = random.nextInt(3); i >= 0; i--) {
                spec.topologySpread(constraint());
            }
        }
        return spec.build();
    }

    private Container container(String name, boolean restartable) {
        var requests = new LinkedHashMap<String, Quantity>();
        if (chance(60)) {
            requests.put("cpu", Quantity.ofMillis(random.nextInt(1500)));
        }
        if (chance(60)) {
            requests.put("memory", Quantity.of(random.nextLong(1L << 30)));
        }
        if (chance(20)) {
            requests.put("ephemeral-storage", Quantity.of(random.nextInt(1 << 18)));
        }
        if (chance(15)) {
            requests.put("example.com/gpu", Quantity.of(random.nextInt(3)));
        }
        if (chance(10)) {
            requests.put("hugepages-2Mi", Quantity.of(random.nextInt(3)));
        }
        var ports =
                chance(25)
                        ? List.of(
                                new HostPort(
                                        oneOf("", "10.0.0.1", "::"),
                                        oneOf("TCP", "UDP"),
                                        oneOf(0, 80, 81)))
                        : List.<HostPort>of();
        return new Container(
                name,
                oneOf("web", "db:1", "reg:5000/job", "other"),
                requests,
                Map.of(),
                ports,
                restartable);
    }

    private Affinity affinity() {
        var preferredNodes = new ArrayList<NodeSelector.Preferred>();
        boolean hasPreferred = chance(40);
        if (hasPreferred) {
            for (int i = random.nextInt(3); i > 0; i--) {
                preferredNodes.add(new NodeSelector.Preferred(random.nextInt(101), nodeTerm(true)));
            }
        }
        boolean pods = chance(50);
        return new Affinity(
                chance(30) ? nodeSelector() : null,
                preferredNodes,
                hasPreferred,
                pods,
                pods && chance(40) ? terms() : List.of(),
                pods && chance(40) ? weighted() : List.of(),
                pods && chance(40) ? terms() : List.of(),
                pods && chance(40) ? weighted() : List.of());
    }

    public NodeSelector nodeSelector() {
        var terms = new ArrayList<NodeSelector.Term>();
        for (int i = random.nextInt(3); i > 0; i--) {
            terms.add(nodeTerm(false));
        }
        return new NodeSelector(terms);
    }

    private NodeSelector.Term nodeTerm(boolean sound) {
        var expressions = new ArrayList<Requirement>();
        for (int i = random.nextInt(3); i > 0; i--) {
            expressions.add(nodeRequirement(sound));
        }
        var fields = new ArrayList<Requirement>();
        if (chance(30)) {
            fields.add(
                    new Requirement(
                            chance(90) ? "metadata.name" : "metadata.other",
                            oneOf(Operator.IN, Operator.NOT_IN),
                            sound || chance(80)
                                    ? List.of("n" + random.nextInt(4))
                                    : List.of("n0", "n1")));
        }
        return new NodeSelector.Term(expressions, fields);
    }

    private Requirement nodeRequirement(boolean sound) {
        return switch (random.nextInt(sound ? 5 : 6)) {
            case 0 -> new Requirement(Node.ZONE_LABEL, Operator.IN, List.of("a", oneOf("b", "")));
            case 1 -> new Requirement("disk", Operator.NOT_IN, List.of("ssd", "tape"));
            case 2 -> new Requirement("disk", Operator.EXISTS, List.of());
            case 3 -> new Requirement("cores", Operator.DOES_NOT_EXIST, List.of());
            case 4 -> new Requirement("cores", oneOf(Operator.GT, Operator.LT), List.of("8"));
            default -> new Requirement("cores", Operator.UNKNOWN, List.of("8"));
        };
    }

    LabelSelector selector() {
        return switch (random.nextInt(8)) {
            case 0 -> LabelSelector.EVERYTHING;
            case 1 -> LabelSelector.NOTHING;
            case 2 ->
                    LabelSelector.of(
                            List.of(new Requirement("tier", Operator.NOT_IN, List.of("gold"))));
            case 3 ->
                    LabelSelector.of(List.of(new Requirement("tier", Operator.EXISTS, List.of())));
            default -> LabelSelector.matching("app", oneOf("x", "y"));
        };
    }

    private List<PodTerm> terms() {
        var terms = new ArrayList<PodTerm>();
        for (int i = random.nextInt(3); i > 0; i--) {
            terms.add(term());
        }
        return terms;
    }

    private List<WeightedPodTerm> weighted() {
        return terms().stream()
                .map(term -> new WeightedPodTerm(random.nextInt(100) + 1, term))
                .toList();
    }

    private PodTerm term() {
        return new PodTerm(
                selector(),
                chance(30) ? Set.of(oneOf("red", "green")) : Set.of(),
                chance(30) ? namespaceSelector() : null,
                topologyKey());
    }

    private @Nullable LabelSelector namespaceSelector() {
        return oneOf(
                LabelSelector.EVERYTHING,
                LabelSelector.matching("team", "a"),
                LabelSelector.of(List.of(new Requirement("team", Operator.NOT_IN, List.of("a")))));
    }

    private String topologyKey() {
        return oneOf(Node.HOSTNAME_LABEL, Node.ZONE_LABEL, Node.ZONE_LABEL, "disk");
    }

    private TopologySpreadConstraint constraint() {
        return new TopologySpreadConstraint(
                random.nextInt(3) + 1,
                topologyKey(),
                chance(50),
                selector(),
                chance(30) ? random.nextInt(4) + 1 : 1,
                chance(70),
                chance(40),
                chance(30) ? List.of("tier") : List.of());
    }
}
