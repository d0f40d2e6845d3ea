package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Makes clusters, and pods to be placed in them, from a seed: the same seed, the same scenarios.
public final class ScenarioMaker {
    private final long seed;
    private final About about;
    private final Theme theme;
    private final List<String> nodeNames;
    private final List<ObjectNode> objects;
    private final boolean isLively;
    private final ClaimMaker claims;

    ScenarioMaker(long seed) {
        this(seed, About.of(seed));
    }

    public ScenarioMaker(long seed, About about) {
        this.seed = seed;
        this.about = about;
        var draw = new Draw(seed);
        this.theme = about == About.VOLUMES ? Theme.VOLUMES : Theme.of(draw);
        this.nodeNames =
                IntStream.rangeClosed(1, draw.between(3, draw.percent(20) ? 25 : 10))
                        .mapToObj(i -> "n" + i)
                        .toList();
        this.objects = List.copyOf(objects(draw));
        this.isLively = draw.percent(50);
        this.claims = new ClaimMaker(seed);
    }

    /// Everything but the pod, as it stands in the case with this number. Some clusters change a
    /// little from case to case: schedulers that remember must not remember too long.
    public List<ObjectNode> objects(int number) {
        if (about == About.RIVALS) {
            return rivals(number).cluster(number);
        }
        if (about == About.DEVICES) {
            return claims.objects();
        }
        var current = new ArrayList<>(objects);
        for (int i = 2; i <= number && isLively; i++) {
            change(current, i);
        }
        if (hasVolumes(number)) {
            current.addAll(volumes(number).made());
        }
        return current;
    }

    private void change(List<ObjectNode> current, int number) {
        var draw = new Draw(seed * 7_000_003 + number);
        var nodes = new NodeMaker(draw, theme);
        if (draw.percent(40)) {
            var old = draw.oneOf(current.stream().filter(ScenarioMaker::isNode).toList());
            current.set(current.indexOf(old), renewed(old, nodes));
        }
        if (draw.percent(40)) {
            var bound = current.stream().filter(o -> o.at("/spec").has("nodeName")).toList();
            if (!bound.isEmpty()) {
                current.remove(draw.oneOf(bound));
            }
        }
        if (draw.percent(40)) {
            var pod =
                    new PodMaker(draw, theme, nodeNames)
                            .bound("later-" + number, draw.oneOf(nodeNames), 1200 + number);
            current.add(withoutSharedPorts(pod, current));
        }
        if (draw.percent(10)) {
            var node = nodes.node("later-" + number);
            ((ObjectNode) node.get("status")).remove("images");
            current.add(node);
        }
    }

    /// The node with other labels, taints and resources. Its images stay: how many nodes have an
    /// image is looked at again only where a node changes, so two schedulers that do not place the
    /// same pods count differently for a while.
    private static ObjectNode renewed(ObjectNode old, NodeMaker nodes) {
        var node = nodes.node(old.at("/metadata/name").asText());
        var status = (ObjectNode) node.get("status");
        status.remove("images");
        if (old.at("/status").has("images")) {
            status.set("images", old.at("/status/images"));
        }
        return node;
    }

    /// The pod without host ports, where another on its node has one of them. Two pods with one
    /// port count once, so that the first to go frees it, and an evicted one that is put back takes
    /// it again: who comes second would find another cluster.
    private static ObjectNode withoutSharedPorts(ObjectNode pod, List<ObjectNode> others) {
        var node = pod.at("/spec/nodeName");
        var ports = pod.findValues("hostPort");
        boolean isShared =
                others.stream()
                        .filter(other -> other.at("/spec/nodeName").equals(node))
                        .flatMap(other -> other.findValues("hostPort").stream())
                        .anyMatch(ports::contains);
        if (isShared) {
            pod.findParents("ports").forEach(container -> ((ObjectNode) container).remove("ports"));
        }
        return pod;
    }

    private static boolean isNode(ObjectNode object) {
        return object.at("/kind").asText().equals("Node");
    }

    /// The pod of the case with this number.
    public ObjectNode pod(int number) {
        if (about == About.RIVALS) {
            return rivals(-number).pending();
        }
        if (about == About.DEVICES) {
            return claims.pod(number);
        }
        var pod = podWithoutVolumes(number);
        if (hasVolumes(number)) {
            volumeMaker(number).addToPending(pod);
        }
        return pod;
    }

    private ObjectNode podWithoutVolumes(int number) {
        return new PodMaker(new Draw(seed * 1_000_003 + number), theme, nodeNames).pending();
    }

    private boolean hasVolumes(int number) {
        return new Draw(seed * 3_000_017 + number).percent(theme.volumes());
    }

    /// What the volumes of a case's pod need.
    private VolumeMaker volumes(int number) {
        var maker = volumeMaker(number);
        maker.addToPending(podWithoutVolumes(number));
        return maker;
    }

