package io.berth.apiserver.status;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.apiserver.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The `Status` object of meta/v1: the body of every failure and of some successes.
///
/// @param reason the machine-readable reason, empty on success
public record Status(
        boolean success,
        int code,
        String reason,
        String message,
        @Nullable Details details,
        String continueToken) {

    /// What the status is about.
    public record Details(
            String name,
            String group,
            String kind,
            String uid,
            List<Cause> causes,
            int retryAfterSeconds) {
        public Details {
            causes = List.copyOf(causes);
        }

        public static Details of(String group, String kind, String name) {
            return new Details(name, group, kind, "", List.of(), 0);
        }
    }

    /// One single reason among several.
    public record Cause(String reason, String message, String field) {}

    public static Status failure(int code, String reason, String message) {
        return new Status(false, code, reason, message, null, "");
    }

    public static Status success(int code) {
        return new Status(true, code, "", "", null, "");
    }

    public Status with(Details newDetails) {
        return new Status(success, code, reason, message, newDetails, continueToken);
    }

    /// The same status with a token to go on from, as an expired page offers.
    public Status withContinue(String token) {
        return new Status(success, code, reason, message, details, token);
    }

    public ObjectNode toJson() {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        ObjectNode metadata = status.putObject("metadata");
        if (!continueToken.isEmpty()) {
            metadata.put("continue", continueToken);
        }
        status.put("status", success ? "Success" : "Failure");
        putUnlessEmpty(status, "message", message);
        putUnlessEmpty(status, "reason", reason);
        if (details != null) {
            status.set("details", json(details));
        }
        // A success may leave its code to the HTTP status.
        return code == 0 ? status : status.put("code", code);
    }

    private static ObjectNode json(Details details) {
        ObjectNode node = Json.object();
        putUnlessEmpty(node, "name", details.name());
        putUnlessEmpty(node, "group", details.group());
        putUnlessEmpty(node, "kind", details.kind());
        putUnlessEmpty(node, "uid", details.uid());
        if (!details.causes().isEmpty()) {
            ArrayNode causes = node.putArray("causes");
            for (Cause cause : details.causes()) {
                ObjectNode entry = causes.addObject();
                putUnlessEmpty(entry, "reason", cause.reason());
                putUnlessEmpty(entry, "message", cause.message());
                putUnlessEmpty(entry, "field", cause.field());
            }
        }
        if (details.retryAfterSeconds() > 0) {
            node.put("retryAfterSeconds", details.retryAfterSeconds());
        }
        return node;
    }

    private static void putUnlessEmpty(ObjectNode node, String field, String value) {
        if (!value.isEmpty()) {
            node.put(field, value);
        }
    }
}
