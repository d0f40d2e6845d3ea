package io.berth.apiserver.event;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.json.Json;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.status.ApiErrors;
import io.berth.apiserver.status.Status.Cause;
import java.util.ArrayList;
import java.util.List;

/// What a well-formed event is. Events with an `eventTime` are of the newer kind and must say more;
/// the newer API group takes no others.
public final class EventRules {
    private static final int SHORT_LIMIT = 128;
    private static final int NOTE_LIMIT = 1024;

    private final List<Cause> problems = new ArrayList<>();
    private final JsonNode event;

    private EventRules(JsonNode event) {
        this.event = event;
    }

    /// Refuses a new event.
    ///
    /// @param type the group that the client used
    /// @param event in core/v1 form, with its namespace
    public static void checkCreate(ResourceType type, JsonNode event) {
        var rules = new EventRules(event);
        rules.common(type);
        if (!type.group().isEmpty()) {
            rules.newGroupOnly();
        }
        rules.conclude();
    }

    /// Refuses a changed event.
    public static void checkUpdate(ResourceType type, JsonNode event) {
        var rules = new EventRules(event);
        rules.common(type);
        rules.conclude();
    }

    private void conclude() {
        if (!problems.isEmpty()) {
            List<String> texts =
                    problems.stream().map(p -> p.field() + ": " + p.message()).toList();
            throw ApiErrors.invalid(
                    "",
                    "Event",
                    text("metadata.name"),
                    texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]",
                    problems);
        }
    }

    private void common(ResourceType type) {
        String namespace = text("metadata.namespace");
        String involved = text("involvedObject.namespace");
        boolean isDefault = namespace.equals("default");
        if (text("eventTime").isEmpty()) {
            if (involved.isEmpty() ? !isDefault : !involved.equals(namespace)) {
                invalid("involvedObject.namespace", involved, "does not match event.namespace");
            }
            return;
        }
        if (involved.isEmpty() && !isDefault && !namespace.equals("kube-system")) {
            invalid("involvedObject.namespace", involved, "does not match event.namespace");
        }
        String controller = type.group().isEmpty() ? "reportingComponent" : "reportingController";
        if (text("reportingComponent").isEmpty()) {
            required(controller);
            invalid(controller, "", "name part must be non-empty");
            invalid(
                    controller,
                    "",
                    "name part must consist of alphanumeric characters, '-', '_' or '.', and must"
                            + " start and end with an alphanumeric character (e.g. 'MyName',  or"
                            + " 'my.name',  or '123-abc', regex used for validation is"
                            + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')");
        }
        bounded("reportingInstance", SHORT_LIMIT, true);
        bounded("action", SHORT_LIMIT, true);
        bounded("reason", SHORT_LIMIT, true);
        bounded("message", NOTE_LIMIT, false);
    }

    private void newGroupOnly() {
        JsonNode series = event.path("series");
        if (series.isObject()) {
            if (series.path("count").asInt(0) < 2) {
                invalid("series.count", "", "should be at least 2");
            }
            if (text("series.lastObservedTime").isEmpty()) {
                required("series.lastObservedTime");
            }
        }
        if (text("eventTime").isEmpty()) {
            required("eventTime");
        }
        String type = text("type");
        if (!type.equals("Normal") && !type.equals("Warning")) {
            invalid("type", "", "has invalid value: " + type);
        }
        for (String old : List.of("firstTimestamp", "lastTimestamp")) {
            if (!text(old).isEmpty()) {
                invalid(old, "", "needs to be unset");
            }
        }
        if (event.path("count").asInt(0) != 0) {
            invalid("count", "", "needs to be unset");
        }
        if (!text("source.component").isEmpty() || !text("source.host").isEmpty()) {
            invalid("source", "", "needs to be unset");
        }
    }

    private void bounded(String field, int limit, boolean needed) {
        String value = text(field);
        if (value.isEmpty() && needed) {
            required(field);
        } else if (value.length() > limit) {
            invalid(field, "", "can have at most " + limit + " characters");
        }
    }

    private String text(String path) {
        return Json.text(event, path);
    }

    private void required(String field) {
        problems.add(new Cause("FieldValueRequired", "Required value", field));
    }

    private void invalid(String field, String value, String why) {
        problems.add(
                new Cause("FieldValueInvalid", "Invalid value: \"" + value + "\": " + why, field));
    }
}
