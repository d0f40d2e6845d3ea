package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The rules of a pod spec that a scheduler and its users meet: containers, resources, ports,
/// tolerations, affinity, spreading, gates.
final class PodValidation {
    private static final Set<String> NATIVE_INTEGER_RESOURCES = Set.of("pods");

    private final Problems problems;

    PodValidation(Problems problems) {
        this.problems = problems;
    }

    /// Rules of new pods, on top of those of every spec.
    void checkNew(JsonNode spec) {
        if (!spec.path("ephemeralContainers").isEmpty()) {
            problems.forbidden("spec.ephemeralContainers", "cannot be set on create");
        }
        if (!spec.path("schedulingGates").isEmpty()
                && !spec.path("nodeName").asText("").isEmpty()) {
            problems.forbidden(
                    "spec.nodeName", "cannot be set until all schedulingGates have been cleared");
        }
    }

    /// @param field the path of the spec, such as `spec.template.spec`
    void check(JsonNode spec, String field) {
        volumes(spec.path("volumes"), field + ".volumes");
        var names = new HashSet<String>();
        if (spec.path("containers").isEmpty()) {
            problems.required(field + ".containers", "");
        }
        containers(spec.path("containers"), field + ".containers", names);
        containers(spec.path("initContainers"), field + ".initContainers", names);
        oneOf(spec, field, "restartPolicy", "Always", "OnFailure", "Never");
        oneOf(
                spec,
                field,
                "dnsPolicy",
                "ClusterFirstWithHostNet",
                "ClusterFirst",
                "Default",
                "None");
        oneOf(spec, field, "preemptionPolicy", "PreemptLowerPriority", "Never");
        MetadataValidation.labels(spec.path("nodeSelector"), field + ".nodeSelector", problems);
        name(spec, field, "nodeName");
        name(spec, field, "priorityClassName");
        JsonNode deadline = spec.path("activeDeadlineSeconds");
        if (deadline.isNumber()
                && (deadline.asLong() < 1 || deadline.asLong() > Integer.MAX_VALUE)) {
            problems.invalid(
                    field + ".activeDeadlineSeconds",
                    deadline,
                    "must be between 1 and 2147483647, inclusive");
        }
        tolerations(spec.path("tolerations"), field + ".tolerations");
        gates(spec.path("schedulingGates"), field + ".schedulingGates");
        quantities(spec.path("overhead"), field + ".overhead");
        new PlacementValidation(problems).check(spec, field);
    }

    private void volumes(JsonNode volumes, String field) {
        var names = new HashSet<String>();
        for (int i = 0; i < volumes.size(); i++) {
            elementName(volumes.get(i), field + "[" + i + "]", names);
        }
    }

    private void containers(JsonNode containers, String field, Set<String> names) {
        for (int i = 0; i < containers.size(); i++) {
            JsonNode container = containers.get(i);
            String path = field + "[" + i + "]";
            elementName(container, path, names);
            String image = container.path("image").asText("");
            if (image.isEmpty()) {
                problems.required(path + ".image", "");
            } else if (!image.strip().equals(image)) {
                problems.invalid(
                        path + ".image", image, "must not have leading or trailing whitespace");
            }
            oneOf(container, path, "imagePullPolicy", "Always", "IfNotPresent", "Never");
            oneOf(container, path, "terminationMessagePolicy", "FallbackToLogsOnError", "File");
            ports(container.path("ports"), path + ".ports");
            for (int j = 0; j < container.path("env").size(); j++) {
                if (container.path("env").get(j).path("name").asText("").isEmpty()) {
                    problems.required(path + ".env[" + j + "].name", "");
                }
            }
            resources(container.path("resources"), path + ".resources");
        }
    }

    private void elementName(JsonNode element, String path, Set<String> names) {
        String name = element.path("name").asText("");
        if (name.isEmpty()) {
            problems.required(path + ".name", "");
            return;
        }
        problems.invalid(path + ".name", name, Names.dnsLabel(name));
        if (!names.add(name)) {
            problems.duplicate(path + ".name", element.path("name"));
        }
    }

    private void ports(JsonNode ports, String field) {
        for (int i = 0; i < ports.size(); i++) {
            JsonNode port = ports.get(i);
            String path = field + "[" + i + "]";
            if (port.path("containerPort").asInt() == 0) {
                problems.required(path + ".containerPort", "");
            } else {
                portNumber(port.path("containerPort"), path + ".containerPort");
            }
            if (port.path("hostPort").asInt() != 0) {
                portNumber(port.path("hostPort"), path + ".hostPort");
            }
            oneOf(port, path, "protocol", "SCTP", "TCP", "UDP");
        }
    }

    private void portNumber(JsonNode port, String path) {
        if (port.asLong() < 1 || port.asLong() > 65535) {
            problems.invalid(path, port, "must be between 1 and 65535, inclusive");
        }
    }