    private VolumeMaker volumeMaker(int number) {
        return new VolumeMaker(new Draw(seed * 5_000_011 + number), nodeNames, "c" + number);
    }

    private RivalsMaker rivals(int number) {
        return new RivalsMaker(new Draw(seed * 9_000_011 + number));
    }

    private List<ObjectNode> objects(Draw draw) {
        var result = new ArrayList<ObjectNode>();
        var nodes = new NodeMaker(draw, theme);
        nodeNames.forEach(name -> result.add(nodes.node(name)));
        var volumes = new VolumeMaker(draw, nodeNames, "base");
        if (theme.volumes() > 0) {
            result.addAll(new StorageMaker(draw, nodeNames).storage());
            volumes.addBase();
            result.addAll(volumes.made());
        }
        for (var namespace : Vocabulary.NAMESPACES) {
            for (var app : Vocabulary.APPS) {
                if (draw.percent(25)) {
                    result.add(owner(draw, namespace, app));
                }
            }
        }
        if (theme.priority() > 30) {
            for (int i = draw.between(1, 3); i > 0; i--) {
                result.add(budget(draw, "budget-" + i));
            }
        }
        var pods = new PodMaker(draw, theme, nodeNames);
        int count = nodeNames.size() * draw.between(1, 1 + theme.tightness() / 20);
        if (theme.isTight()) {
            count += 2 * nodeNames.size();
        }
        var starts = new ArrayList<>(IntStream.range(0, count).boxed().toList());
        Collections.shuffle(starts, new Random(seed));
        for (int i = 0; i < count; i++) {
            var pod = pods.bound("b" + i, draw.oneOf(nodeNames), starts.get(i));
            if (theme.volumes() > 0 && draw.percent(theme.volumes() / 2)) {
                volumes.addTo(pod);
            }
            result.add(withoutSharedPorts(pod, result));
        }
        if (theme.volumes() > 0) {
            for (int i = 0; i < nodeNames.size(); i++) {
                var pod = pods.bound("common-" + i, nodeNames.get(i), 1100 + i);
                volumes.addCommonTo(pod);
                result.add(withoutSharedPorts(pod, result));
            }
        }
        if (draw.percent(25)) {
            for (int i = draw.between(1, 2); i > 0; i--) {
                result.add(pods.nominated("nominated-" + i, draw.oneOf(nodeNames)));
            }
        }
        return result;
    }

    /// Something that selects pods for spreading by default.
    private static ObjectNode owner(Draw draw, String namespace, String app) {
        var metadata = Json.object("namespace", namespace, "name", app);
        var labels = Json.object("app", app);
        var template =
                Json.object(
                        "metadata",
                        Json.object("labels", labels.deepCopy()),
                        "spec",
                        Json.object(
                                "containers",
                                Json.array(Json.object("name", "main", "image", "app"))));
        var kind =
                draw.oneOf(
                        "Service", "Service", "ReplicaSet", "StatefulSet", "ReplicationController");
        return switch (kind) {
            case "Service" ->
                    Json.object(
                            "apiVersion",
                            "v1",
                            "kind",
                            kind,
                            "metadata",
                            metadata,
                            "spec",
                            Json.object(
                                    "clusterIP",
                                    "None",
                                    "selector",
                                    labels,
                                    "ports",
                                    Json.array(Json.object("port", 80))));
            case "ReplicationController" ->
                    Json.object(
                            "apiVersion",
                            "v1",
                            "kind",
                            kind,
                            "metadata",
                            metadata,
                            "spec",
                            Json.object("replicas", 0, "selector", labels, "template", template));
            default ->
                    Json.object(
                            "apiVersion",
                            "apps/v1",
                            "kind",
                            kind,
                            "metadata",
                            metadata,
                            "spec",
                            Json.object(
                                    "replicas",
                                    0,
                                    "serviceName",
                                    kind.equals("StatefulSet") ? app : null,
                                    "selector",
                                    Json.object("matchLabels", labels),
                                    "template",
                                    template));
        };
    }

    private ObjectNode budget(Draw draw, String name) {
        return Json.object(
                "apiVersion",
                "policy/v1",
                "kind",
                "PodDisruptionBudget",
                "metadata",
                Json.object("namespace", draw.oneOf(Vocabulary.NAMESPACES), "name", name),
                "spec",
                Json.object(
                        "maxUnavailable",
                        1,
                        "selector",
                        new SelectorMaker(draw, nodeNames).podSelector()),
                "status",
                Json.object(
                        "currentHealthy",
                        5,
                        "desiredHealthy",
                        4,
                        "expectedPods",
                        5,
                        "disruptionsAllowed",
                        draw.between(0, 2),
                        "disruptedPods",
                        draw.percent(20)
                                ? Json.object("b" + draw.between(0, 9), "2026-01-02T00:00:00Z")
                                : null));
    }
}
