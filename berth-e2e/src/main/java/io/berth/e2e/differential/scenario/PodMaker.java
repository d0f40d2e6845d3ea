package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/// Makes pods: those that are on nodes already, and the one that is to be placed.
final class PodMaker {
    private final Draw draw;
    private final Theme theme;
    private final SelectorMaker selectors;
    private final ResourceMaker resources;

    PodMaker(Draw draw, Theme theme, List<String> nodeNames) {
        this.draw = draw;
        this.theme = theme;
        this.selectors = new SelectorMaker(draw, nodeNames);
        this.resources = new ResourceMaker(draw, theme);
    }

    /// A pod on a node. All start at different times, so that none is as important as another.
    ObjectNode bound(String name, String node, int startMinute) {
        var spec = Json.object("nodeName", node);
        resources.addTo(spec, !draw.percent(theme.tightness() / 2));
        if (draw.percent(theme.priority() / 2 + 10)) {
            spec.put("priorityClassName", draw.oneOf("low", "low", "low", "high"));
        }
        if (draw.percent(theme.podAffinity() / 3)) {
            spec.set("affinity", podAffinity(true));
        }
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                Json.object(
                        "namespace",
                        draw.oneOf(Vocabulary.NAMESPACES),
                        "name",
                        name,
                        "labels",
                        selectors.podLabels(),
                        "annotations",
                        draw.percent(4) ? Json.object(Vocabulary.LEAVING, "true") : null),
                "spec",
                spec,
                "status",
                status(startMinute));
    }

    private ObjectNode status(int startMinute) {
        var status =
                Json.object(
                        "phase",
                        draw.percent(3) ? draw.oneOf("Succeeded", "Failed") : "Running",
                        "startTime",
                        "2026-01-01T%02d:%02d:00Z".formatted(startMinute / 60, startMinute % 60));
        if (draw.percent(8)) {
            // A resize under way: what the node has given, and what it gives now.
            status.set(
                    "containerStatuses",
                    Json.array(
                            Json.object(
                                    "name",
                                    "main-1",
                                    "image",
                                    "app",
                                    "imageID",
                                    "",
                                    "ready",
                                    true,
                                    "restartCount",
                                    0,
                                    "allocatedResources",
                                    draw.percent(60) ? amounts() : null,
                                    "resources",
                                    draw.percent(80) ? Json.object("requests", amounts()) : null)));
            if (draw.percent(40)) {
                status.set(
                        "conditions",
                        Json.array(
                                Json.object(
                                        "type",
                                        "PodResizePending",
                                        "status",
                                        "True",
                                        "reason",
                                        draw.oneOf("Infeasible", "Deferred"))));
            }
        }
        return status;
    }

    private ObjectNode amounts() {
        return Json.object(
                "cpu", draw.oneOf("10m", "200m", "1"), "memory", draw.oneOf("50Mi", "700Mi"));
    }

    /// A pod that waits at a gate, but has a node in prospect: those that are no more important
    /// have to leave it room there.
    ObjectNode nominated(String name, String node) {
        var spec =
                Json.object(
                        "schedulingGates",
                        Json.array(Json.object("name", "example.com/wait")),
                        "priorityClassName",
                        draw.oneOf("high", "top", "polite"));
        resources.addTo(spec, draw.percent(50));
        if (draw.percent(theme.podAffinity() / 3)) {
            spec.set("affinity", podAffinity(true));
        }
        return Json.object(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                Json.object(
                        "namespace",
                        draw.oneOf(Vocabulary.NAMESPACES),
                        "name",
                        name,
                        "labels",
                        selectors.podLabels()),
                "spec",
                spec,
                "status",
                Json.object("nominatedNodeName", node));
    }

    /// A pod to be placed.
    ObjectNode pending() {
        var spec = Json.object();
        resources.addTo(spec, false);
        if (draw.percent(theme.nodeChoice() / 3)) {
            spec.set("nodeSelector", selectors.nodeLabels());
        }
        var affinity = Json.object();
        if (draw.percent(theme.nodeChoice())) {
            affinity.set("nodeAffinity", nodeAffinity());
        }
        if (draw.percent(theme.podAffinity())) {
            affinity.setAll(podAffinity(false));
        }
        if (!affinity.isEmpty()) {
            spec.set("affinity", affinity);
        }
        if (draw.percent(theme.taints() + 10)) {
            spec.set("tolerations", selectors.tolerations());
        }
        if (draw.percent(theme.spread())) {
            spec.set("topologySpreadConstraints", spreadConstraints());
        }
        if (draw.percent(theme.priority())) {
            spec.put("priorityClassName", draw.oneOf(Vocabulary.PRIORITY_CLASSES));
        }
        if (draw.percent(2)) {
            spec.set("schedulingGates", Json.array(Json.object("name", "example.com/wait")));
        }
        var metadata =
                Json.object(
                        "namespace",
                        draw.oneOf(Vocabulary.NAMESPACES),
                        "name",
                        "pod",
                        "labels",
                        draw.percent(92) ? selectors.podLabels() : null);
        if (draw.percent(30)) {
            metadata.set("ownerReferences", Json.array(owner()));
        }
        return Json.object("apiVersion", "v1", "kind", "Pod", "metadata", metadata, "spec", spec);
    }

    private ObjectNode owner() {
        var kind = draw.oneOf("ReplicaSet", "ReplicaSet", "StatefulSet", "ReplicationController");
        return Json.object(
                "apiVersion",
                kind.equals("ReplicationController") ? "v1" : "apps/v1",
                "kind",
                kind,
                "name",
                draw.oneOf(Vocabulary.APPS),
                "uid",
                "11111111-2222-3333-4444-555555555555",
                "controller",
                true);
    }

    private ObjectNode nodeAffinity() {
        var affinity = Json.object();
        if (draw.percent(50)) {
            var terms = new ArrayList<ObjectNode>();
            for (int i = draw.between(1, 2); i > 0; i--) {
                terms.add(selectors.nodeSelectorTerm());
            }
            affinity.set(
                    "requiredDuringSchedulingIgnoredDuringExecution",
                    Json.object("nodeSelectorTerms", Json.array(terms)));
        }
        if (affinity.isEmpty() || draw.percent(50)) {
            var preferred = Json.array();
            for (int i = draw.between(1, 3); i > 0; i--) {
                preferred.add(
                        Json.object(
                                "weight",
                                draw.oneOf(1, 7, 50, 100),
                                "preference",
                                selectors.nodeSelectorTerm()));
            }
            affinity.set("preferredDuringSchedulingIgnoredDuringExecution", preferred);
        }
        return affinity;
    }

    /// @param isGentle of bound pods: too many strict ones would shut out every pod
    private ObjectNode podAffinity(boolean isGentle) {
        var affinity = Json.object();
        if (draw.percent(60)) {
            affinity.set("podAffinity", podTerms(isGentle ? 30 : 50));
        }
        if (affinity.isEmpty() || draw.percent(50)) {
            affinity.set("podAntiAffinity", podTerms(isGentle ? 25 : 50));
        }
        return affinity;
    }

    private ObjectNode podTerms(int strictChance) {
        var terms = Json.object();
        if (draw.percent(strictChance)) {
            var required = Json.array();
            for (int i = draw.percent(25) ? 2 : 1; i > 0; i--) {
                required.add(podTerm());
            }
            terms.set("requiredDuringSchedulingIgnoredDuringExecution", required);
        }
        if (terms.isEmpty() || draw.percent(40)) {
            var preferred = Json.array();
            for (int i = draw.between(1, 2); i > 0; i--) {
                preferred.add(
                        Json.object(
                                "weight",
                                draw.oneOf(1, 10, 33, 100),
                                "podAffinityTerm",
                                podTerm()));
            }
            terms.set("preferredDuringSchedulingIgnoredDuringExecution", preferred);
        }
        return terms;
    }

    private ObjectNode podTerm() {
        var term = Json.object("topologyKey", draw.oneOf(Vocabulary.TOPOLOGY_KEYS));
        if (draw.percent(95)) {
            term.set("labelSelector", selectors.podSelector());
        }
        if (draw.percent(25)) {
            term.set("namespaces", Json.array(draw.some(Vocabulary.NAMESPACES, 1, 2)));
        }
        if (draw.percent(20)) {
            term.set("namespaceSelector", selectors.namespaceSelector());
        }
        if (term.has("labelSelector") && draw.percent(15)) {
            term.set(
                    draw.oneOf("matchLabelKeys", "mismatchLabelKeys"),
                    Json.array(draw.oneOf("version", "absent")));
        }
        return term;
    }

    private ArrayNode spreadConstraints() {
        var constraints = Json.array();
        var seen = new ArrayList<String>();
        for (int i = draw.between(1, 3); i > 0; i--) {
            var constraint = spreadConstraint();
            var identity =
                    constraint.get("topologyKey").asText()
                            + constraint.get("whenUnsatisfiable").asText();
            if (!seen.contains(identity)) {
                seen.add(identity);
                constraints.add(constraint);
            }
        }
        return constraints;
    }

    private ObjectNode spreadConstraint() {
        boolean isHard = draw.percent(55);
        var constraint =
                Json.object(
                        "maxSkew",
                        draw.oneOf(1, 1, 2, 4),
                        "topologyKey",
                        draw.oneOf(Vocabulary.TOPOLOGY_KEYS),
                        "whenUnsatisfiable",
                        isHard ? "DoNotSchedule" : "ScheduleAnyway");
        if (draw.percent(95)) {
            constraint.set("labelSelector", selectors.podSelector());
            if (draw.percent(15)) {
                constraint.set("matchLabelKeys", Json.array(draw.oneOf("version", "absent")));
            }
        }
        if (isHard && draw.percent(25)) {
            constraint.put("minDomains", draw.between(1, 5));
        }
        if (draw.percent(30)) {
            constraint.put("nodeAffinityPolicy", draw.oneOf("Honor", "Ignore"));
        }
        if (draw.percent(30)) {
            constraint.put("nodeTaintsPolicy", draw.oneOf("Honor", "Ignore"));
        }
        return constraint;
    }
}
