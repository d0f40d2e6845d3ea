package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// What an update may change of a pod's spec: images, a shorter deadline, more tolerations, fewer
/// gates, and while gated a narrower choice of nodes. All else is fixed.
final class PodUpdateValidation {
    private static final String ONLY =
            "pod updates may not change fields other than `spec.containers[*].image`,"
                    + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
                    + "`spec.tolerations` (only additions to existing tolerations),"
                    + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was"
                    + " previously negative)\n";
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

    private final JsonNode old;
    private final ObjectNode fresh;
    private final Problems problems;

    private PodUpdateValidation(JsonNode old, ObjectNode fresh, Problems problems) {
        this.old = old;
        this.fresh = fresh;
        this.problems = problems;
    }

    static void check(JsonNode oldSpec, JsonNode newSpec, Problems problems) {
        if (newSpec instanceof ObjectNode spec) {
            new PodUpdateValidation(oldSpec, spec.deepCopy(), problems).run();
        }
    }

    /// Judges each change that is allowed and undoes it; what differs in the end is forbidden.
    private void run() {
        if (!containers("containers") || !containers("initContainers") || !deadline()) {
            return;
        }
        tolerations();
        gates();
        JsonNode oldGrace = old.path("terminationGracePeriodSeconds");
        if (oldGrace.asLong() < 0 && fresh.path("terminationGracePeriodSeconds").asLong() == 1) {
            undo("terminationGracePeriodSeconds");
        }
        if (!old.path("schedulingGates").isEmpty()) {
            nodeSelector();
            nodeAffinity();
        }
        undo("schedulingGates");
        undo("tolerations");
        undo("activeDeadlineSeconds");
        if (!fresh.equals(old)) {
            problems.forbidden("spec", ONLY + difference());
        }
    }

    private boolean containers(String list) {
        JsonNode before = old.path(list);
        JsonNode after = fresh.path(list);
        if (before.size() != after.size()) {
            problems.forbidden("spec." + list, "pod updates may not add or remove containers");
            return false;
        }
        for (int i = 0; i < after.size(); i++) {
            if (after.get(i) instanceof ObjectNode container) {
                Nodes.copy((ObjectNode) before.get(i), container, "image");
            }
        }
        return true;
    }

    private boolean deadline() {
        JsonNode before = old.path("activeDeadlineSeconds");
        JsonNode after = fresh.path("activeDeadlineSeconds");
        String field = "spec.activeDeadlineSeconds";
        if (after.isNumber()) {
            if (after.asLong() < 0 || after.asLong() > Integer.MAX_VALUE) {
                problems.invalid(field, after, "must be between 0 and 2147483647, inclusive");
                return false;
            }
            if (before.isNumber() && before.asLong() < after.asLong()) {
                problems.invalid(field, after, "must be less than or equal to previous value");
                return false;
            }
        } else if (before.isNumber()) {
            problems.invalid(field, after, "must not update from a positive integer to nil value");
        }
        return true;
    }

    private void tolerations() {
        for (JsonNode kept : old.path("tolerations")) {
            boolean found =
                    fresh.path("tolerations")
                            .valueStream()
                            .anyMatch(each -> withoutSeconds(each).equals(withoutSeconds(kept)));
            if (!found) {
                problems.forbidden(
                        "spec.tolerations",
                        "existing toleration can not be modified except its tolerationSeconds");
                return;
            }
        }
    }

    private static JsonNode withoutSeconds(JsonNode toleration) {
        return toleration instanceof ObjectNode object
                ? object.deepCopy().without("tolerationSeconds")
                : toleration;
    }

    private void gates() {
        List<String> before =
                old.path("schedulingGates")
                        .valueStream()
                        .map(g -> g.path("name").asText())
                        .toList();
        for (int i = 0; i < fresh.path("schedulingGates").size(); i++) {
            String name = fresh.path("schedulingGates").get(i).path("name").asText();
            if (!before.contains(name)) {
                problems.forbidden(
                        "spec.schedulingGates[" + i + "].name",
                        "only deletion is allowed, but found new scheduling gate '" + name + "'");
            }
        }
    }

    private void nodeSelector() {
        for (var entry : old.path("nodeSelector").properties()) {
            if (!entry.getValue().equals(fresh.path("nodeSelector").get(entry.getKey()))) {
                problems.invalid(
                        "spec.nodeSelector",
                        fresh.path("nodeSelector"),
                        "only additions to spec.nodeSelector are allowed (no mutations or"
                                + " deletions)");
                break;
            }
        }
        undo("nodeSelector");
    }

    private void nodeAffinity() {
        JsonNode before = old.path("affinity").path("nodeAffinity");
        JsonNode after = fresh.path("affinity").path("nodeAffinity");
        if (before.equals(after)) {
            return;
        }
        JsonNode oldTerms = before.path(REQUIRED).path("nodeSelectorTerms");
        JsonNode newTerms = after.path(REQUIRED).path("nodeSelectorTerms");
        String field = "spec.affinity.nodeAffinity." + REQUIRED + ".nodeSelectorTerms";
        if (!oldTerms.isEmpty() && oldTerms.size() != newTerms.size()) {
            problems.invalid(
                    field,
                    newTerms,
                    "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
        } else {
            for (int i = 0; i < oldTerms.size(); i++) {
                if (!onlyAdds(oldTerms.get(i), newTerms.get(i))) {
                    problems.invalid(
                            field + "[" + i + "]",
                            newTerms.get(i),
                            "only additions are allowed (no mutations or deletions)");
                }
            }
        }
        undoNodeAffinity(before);
    }

    private void undoNodeAffinity(JsonNode before) {
        ObjectNode affinity = Nodes.child(fresh, "affinity");
        if (before.isMissingNode()) {
            affinity.remove("nodeAffinity");
        } else {
            affinity.set("nodeAffinity", before);
        }
        if (affinity.isEmpty() && !old.has("affinity")) {
            fresh.remove("affinity");
        }
    }

    private static boolean onlyAdds(JsonNode before, JsonNode after) {
        boolean wasEmpty =
                before.path("matchExpressions").isEmpty() && before.path("matchFields").isEmpty();
        // A term without requirements matches nothing; adding some would widen the choice.
        if (wasEmpty
                && !(after.path("matchExpressions").isEmpty()
                        && after.path("matchFields").isEmpty())) {
            return false;
        }
        for (String list : List.of("matchExpressions", "matchFields")) {
            for (int i = 0; i < before.path(list).size(); i++) {
                if (!before.path(list).get(i).equals(after.path(list).get(i))) {
                    return false;
                }
            }
        }
        return true;
    }

    private void undo(String field) {
        Nodes.copy((ObjectNode) old, fresh, field);
    }

    /// The fields that differ, one line each, old with `-` and new with `+`.
    private String difference() {
        var lines = new StringBuilder("  core.PodSpec{\n");
        for (var entry : ((ObjectNode) old).properties()) {
            JsonNode after = fresh.path(entry.getKey());
            if (!entry.getValue().equals(after)) {
                lines.append("- \t%s: %s,\n".formatted(entry.getKey(), entry.getValue()));
            }
        }
        for (var entry : fresh.properties()) {
            if (!entry.getValue().equals(old.path(entry.getKey()))) {
                lines.append("+ \t%s: %s,\n".formatted(entry.getKey(), entry.getValue()));
            }
        }
        return lines.append("  }\n").toString();
    }
}
