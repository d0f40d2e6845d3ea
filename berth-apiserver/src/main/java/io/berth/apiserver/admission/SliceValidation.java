package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// The rules of resource slices: whose devices they are, where they are, and what they have.
final class SliceValidation {
    private static final int MOST_DEVICES = 128;
    private static final int MOST_ELABORATE_DEVICES = 64;
    private static final int MOST_COUNTER_SETS = 8;
    private static final int MOST_COUNTERS = 32;
    private static final int MOST_CONSUMPTIONS = 2;
    private static final int MOST_TAINTS = 16;
    private static final int MOST_ATTRIBUTES = 32;
    private static final int LONGEST_VALUE = 64;
    private static final List<String> PLACES =
            List.of("nodeName", "nodeSelector", "allNodes", "perDeviceNodeSelection");
    private static final List<String> DEVICE_PLACES =
            List.of("nodeName", "nodeSelector", "allNodes");
    private static final List<String> VALUES =
            List.of("bool", "int", "string", "version", "bools", "ints", "strings", "versions");
    private static final String PRE_RELEASE = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
    private static final Pattern VERSION =
            Pattern.compile(
                    "(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-"
                            + PRE_RELEASE
                            + "(\\."
                            + PRE_RELEASE
                            + ")*)?(\\+[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*)?");

    private final Problems problems;
    private final DeviceClaimValidation names;

    SliceValidation(Problems problems) {
        this.problems = problems;
        this.names = new DeviceClaimValidation(problems);
    }

    void changes(ObjectNode old, ObjectNode slice) {
        JsonNode before = old.path("spec");
        JsonNode after = slice.path("spec");
        Validation.immutable(
                before.path("pool"), after.path("pool"), "spec.pool.", "name", problems);
        Validation.immutable(before, after, "spec.", "driver", problems);
        Validation.immutable(before, after, "spec.", "nodeName", problems);
    }

    void check(JsonNode spec) {
        names.driver(spec.path("driver").asText(""), "spec.driver");
        pool(spec.path("pool"));
        place(spec);
        if (spec.has("sharedCounters") && spec.has("devices")) {
            problems.invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed");
        }
        boolean perDevice = spec.path("perDeviceNodeSelection").asBoolean();
        names.set(
                spec.path("devices"),
                isElaborate(spec) ? MOST_ELABORATE_DEVICES : MOST_DEVICES,
                "spec.devices",
                (device, path) -> device(device, path, perDevice),
                each -> each.path("name"));
        names.set(
                spec.path("sharedCounters"),
                MOST_COUNTER_SETS,
                "spec.sharedCounters",
                (set, path) -> counters(set, "name", path),
                each -> each.path("name"));
    }

    private static boolean isElaborate(JsonNode spec) {
        return spec.path("devices")
                .valueStream()
                .anyMatch(each ->
                        !each.path("taints").isEmpty() || !each.path("consumesCounters").isEmpty());
    }

    private void pool(JsonNode pool) {
        names.pool(pool.path("name").asText(""), "spec.pool.name");
        if (pool.path("resourceSliceCount").asLong() <= 0) {
            problems.invalid(
                    "spec.pool.resourceSliceCount",
                    number(pool, "resourceSliceCount"),
                    "must be greater than zero");
        }
        if (pool.path("generation").asLong() < 0) {
            problems.invalid(
                    "spec.pool.generation",
                    pool.path("generation"),
                    "must be greater than or equal to zero");
        }
    }

    private static JsonNode number(JsonNode owner, String field) {
        return owner.has(field) ? owner.path(field) : IntNode.valueOf(0);
    }

    private void place(JsonNode spec) {
        if (spec.has("nodeName") && spec.path("nodeName").asText().isEmpty()) {
            problems.invalid(
                    "spec.nodeName", "", "must be either unset or set to a non-empty string");
        }
        JsonNode selector = spec.path("nodeSelector");
        if (selector.isObject() && selector.path("nodeSelectorTerms").size() != 1) {
            problems.invalid(
                    "spec.nodeSelector.nodeSelectorTerms",
                    selector.path("nodeSelectorTerms"),
                    "must have exactly one node selector term");
        }
        for (String flag : List.of("allNodes", "perDeviceNodeSelection")) {
            if (spec.has(flag) && !spec.path(flag).asBoolean()) {
                problems.invalid(
                        "spec." + flag, spec.path(flag), "must be either unset or set to true");
            }
        }
        List<String> set = given(spec, PLACES);
        String rule =
                "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is"
                        + " required";
        if (set.isEmpty()) {
            problems.required("spec", rule);
        } else if (set.size() > 1) {
            problems.invalid("spec", text(set), rule + ", but multiple fields are set");
        }
    }

    private static List<String> given(JsonNode owner, List<String> places) {
        return places.stream()
                .filter(owner::has)
                .filter(field -> !owner.path(field).isBoolean() || owner.path(field).asBoolean())
                .filter(field ->
                        !owner.path(field).isTextual() || !owner.path(field).asText().isEmpty())
                .toList();
    }

    private static String text(List<String> fields) {
        return "{"
                + String.join(", ", fields.stream().map(each -> "`" + each + "`").toList())
                + "}";
    }