    /// Limits and requests: parsable, not negative, and no request above its limit.
    void resources(JsonNode resources, String field) {
        quantities(resources.path("limits"), field + ".limits");
        quantities(resources.path("requests"), field + ".requests");
        for (var entry : resources.path("requests").properties()) {
            String name = entry.getKey();
            Optional<Quantity> request = Quantity.parse(entry.getValue().asText(""));
            Optional<Quantity> limit =
                    Quantity.parse(resources.path("limits").path(name).asText(""));
            if (request.isEmpty()) {
                continue;
            }
            boolean overcommit = !isExtended(name) && !name.startsWith("hugepages-");
            if (limit.isPresent()) {
                if (!overcommit && !request.get().equalsValue(limit.get())) {
                    problems.invalid(
                            field + ".requests",
                            request.get().canonical(),
                            "must be equal to %s limit of %s"
                                    .formatted(name, limit.get().canonical()));
                } else if (overcommit && request.get().compareTo(limit.get()) > 0) {
                    problems.invalid(
                            field + ".requests",
                            request.get().canonical(),
                            "must be less than or equal to %s limit of %s"
                                    .formatted(name, limit.get().canonical()));
                }
            } else if (!overcommit) {
                problems.required(
                        field + ".limits", "Limit must be set for non overcommitable resources");
            }
        }
    }

    /// A map from resource names to amounts.
    void quantities(JsonNode amounts, String field) {
        quantities(amounts, name -> field + "[" + name + "]");
    }

    /// Kinds differ in how they write the path of an entry.
    void quantities(JsonNode amounts, UnaryOperator<String> paths) {
        for (var entry : amounts.properties()) {
            String name = entry.getKey();
            String path = paths.apply(name);
            problems.invalid(path, name, Names.labelKey(name));
            String text = entry.getValue().asText("");
            Optional<Quantity> quantity = Quantity.parse(text);
            if (quantity.isEmpty()) {
                problems.invalid(path, text, Quantity.SYNTAX_MESSAGE);
            } else if (quantity.get().isNegative()) {
                problems.invalid(
                        path, quantity.get().canonical(), "must be greater than or equal to 0");
            } else if ((isExtended(name) || NATIVE_INTEGER_RESOURCES.contains(name))
                    && !quantity.get().isInteger()) {
                problems.invalid(path, quantity.get().canonical(), "must be an integer");
            }
        }
    }

    private static boolean isExtended(String name) {
        return name.contains("/") && !name.contains("kubernetes.io/");
    }

    private void tolerations(JsonNode tolerations, String field) {
        for (int i = 0; i < tolerations.size(); i++) {
            JsonNode toleration = tolerations.get(i);
            String path = field + "[" + i + "]";
            String key = toleration.path("key").asText("");
            String operator = toleration.path("operator").asText("");
            String value = toleration.path("value").asText("");
            String effect = toleration.path("effect").asText("");
            if (!key.isEmpty()) {
                problems.invalid(path + ".key", key, Names.labelKey(key));
            } else if (!operator.equals("Exists")) {
                problems.invalid(
                        path + ".operator",
                        operator,
                        "operator must be Exists when `key` is empty, which means \"match all values"
                                + " and all keys\"");
            }
            if (toleration.has("tolerationSeconds") && !effect.equals("NoExecute")) {
                problems.invalid(
                        path + ".effect",
                        effect,
                        "effect must be 'NoExecute' when `tolerationSeconds` is set");
            }
            switch (operator) {
                case "", "Equal" -> {
                    List<String> wrong = Names.labelValue(value);
                    if (!wrong.isEmpty()) {
                        problems.invalid(path + ".operator", value, String.join(";", wrong));
                    }
                }
                case "Exists" -> {
                    if (!value.isEmpty()) {
                        problems.invalid(
                                path + ".operator",
                                value,
                                "value must be empty when `operator` is 'Exists'");
                    }
                }
                // Comparison operators are an alpha feature that is off by default.
                case "Lt", "Gt" ->
                        problems.notSupported(
                                path + ".operator", operator, "Equal", "Exists", "Lt", "Gt");
                default -> problems.notSupported(path + ".operator", operator, "Equal", "Exists");
            }
            if (!effect.isEmpty()) {
                oneOf(toleration, path, "effect", "NoSchedule", "PreferNoSchedule", "NoExecute");
            }
        }
    }

    private void gates(JsonNode gates, String field) {
        var names = new HashSet<String>();
        for (int i = 0; i < gates.size(); i++) {
            JsonNode name = gates.get(i).path("name");
            String path = field + "[" + i + "]";
            problems.invalid(path, name.asText(), Names.labelKey(name.asText()));
            if (!names.add(name.asText())) {
                problems.duplicate(path, name);
            }
        }
    }

    private void name(JsonNode spec, String field, String part) {
        String name = spec.path(part).asText("");
        if (!name.isEmpty()) {
            problems.invalid(field + "." + part, name, Names.dnsSubdomain(name));
        }
    }

    private void oneOf(JsonNode parent, String field, String part, String... supported) {
        String value = parent.path(part).asText("");
        if (!value.isEmpty() && !List.of(supported).contains(value)) {
            problems.notSupported(field + "." + part, value, supported);
        }
    }
}
