package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/// The rules of what a pod says about places: affinity and topology spread.
final class PlacementValidation {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

    private final Problems problems;

    PlacementValidation(Problems problems) {
        this.problems = problems;
    }

    void check(JsonNode spec, String field) {
        JsonNode affinity = spec.path("affinity");
        nodeAffinity(affinity.path("nodeAffinity"), field + ".affinity.nodeAffinity");
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            podAffinity(affinity.path(kind), field + ".affinity." + kind);
        }
        spread(spec.path("topologySpreadConstraints"), field + ".topologySpreadConstraints");
    }

    private void nodeAffinity(JsonNode affinity, String field) {
        JsonNode required = affinity.path(REQUIRED);
        if (required.isObject()) {
            String path = field + "." + REQUIRED + ".nodeSelectorTerms";
            JsonNode terms = required.path("nodeSelectorTerms");
            if (terms.isEmpty()) {
                problems.required(path, "must have at least one node selector term");
            }
            for (int i = 0; i < terms.size(); i++) {
                nodeTerm(terms.get(i), path + "[" + i + "]");
            }
        }
        JsonNode preferred = affinity.path(PREFERRED);
        for (int i = 0; i < preferred.size(); i++) {
            String path = field + "." + PREFERRED + "[" + i + "]";
            weight(preferred.get(i), path);
            nodeTerm(preferred.get(i).path("preference"), path + ".preference");
        }
    }

    private void nodeTerm(JsonNode term, String field) {
        JsonNode expressions = term.path("matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            requirement(expressions.get(i), field + ".matchExpressions[" + i + "]", true);
        }
    }

    private void requirement(JsonNode requirement, String field, boolean forNodes) {
        String operator = requirement.path("operator").asText("");
        int values = requirement.path("values").size();
        switch (operator) {
            case "In", "NotIn" -> {
                if (values == 0) {
                    problems.required(
                            field + ".values",
                            "must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (values > 0) {
                    problems.forbidden(
                            field + ".values",
                            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            case "Gt", "Lt" -> {
                if (!forNodes) {
                    problems.invalid(
                            field + ".operator", operator, "not a valid selector operator");
                } else if (values != 1) {
                    problems.required(
                            field + ".values",
                            "must be specified single value when `operator` is 'Lt' or 'Gt'");
                }
            }
            default ->
                    problems.invalid(
                            field + ".operator", operator, "not a valid selector operator");
        }
        String key = requirement.path("key").asText("");
        problems.invalid(field + ".key", key, Names.labelKey(key));
    }

    private void podAffinity(JsonNode affinity, String field) {
        JsonNode required = affinity.path(REQUIRED);
        for (int i = 0; i < required.size(); i++) {
            podTerm(required.get(i), field + "." + REQUIRED + "[" + i + "]");
        }
        JsonNode preferred = affinity.path(PREFERRED);
        for (int i = 0; i < preferred.size(); i++) {
            String path = field + "." + PREFERRED + "[" + i + "]";
            weight(preferred.get(i), path);
            podTerm(preferred.get(i).path("podAffinityTerm"), path + ".podAffinityTerm");
        }
    }

    private void podTerm(JsonNode term, String field) {
        labelSelector(term.path("labelSelector"), field + ".labelSelector");
        labelSelector(term.path("namespaceSelector"), field + ".namespaceSelector");
        for (JsonNode namespace : term.path("namespaces")) {
            problems.invalid(
                    field + ".namespace", namespace.asText(), Names.dnsLabel(namespace.asText()));
        }
        String key = term.path("topologyKey").asText("");
        if (key.isEmpty()) {
            problems.required(field + ".topologyKey", "can not be empty");
        }
        // Upstream says the second, too.
        problems.invalid(field + ".topologyKey", key, Names.labelKey(key));
    }

    /// A `metav1.LabelSelector`.
    void labelSelector(JsonNode selector, String field) {
        MetadataValidation.labels(selector.path("matchLabels"), field + ".matchLabels", problems);
        JsonNode expressions = selector.path("matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            requirement(expressions.get(i), field + ".matchExpressions[" + i + "]", false);
        }
    }

    private void weight(JsonNode term, String path) {
        long weight = term.path("weight").asLong();
        if (weight < 1 || weight > 100) {
            problems.invalid(path + ".weight", term.path("weight"), "must be in the range 1-100");
        }
    }

    /// Whether a later constraint has the same key and the same rule for the worst case.
    private static boolean repeatedLater(JsonNode constraints, int index) {
        JsonNode own = constraints.get(index);
        for (int i = index + 1; i < constraints.size(); i++) {
            JsonNode other = constraints.get(i);
            if (own.path("topologyKey").equals(other.path("topologyKey"))
                    && own.path("whenUnsatisfiable").equals(other.path("whenUnsatisfiable"))) {
                return true;
            }
        }
        return false;
    }

    private void spread(JsonNode constraints, String field) {
        for (int i = 0; i < constraints.size(); i++) {
            JsonNode constraint = constraints.get(i);
            String path = field + "[" + i + "]";
            if (constraint.path("maxSkew").asLong() <= 0) {
                problems.invalid(
                        path + ".maxSkew", constraint.path("maxSkew"), "must be greater than zero");
            }
            String key = constraint.path("topologyKey").asText("");
            if (key.isEmpty()) {
                problems.required(path + ".topologyKey", "can not be empty");
            } else {
                problems.invalid(path + ".topologyKey", key, Names.labelKey(key));
            }
            String unsatisfiable = constraint.path("whenUnsatisfiable").asText("");
            if (!List.of("DoNotSchedule", "ScheduleAnyway").contains(unsatisfiable)) {
                problems.notSupported(
                        path + ".whenUnsatisfiable",
                        unsatisfiable,
                        "DoNotSchedule",
                        "ScheduleAnyway");
            }
            if (repeatedLater(constraints, i)) {
                problems.duplicate(
                        path + ".{topologyKey, whenUnsatisfiable}",
                        com.fasterxml.jackson.databind.node.TextNode.valueOf(
                                "{" + key + ", " + unsatisfiable + "}"));
            }
            JsonNode minDomains = constraint.path("minDomains");
            if (minDomains.isNumber()) {
                if (minDomains.asLong() <= 0) {
                    problems.invalid(path + ".minDomains", minDomains, "must be greater than zero");
                }
                if (!unsatisfiable.equals("DoNotSchedule")) {
                    problems.invalid(
                            path + ".minDomains",
                            minDomains,
                            "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not "
                                    + unsatisfiable);
                }
            }
            for (String policy : List.of("nodeAffinityPolicy", "nodeTaintsPolicy")) {
                String value = constraint.path(policy).asText("");
                if (!value.isEmpty() && !List.of("Honor", "Ignore").contains(value)) {
                    problems.notSupported(path + "." + policy, value, "Honor", "Ignore");
                }
            }
            labelSelector(constraint.path("labelSelector"), path + ".labelSelector");
        }
    }
}