    private void device(JsonNode device, String path, boolean perDevice) {
        names.label(device.path("name"), path + ".name");
        int facts = device.path("attributes").size() + device.path("capacity").size();
        if (facts > MOST_ATTRIBUTES) {
            problems.invalid(
                    path,
                    IntNode.valueOf(facts),
                    "the total number of attributes and capacities must not exceed "
                            + MOST_ATTRIBUTES);
        }
        for (var each : device.path("attributes").properties()) {
            names.qualifiedName(each.getKey(), path + ".attributes");
            attribute(each.getValue(), path + ".attributes[" + each.getKey() + "]");
        }
        boolean shared = device.path("allowMultipleAllocations").asBoolean();
        for (var each : device.path("capacity").properties()) {
            names.qualifiedName(each.getKey(), path + ".capacity");
            capacity(each.getValue(), shared, path + ".capacity[" + each.getKey() + "]");
        }
        names.list(device.path("taints"), MOST_TAINTS, path + ".taints", this::taint);
        names.set(
                device.path("consumesCounters"),
                MOST_CONSUMPTIONS,
                path + ".consumesCounters",
                (each, place) -> counters(each, "counterSet", place),
                each -> each.path("counterSet"));
        devicePlace(device, path, perDevice);
    }

    private void devicePlace(JsonNode device, String path, boolean perDevice) {
        List<String> set = given(device, DEVICE_PLACES);
        String rule =
                "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when"
                        + " `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
        if (perDevice && set.isEmpty()) {
            problems.required(path, rule);
        } else if (perDevice && set.size() > 1) {
            problems.invalid(path, text(set), rule);
        } else if (!perDevice && DEVICE_PLACES.stream().anyMatch(device::has)) {
            problems.invalid(
                    path,
                    device.path("none"),
                    "`nodeName`, `nodeSelector` and `allNodes` can only be set if"
                            + " `perDeviceNodeSelection` is set to true in the ResourceSlice spec");
        }
    }

    private void attribute(JsonNode attribute, String path) {
        List<String> set = VALUES.stream().filter(attribute::has).toList();
        if (set.size() != 1) {
            problems.invalid(path, "", "exactly one value must be specified");
        }
        for (String field : List.of("string", "version")) {
            if (attribute.path(field).asText("").length() > LONGEST_VALUE) {
                problems.tooLong(path + "." + field, LONGEST_VALUE);
            }
        }
        String version = attribute.path("version").asText("");
        if (attribute.has("version") && !VERSION.matcher(version).matches()) {
            problems.invalid(
                    path + ".version",
                    version,
                    "must be a string compatible with semver.org spec 2.0.0");
        }
    }

    private void capacity(JsonNode capacity, boolean shared, String path) {
        JsonNode policy = capacity.path("requestPolicy");
        if (!policy.isObject()) {
            return;
        }
        String field = path + ".requestPolicy";
        if (!shared) {
            problems.forbidden(field, "allowMultipleAllocations must be true");
            return;
        }
        boolean values = !policy.path("validValues").isEmpty();
        boolean range = policy.path("validRange").isObject();
        if (values && range) {
            problems.forbidden(
                    field,
                    "exactly one policy can be specified, cannot specify \"validValues\" and"
                            + " \"validRange\" at the same time");
        } else if (values || range) {
            String kind = values ? "validValues" : "validRange";
            Optional<Quantity> first = quantity(policy, "default");
            if (first.isEmpty()) {
                problems.required(field + ".default", "required when " + kind + " is defined");
            } else if (values) {
                oneOfValues(policy, first.get(), field + ".validValues");
            } else {
                withinRange(policy.path("validRange"), first.get(), field + ".validRange");
            }
        }
    }

    private void oneOfValues(JsonNode policy, Quantity first, String field) {
        boolean found =
                policy.path("validValues")
                        .valueStream()
                        .map(each -> Quantity.parse(each.asText()))
                        .anyMatch(each -> first.equalsValue(each.orElse(null)));
        if (!found) {
            problems.invalid(
                    field,
                    first.canonical(),
                    "default value is not valid according to the requestPolicy");
        }
    }

    private void withinRange(JsonNode range, Quantity first, String field) {
        Optional<Quantity> min = quantity(range, "min");
        if (min.isEmpty()) {
            problems.required(field + ".min", "required when validRange is defined");
        } else if (first.compareTo(min.get()) < 0) {
            problems.invalid(
                    field + ".min",
                    first.canonical(),
                    "default is less than min: " + min.get().canonical());
        }
        quantity(range, "max")
                .filter(max -> first.compareTo(max) > 0)
                .ifPresent(max ->
                        problems.invalid(
                                field + ".max",
                                first.canonical(),
                                "default is more than max: " + max.canonical()));
    }

    private static Optional<Quantity> quantity(JsonNode owner, String field) {
        return owner.has(field) ? Quantity.parse(owner.path(field).asText()) : Optional.empty();
    }

    private void taint(JsonNode taint, String path) {
        String key = taint.path("key").asText("");
        String value = taint.path("value").asText("");
        problems.invalid(path + ".key", key, Names.labelKey(key));
        problems.invalid(path + ".value", value, Names.labelValue(value));
        if (taint.path("effect").asText("").isEmpty()) {
            problems.required(path + ".effect", "");
        } else {
            names.effect(taint, path);
        }
    }

    /// A set of counters, or what a device takes of one.
    private void counters(JsonNode counters, String nameField, String path) {
        if (counters.path(nameField).asText("").isEmpty()) {
            problems.required(path + "." + nameField, "");
        } else {
            names.label(counters.path(nameField), path + "." + nameField);
        }
        int count = counters.path("counters").size();
        if (count == 0) {
            problems.required(path + ".counters", "");
        } else if (count > MOST_COUNTERS) {
            problems.tooMany(path + ".counters", count, MOST_COUNTERS);
        }
    }
}
