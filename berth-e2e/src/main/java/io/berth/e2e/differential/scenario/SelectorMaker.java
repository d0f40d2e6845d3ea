package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Makes choices: of nodes by label and name, of pods by label, of namespaces, of taints.
final class SelectorMaker {
    private final Draw draw;
    private final List<String> nodeNames;

    SelectorMaker(Draw draw, List<String> nodeNames) {
        this.draw = draw;
        this.nodeNames = nodeNames;
    }

    ObjectNode podLabels() {
        var labels = Json.object("app", draw.oneOf(Vocabulary.APPS));
        if (draw.percent(60)) {
            labels.put("tier", draw.oneOf(Vocabulary.TIERS));
        }
        if (draw.percent(40)) {
            labels.put("version", draw.oneOf("1", "2"));
        }
        return labels;
    }

    /// A selector of pods; rarely one that selects all.
    ObjectNode podSelector() {
        if (draw.percent(6)) {
            return Json.object();
        }
        if (draw.percent(60)) {
            return Json.object(
                    "matchLabels",
                    draw.percent(70)
                            ? Json.object("app", draw.oneOf(Vocabulary.APPS))
                            : Json.object("tier", draw.oneOf(Vocabulary.TIERS)));
        }
        var expressions = Json.array();
        for (int i = draw.between(1, 2); i > 0; i--) {
            expressions.add(
                    draw.percent(60)
                            ? labelRequirement("app", Vocabulary.APPS)
                            : labelRequirement("tier", Vocabulary.TIERS));
        }
        return Json.object("matchExpressions", expressions);
    }

    ObjectNode namespaceSelector() {
        if (draw.percent(15)) {
            return Json.object();
        }
        if (draw.percent(50)) {
            return Json.object("matchLabels", Json.object("team", draw.oneOf("a", "b", "c")));
        }
        var expressions = Json.array(labelRequirement("env", List.of("prod", "test")));
        if (draw.percent(30)) {
            expressions.add(labelRequirement("team", List.of("a", "b")));
        }
        return Json.object("matchExpressions", expressions);
    }

    private ObjectNode labelRequirement(String key, List<String> values) {
        var operator = draw.oneOf("In", "In", "NotIn", "Exists", "DoesNotExist");
        return Json.object(
                "key",
                key,
                "operator",
                operator,
                "values",
                operator.endsWith("In") ? Json.array(draw.some(values, 1, 2)) : null);
    }

    ObjectNode nodeLabels() {
        return switch (draw.between(0, 3)) {
            case 0 -> Json.object("disk", draw.oneOf(Vocabulary.DISKS));
            case 1 -> Json.object(Vocabulary.ZONE, draw.oneOf(Vocabulary.ZONES));
            case 2 -> Json.object(Vocabulary.HOSTNAME, draw.oneOf(nodeNames));
            default ->
                    Json.object(
                            "disk",
                            draw.oneOf(Vocabulary.DISKS),
                            Vocabulary.ZONE,
                            draw.oneOf(Vocabulary.ZONES));
        };
    }

    ObjectNode nodeSelectorTerm() {
        var expressions = new ArrayList<ObjectNode>();
        var fields = new ArrayList<ObjectNode>();
        if (draw.percent(20)) {
            fields.add(
                    Json.object(
                            "key",
                            "metadata.name",
                            "operator",
                            draw.oneOf("In", "In", "NotIn"),
                            "values",
                            Json.array(draw.percent(80) ? draw.oneOf(nodeNames) : "no-such-node")));
        }
        if (fields.isEmpty() || draw.percent(50)) {
            for (int i = draw.between(1, 2); i > 0; i--) {
                expressions.add(nodeRequirement());
            }
        }
        return Json.object(
                "matchExpressions",
                Json.arrayOrNull(expressions),
                "matchFields",
                Json.arrayOrNull(fields));
    }

    private ObjectNode nodeRequirement() {
        if (draw.percent(30)) {
            return Json.object(
                    "key",
                    draw.oneOf("generation", "generation", "disk"),
                    "operator",
                    draw.oneOf("Gt", "Lt"),
                    "values",
                    Json.array(draw.oneOf("0", "4", "5", "12")));
        }
        return switch (draw.between(0, 2)) {
            case 0 -> labelRequirement("disk", Vocabulary.DISKS);
            case 1 -> labelRequirement(Vocabulary.ZONE, Vocabulary.ZONES);
            default -> labelRequirement("rack", List.of("1", "2", "3", "4"));
        };
    }

    ArrayNode tolerations() {
        return Json.array(
                IntStream.rangeClosed(1, draw.between(1, 3)).mapToObj(_ -> toleration()).toList());
    }

    private ObjectNode toleration() {
        if (draw.percent(10)) {
            return Json.object("operator", "Exists");
        }
        boolean exists = draw.percent(40);
        var value = draw.oneOf(Vocabulary.TAINT_VALUES);
        var effect = draw.percent(30) ? null : draw.oneOf(Vocabulary.EFFECTS);
        return Json.object(
                "key",
                draw.percent(8)
                        ? "node.kubernetes.io/unschedulable"
                        : draw.oneOf(Vocabulary.TAINT_KEYS),
                "operator",
                exists ? "Exists" : draw.percent(50) ? "Equal" : null,
                "value",
                exists || value.isEmpty() ? null : value,
                "effect",
                effect,
                "tolerationSeconds",
                "NoExecute".equals(effect) && draw.percent(30) ? Integer.valueOf(60) : null);
    }
}
