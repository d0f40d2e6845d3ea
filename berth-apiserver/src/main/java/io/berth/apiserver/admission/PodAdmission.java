package io.berth.apiserver.admission;

import static io.berth.apiserver.admission.Nodes.child;
import static io.berth.apiserver.admission.Nodes.list;
import static io.berth.apiserver.admission.Nodes.objects;
import static io.berth.apiserver.admission.Nodes.with;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.resource.ResourceType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// What the admission plugins and the creation strategy of a real server do to a new pod: default
/// tolerations, priority, selectors from label keys, first status.
final class PodAdmission {
    private static final List<String> DEFAULT_TOLERATIONS =
            List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
    private static final List<String> TERM_LISTS =
            List.of(
                    "requiredDuringSchedulingIgnoredDuringExecution",
                    "preferredDuringSchedulingIgnoredDuringExecution");

    private final ResourceType type;
    private final ClusterFacts facts;

    PodAdmission(ResourceType type, ClusterFacts facts) {
        this.type = type;
        this.facts = facts;
    }

    void create(ObjectNode pod, Instant now) {
        ObjectNode spec = child(pod, "spec");
        addDefaultTolerations(spec);
        resolvePriority(pod, spec);
        firstStatus(pod, spec, now);
        mergeLabelKeys(spec, pod.path("metadata").path("labels"));
    }

    /// Evicting a pod from a node that fails waits five minutes unless the pod says otherwise.
    static void addDefaultTolerations(ObjectNode spec) {
        for (String key : DEFAULT_TOLERATIONS) {
            boolean tolerated =
                    objects(spec, "tolerations").stream()
                            .anyMatch(toleration ->
                                    matches(toleration, "key", key)
                                            && matches(toleration, "effect", "NoExecute"));
            if (!tolerated) {
                list(spec, "tolerations")
                        .addObject()
                        .put("key", key)
                        .put("operator", "Exists")
                        .put("effect", "NoExecute")
                        .put("tolerationSeconds", 300);
            }
        }
    }

    private static boolean matches(JsonNode toleration, String field, String value) {
        String own = toleration.path(field).asText("");
        return own.isEmpty() || own.equals(value);
    }

    private void resolvePriority(ObjectNode pod, ObjectNode spec) {
        String className = spec.path("priorityClassName").asText("");
        Optional<ObjectNode> found =
                className.isEmpty()
                        ? globalDefault()
                        : facts.priorityClasses().stream()
                                .filter(each -> Nodes.name(each).equals(className))
                                .findFirst();
        if (found.isEmpty() && !className.isEmpty()) {
            throw forbidden(pod, "no PriorityClass with name " + className + " was found");
        }
        int priority = found.map(each -> each.path("value").asInt()).orElse(0);
        if (!Nodes.unset(spec, "priority") && spec.path("priority").asInt() != priority) {
            throw forbidden(
                    pod,
                    ("the integer value of priority (%d) must not be provided in pod spec; priority"
                                    + " admission controller computed %d from the given PriorityClass"
                                    + " name")
                            .formatted(spec.path("priority").asInt(), priority));
        }
        found.ifPresent(each -> spec.put("priorityClassName", Nodes.name(each)));
        spec.put("priority", priority);
        String policy =
                found.map(each -> each.path("preemptionPolicy").asText(""))
                        .filter(text -> !text.isEmpty())
                        .orElse("PreemptLowerPriority");
        String given = spec.path("preemptionPolicy").asText(policy);
        if (!given.equals(policy)) {
            throw forbidden(
                    pod,
                    ("the string value of PreemptionPolicy (%s) must not be provided in pod spec;"
                                    + " priority admission controller computed %s from the given"
                                    + " PriorityClass name")
                            .formatted(given, policy));
        }
        spec.put("preemptionPolicy", policy);
    }

    /// Should two classes call themselves the default, the lower one counts.
    private Optional<ObjectNode> globalDefault() {
        return facts.priorityClasses().stream()
                .filter(each -> each.path("globalDefault").asBoolean())
                .min(Comparator.comparingInt(each -> each.path("value").asInt()));
    }

    private Refusal forbidden(ObjectNode pod, String message) {
        String name = Nodes.name(pod);
        String shown = name.isEmpty() ? pod.path("metadata").path("generateName").asText("") : name;
        return Refusal.forbidden(type, shown, message);
    }

    private static void firstStatus(ObjectNode pod, ObjectNode spec, Instant now) {
        ObjectNode status = pod.putObject("status");
        status.put("phase", "Pending");
        if (!objects(spec, "schedulingGates").isEmpty()) {
            status.putArray("conditions")
                    .addObject()
                    .put("type", "PodScheduled")
                    .put("status", "False")
                    .putNull("lastProbeTime")
                    .put("lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString())
                    .put("reason", "SchedulingGated")
                    .put("message", "Scheduling is blocked due to non-empty scheduling gates");
        }
        status.put("qosClass", QosClass.of(spec));
    }

    /// Turns matchLabelKeys and mismatchLabelKeys into requirements of the selector beside them,
    /// for the keys that the pod carries. A term without selector matches nothing and stays so.
    static void mergeLabelKeys(ObjectNode spec, JsonNode labels) {
        with(
                spec,
                "affinity",
                affinity -> {
                    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
                        for (String list : TERM_LISTS) {
                            for (ObjectNode element : objects(affinity.path(kind), list)) {
                                // Preferred terms are wrapped together with their weight.
                                ObjectNode term =
                                        element.get("podAffinityTerm") instanceof ObjectNode inner
                                                ? inner
                                                : element;
                                mergeKeys(term, "matchLabelKeys", "In", labels);
                                mergeKeys(term, "mismatchLabelKeys", "NotIn", labels);
                            }
                        }
                    }
                });
        for (ObjectNode constraint : objects(spec, "topologySpreadConstraints")) {
            mergeKeys(constraint, "matchLabelKeys", "In", labels);
        }
    }

    private static void mergeKeys(ObjectNode term, String field, String operator, JsonNode labels) {
        with(
                term,
                "labelSelector",
                selector -> {
                    for (JsonNode key : term.path(field)) {
                        if (labels.has(key.asText())) {
                            ObjectNode expression = list(selector, "matchExpressions").addObject();
                            expression.put("key", key.asText()).put("operator", operator);
                            expression.putArray("values").add(labels.path(key.asText()).asText());
                        }
                    }
                });
    }
}
