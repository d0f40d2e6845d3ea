package io.berth.apiserver.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.apiserver.status.ApiErrors;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// How an object is to be deleted.
///
/// @param gracePeriodSeconds absent: as long as the object itself says
/// @param uid the precondition on the identity
/// @param resourceVersion the precondition on the state
public record DeleteOptions(
        OptionalLong gracePeriodSeconds,
        Optional<String> uid,
        Optional<String> resourceVersion,
        String propagationPolicy,
        boolean dryRun) {
    public static final DeleteOptions DEFAULT =
            new DeleteOptions(OptionalLong.empty(), Optional.empty(), Optional.empty(), "", false);

    private static final Set<String> POLICIES = Set.of("", "Orphan", "Background", "Foreground");

    public static DeleteOptions of(JsonNode body) {
        JsonNode preconditions = body.path("preconditions");
        JsonNode dryRun = body.path("dryRun");
        for (JsonNode value : dryRun) {
            checkDryRun("DeleteOptions", value.asText());
        }
        String policy = policy(body);
        if (!POLICIES.contains(policy)) {
            throw ApiErrors.invalidField(
                    "meta.k8s.io",
                    "DeleteOptions",
                    "",
                    "propagationPolicy",
                    "FieldValueNotSupported",
                    "Unsupported value: \""
                            + policy
                            + "\": supported values: \"Foreground\", \"Background\", \"Orphan\","
                            + " \"nil\"");
        }
        JsonNode grace = body.path("gracePeriodSeconds");
        return new DeleteOptions(
                grace.isIntegralNumber() ? OptionalLong.of(grace.asLong()) : OptionalLong.empty(),
                optional(preconditions.path("uid")),
                optional(preconditions.path("resourceVersion")),
                policy,
                !dryRun.isEmpty());
    }

    private static String policy(JsonNode body) {
        JsonNode policy = body.path("propagationPolicy");
        JsonNode orphan = body.path("orphanDependents");
        if (orphan.isBoolean() && policy.isTextual()) {
            throw ApiErrors.invalidField(
                    "meta.k8s.io",
                    "DeleteOptions",
                    "",
                    "propagationPolicy",
                    "FieldValueInvalid",
                    "Invalid value: \""
                            + policy.asText()
                            + "\": orphanDependents and deletionPropagation cannot be both set");
        }
        return orphan.isBoolean()
                ? (orphan.asBoolean() ? "Orphan" : "Background")
                : policy.asText("");
    }

    public DeleteOptions withPropagation(String policy) {
        return new DeleteOptions(gracePeriodSeconds, uid, resourceVersion, policy, dryRun);
    }

    /// Refuses any other dry run than `All`.
    public static void checkDryRun(String optionsKind, String value) {
        if (!value.equals("All")) {
            throw ApiErrors.invalidField(
                    "meta.k8s.io",
                    optionsKind,
                    "",
                    "dryRun",
                    "FieldValueNotSupported",
                    "Unsupported value: [\"" + value + "\"]: supported values: \"All\"");
        }
    }

    public DeleteOptions withGrace(long seconds) {
        return new DeleteOptions(
                OptionalLong.of(seconds), uid, resourceVersion, propagationPolicy, dryRun);
    }

    public DeleteOptions withResourceVersion(String version) {
        return new DeleteOptions(
                gracePeriodSeconds, uid, Optional.of(version), propagationPolicy, dryRun);
    }

    public DeleteOptions dryRun(boolean newDryRun) {
        return new DeleteOptions(
                gracePeriodSeconds, uid, resourceVersion, propagationPolicy, newDryRun);
    }

    private static Optional<String> optional(JsonNode node) {
        return node.isTextual() ? Optional.of(node.asText()) : Optional.empty();
    }
}
