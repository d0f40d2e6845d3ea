package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/// The rules of device classes and of claims, with what a scheduler writes into their status. That
/// a selector is sound CEL is not checked here: a scheduler tells when it reads it.
final class DeviceClaimValidation {
    static final int MOST_RESULTS = 32;

    private static final int MOST_SELECTORS = 32;
    private static final int MOST_ALTERNATIVES = 8;
    private static final int MOST_CONSUMERS = 256;
    private static final int LONGEST_DRIVER = 63;
    private static final int LONGEST_POOL = 253;
    private static final int LONGEST_IDENTIFIER = 32;
    private static final int LONGEST_EXPRESSION = 10 * 1024;
    private static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]*";
    private static final String NO_SUCH_REQUEST =
            "must be the name of a request in the claim or the name of a request and a subrequest"
                    + " separated by '/'";

    private final Problems problems;

    DeviceClaimValidation(Problems problems) {
        this.problems = problems;
    }

    /// The spec of a device class.
    void deviceClass(JsonNode spec) {
        list(spec.path("selectors"), MOST_SELECTORS, "spec.selectors", this::selector);
        list(spec.path("config"), MOST_RESULTS, "spec.config", this::configuration);
        String extended = spec.path("extendedResourceName").asText("");
        if (spec.has("extendedResourceName") && !isExtendedResource(extended)) {
            problems.invalid(
                    "spec.extendedResourceName",
                    extended,
                    "must be a valid extended resource name");
        }
    }

    private static boolean isExtendedResource(String name) {
        return name.contains("/")
                && !name.contains("kubernetes.io/")
                && !name.startsWith("requests.")
                && Names.labelKey("requests." + name).isEmpty();
    }

    /// The spec of a claim.
    void claim(JsonNode spec, String field) {
        JsonNode devices = spec.path("devices");
        String path = field + ".devices";
        Set<String> names = requestNames(devices);
        set(
                devices.path("requests"),
                MOST_RESULTS,
                path + ".requests",
                this::request,
                each -> each.path("name"));
        list(
                devices.path("constraints"),
                MOST_RESULTS,
                path + ".constraints",
                (constraint, place) -> constraint(constraint, place, names));
        list(
                devices.path("config"),
                MOST_RESULTS,
                path + ".config",
                (config, place) -> {
                    references(config.path("requests"), place + ".requests", names);
                    configuration(config, place);
                });
    }

    /// Names of requests, and of their alternatives as `request/alternative`.
    private static Set<String> requestNames(JsonNode devices) {
        var names = new HashSet<String>();
        for (JsonNode request : devices.path("requests")) {
            String name = request.path("name").asText("");
            names.add(name);
            request.path("firstAvailable")
                    .forEach(each -> names.add(name + "/" + each.path("name").asText("")));
        }
        return names;
    }

    private void request(JsonNode request, String path) {
        label(request.path("name"), path + ".name");
        boolean exactly = request.has("exactly");
        boolean alternatives = !request.path("firstAvailable").isEmpty();
        if (exactly && alternatives) {
            problems.invalid(
                    path,
                    request.path("none"),
                    "exactly one of `exactly` or `firstAvailable` is required, but multiple fields"
                            + " are set");
        } else if (exactly) {
            asked(request.path("exactly"), path + ".exactly");
        } else if (alternatives) {
            set(
                    request.path("firstAvailable"),
                    MOST_ALTERNATIVES,
                    path + ".firstAvailable",
                    (each, place) -> {
                        label(each.path("name"), place + ".name");
                        asked(each, place);
                    },
                    each -> each.path("name"));
        } else {
            problems.required(path, "exactly one of `exactly` or `firstAvailable` is required");
        }
    }

    private void asked(JsonNode asked, String path) {
        String className = asked.path("deviceClassName").asText("");
        if (className.isEmpty()) {
            problems.required(path + ".deviceClassName", "");
        } else {
            problems.invalid(path + ".deviceClassName", className, Names.dnsSubdomain(className));
        }
        list(asked.path("selectors"), MOST_SELECTORS, path + ".selectors", this::selector);
        mode(asked, path);
        list(asked.path("tolerations"), MOST_SELECTORS, path + ".tolerations", this::toleration);
    }

    private void mode(JsonNode asked, String path) {
        String mode = asked.path("allocationMode").asText("");
        long count = asked.path("count").asLong();
        switch (mode) {
            case "All" -> {
                if (count != 0) {
                    problems.invalid(
                            path + ".count",
                            asked.path("count"),
                            "must not be specified when allocationMode is 'All'");
                }
            }
            case "ExactCount" -> {
                if (count <= 0) {
                    problems.invalid(
                            path + ".count", asked.path("count"), "must be greater than zero");
                }
            }
            default -> problems.notSupported(path + ".allocationMode", mode, "All", "ExactCount");
        }
    }

    private void selector(JsonNode selector, String path) {
        if (!selector.has("cel")) {
            problems.required(path + ".cel", "");
        } else if (selector.path("cel").path("expression").asText("").length()
                > LONGEST_EXPRESSION) {
            problems.tooLong(path + ".cel.expression", LONGEST_EXPRESSION);
        }
    }

    private void toleration(JsonNode toleration, String path) {
        String key = toleration.path("key").asText("");
        if (!key.isEmpty()) {
            problems.invalid(path + ".key", key, Names.labelKey(key));
        }
        String value = toleration.path("value").asText("");
        String operator = toleration.path("operator").asText("");
        switch (operator) {
            case "Exists" -> {
                if (!value.isEmpty()) {
                    problems.invalid(path + ".value", value, "must be empty for operator `Exists`");
                }
            }
            case "Equal" -> problems.invalid(path + ".value", value, Names.labelValue(value));
            default -> problems.notSupported(path + ".operator", operator, "Equal", "Exists");
        }
        if (!toleration.path("effect").asText("").isEmpty()) {
            effect(toleration, path);
        }
    }

    void effect(JsonNode owner, String path) {
        String effect = owner.path("effect").asText("");
        if (!Set.of("NoExecute", "NoSchedule", "None").contains(effect)) {
            problems.notSupported(path + ".effect", effect, "NoExecute", "NoSchedule", "None");
        }
    }

    private void constraint(JsonNode constraint, String path, Set<String> names) {
        references(constraint.path("requests"), path + ".requests", names);
        boolean match = constraint.has("matchAttribute");
        boolean distinct = constraint.has("distinctAttribute");
        if (!match && !distinct) {
            problems.required(
                    path,
                    "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but"
                            + " multiple fields are set");
            return;
        }
        String field = match ? "matchAttribute" : "distinctAttribute";
        String name = constraint.path(field).asText("");
        qualifiedName(name, path + "." + field);
        if (!name.contains("/")) {
            problems.invalid(
                    path + "." + field,
                    name,
                    "a fully qualified name must be a domain and a name separated by a slash");
        }
    }

    private void references(JsonNode list, String field, Set<String> names) {
        set(
                list,
                MOST_RESULTS,
                field,
                (name, place) -> reference(name, place, names),
                each -> each);
    }

    private void reference(JsonNode name, String path, Set<String> names) {
        if (!names.contains(name.asText(""))) {
            problems.invalid(path, name.asText(""), NO_SUCH_REQUEST);
        }
    }

    private void configuration(JsonNode config, String path) {
        JsonNode opaque = config.path("opaque");
        if (!opaque.isObject()) {
            problems.required(path + ".opaque", "");
            return;
        }
        driver(opaque.path("driver").asText(""), path + ".opaque.driver");
        JsonNode parameters = opaque.path("parameters");
        if (parameters.isMissingNode() || parameters.isNull()) {
            problems.required(path + ".opaque.parameters", "");
        }
    }

    /// A status that follows another. What is allocated stays as it is until it is taken back.
    void status(ObjectNode old, ObjectNode claim) {
        JsonNode before = old.path("status");
        JsonNode status = claim.path("status");
        JsonNode reserved = status.path("reservedFor");
        set(
                reserved,
                MOST_CONSUMERS,
                "status.reservedFor",
                this::consumer,
                each -> each.path("uid"));
        if (!reserved.isEmpty() && !status.has("allocation")) {
            problems.forbidden(
                    "status.reservedFor", "may not be specified when `allocated` is not set");
        }
        if (claim.path("metadata").has("deletionTimestamp")) {
            var known = new HashSet<JsonNode>();
            before.path("reservedFor").forEach(known::add);
            if (reserved.valueStream().anyMatch(each -> !known.contains(each))) {
                problems.forbidden(
                        "status.reservedFor",
                        "new entries may not be added while `deallocationRequested` or"
                                + " `deletionTimestamp` are set");
            }
        }
        if (before.has("allocation") && status.has("allocation")) {
            Validation.immutable(before, status, "status.", "allocation", problems);
        } else if (status.has("allocation")) {
            Set<String> names = requestNames(claim.path("spec").path("devices"));
            list(
                    status.path("allocation").path("devices").path("results"),
                    MOST_RESULTS,
                    "status.allocation.devices.results",
                    (result, place) -> result(result, place, names));
        }
    }

    private void consumer(JsonNode consumer, String path) {
        for (String field : List.of("resource", "name", "uid")) {
            if (consumer.path(field).asText("").isEmpty()) {
                problems.required(path + "." + field, "");
            }
        }
    }

    private void result(JsonNode result, String path, Set<String> names) {
        reference(result.path("request"), path + ".request", names);
        driver(result.path("driver").asText(""), path + ".driver");
        pool(result.path("pool").asText(""), path + ".pool");
        label(result.path("device"), path + ".device");
    }

    void driver(String name, String path) {
        if (name.isEmpty()) {
            problems.required(path, "");
            return;
        }
        if (name.length() > LONGEST_DRIVER) {
            problems.tooLong(path, LONGEST_DRIVER);
        }
        problems.invalid(path, name, Names.dnsSubdomain(name.toLowerCase(Locale.ROOT)));
    }

    void pool(String name, String path) {
        if (name.isEmpty()) {
            problems.required(path, "");
            return;
        }
        if (name.length() > LONGEST_POOL) {
            problems.tooLong(path, LONGEST_POOL);
        }
        for (String part : name.split("/", -1)) {
            problems.invalid(path, part, Names.dnsSubdomain(part));
        }
    }

    void label(JsonNode name, String path) {
        problems.invalid(path, name.asText(""), Names.dnsLabel(name.asText("")));
    }

    /// The name of an attribute or a capacity: an identifier, with or without a domain.
    void qualifiedName(String name, String path) {
        String[] parts = name.split("/", -1);
        if (parts.length == 2) {
            if (parts[0].isEmpty()) {
                problems.invalid(path, "", "the domain must not be empty");
            } else {
                driver(parts[0], path);
            }
            if (parts[1].isEmpty()) {
                problems.invalid(path, "", "the name must not be empty");
                return;
            }
        }
        String id = parts[parts.length - 1];
        if (id.length() > LONGEST_IDENTIFIER) {
            problems.tooLong(path, LONGEST_IDENTIFIER);
        }
        if (!id.matches(IDENTIFIER)) {
            problems.invalid(
                    path,
                    id,
                    "a valid C identifier must start with alphabetic character or '_', followed by"
                            + " a string of alphanumeric characters or '_' (e.g. 'my_name',  or"
                            + " 'MY_NAME',  or 'MyName', regex used for validation is '"
                            + IDENTIFIER
                            + "')");
        }
    }

    /// Checks each of a list that may not be longer than that.
    void list(JsonNode list, int most, String field, BiConsumer<JsonNode, String> check) {
        if (list.size() > most) {
            problems.tooMany(field, list.size(), most);
            return;
        }
        for (int i = 0; i < list.size(); i++) {
            check.accept(list.get(i), field + "[" + i + "]");
        }
    }

    /// The same for a list in which no two have the same key.
    void set(
            JsonNode list,
            int most,
            String field,
            BiConsumer<JsonNode, String> check,
            Function<JsonNode, JsonNode> key) {
        list(list, most, field, check);
        var seen = new HashSet<String>();
        for (int i = 0; i < Math.min(list.size(), most); i++) {
            String text = key.apply(list.get(i)).asText("");
            if (!seen.add(text)) {
                problems.duplicate(field + "[" + i + "]", TextNode.valueOf(text));
            }
        }
    }
}
