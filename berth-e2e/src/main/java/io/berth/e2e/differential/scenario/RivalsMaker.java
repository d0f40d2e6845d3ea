package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Makes clusters in which a preemption has the choice: equal nodes, full of pods that differ in
/// little, so that each of the criteria has its turn: budgets, priorities, numbers of victims and
/// how long they have been running. Among other clusters hardly two places are that equal.
final class RivalsMaker {
    private static final int NODE_CPU = 4;

    private static final List<String> NODES = List.of("n1", "n2", "n3", "n4", "n5");

    private final Draw draw;
    private final SelectorMaker selectors;

    RivalsMaker(Draw draw) {
        this.draw = draw;
        this.selectors = new SelectorMaker(draw, NODES);
    }

    /// Everything but the pod that is to be placed. No two pods start at the same time, because
    /// then chance decides; so pods that have not started yet are on one node at most.
    ///
    /// @param number part of names: pods on nodes and budgets cannot be changed, only replaced
    List<ObjectNode> cluster(int number) {
        var result = new ArrayList<ObjectNode>();
        NODES.forEach(name -> result.add(node(name)));
        for (int i = draw.between(0, 3); i > 0; i--) {
            result.add(budget("budget" + number + "-" + i));
        }
        var starts =
                draw.some(
                        IntStream.range(0, NODES.size() * NODE_CPU).boxed().toList(),
                        NODES.size() * NODE_CPU,
                        NODES.size() * NODE_CPU);
        String slowNode = draw.percent(60) ? draw.oneOf(NODES) : "";
        for (var node : NODES) {
            // Most pods of a node are alike: with all kinds on all nodes the same would go
            // anywhere.
            String namespace = draw.oneOf(Vocabulary.NAMESPACES);
            String priority = priority();
            // The more important ones are larger, so that fewer of them would do.
            int cpu = draw.percent(priority.equals("high") ? 70 : 20) ? 2 : 1;
            for (int i = 0; i < NODE_CPU / cpu; i++) {
                result.add(
                        bound(
                                Json.object(
                                        "namespace",
                                        draw.percent(80)
                                                ? namespace
                                                : draw.oneOf(Vocabulary.NAMESPACES),
                                        "name",
                                        "b" + number + "-" + node + "-" + i,
                                        "labels",
                                        selectors.podLabels()),
                                Json.object(
                                        "nodeName",
                                        node,
                                        "priorityClassName",
                                        draw.percent(80) ? priority : priority()),
                                Integer.toString(cpu),
                                status(
                                        starts.removeLast(),
                                        node.equals(slowNode) && draw.percent(75))));
            }
        }
        return result;
    }

    private String priority() {
        return draw.oneOf("low", "low", "high");
    }

    /// A budget that often has no room left.
    private ObjectNode budget(String name) {
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
                        draw.percent(50) ? Json.object() : selectors.podSelector()),
                "status",
                Json.object(
                        "currentHealthy",
                        4,
                        "desiredHealthy",
                        4,
                        "expectedPods",
                        5,
                        "disruptionsAllowed",
                        draw.percent(60) ? 0 : 1));
    }

    /// A pod that finds no room without a preemption.
    ObjectNode pending() {
        return pod(
                Json.object(
                        "namespace",
                        draw.oneOf(Vocabulary.NAMESPACES),
                        "name",
                        "pod",
                        "labels",
                        selectors.podLabels()),
                Json.object("priorityClassName", draw.oneOf("high", "top", "top", "top")),
                draw.oneOf("1", "1", "2", "2", "3", "1500m"));
    }

    private static ObjectNode bound(
            ObjectNode metadata, ObjectNode spec, String cpu, ObjectNode status) {
        var pod = pod(metadata, spec, cpu);
        pod.set("status", status);
        return pod;
    }

    /// @param isWaiting whether the pod's kubelet has not started it yet
    private static ObjectNode status(int startMinute, boolean isWaiting) {
        return isWaiting
                ? Json.object("phase", "Pending")
                : Json.object(
                        "phase",
                        "Running",
                        "startTime",
                        "2026-01-01T%02d:%02d:00Z".formatted(startMinute / 60, startMinute % 60));
    }

    private static ObjectNode pod(ObjectNode metadata, ObjectNode spec, String cpu) {
        spec.set(
                "containers",
                Json.array(
                        Json.object(
                                "name",
                                "main",
                                "image",
                                "app",
                                "resources",
                                Json.object("requests", Json.object("cpu", cpu)))));
        return Json.object("apiVersion", "v1", "kind", "Pod", "metadata", metadata, "spec", spec);
    }

    private static ObjectNode node(String name) {
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "Node",
                "metadata",
                Json.object("name", name, "labels", Json.object("kubernetes.io/hostname", name)),
                "status",
                Json.object(
                        "allocatable",
                        Json.object(
                                "cpu", Integer.toString(NODE_CPU), "memory", "8Gi", "pods", "110"),
                        "conditions",
                        Json.array(Json.object("type", "Ready", "status", "True"))));
    }
}
