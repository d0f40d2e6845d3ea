package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// The rules of jobs and of those that make jobs.
final class JobValidation {
    private static final int CRON_FIELDS = 5;
    private static final List<String> COUNTS =
            List.of(
                    "parallelism",
                    "completions",
                    "activeDeadlineSeconds",
                    "backoffLimit",
                    "ttlSecondsAfterFinished");

    private JobValidation() {}

    static void check(JsonNode spec, String path, Problems problems) {
        for (String count : COUNTS) {
            notNegative(spec, count, path, problems);
        }
        if (spec.path("completionMode").asText().equals("Indexed") && !spec.has("completions")) {
            problems.required(path + ".completions", "when completion mode is Indexed");
        }
        String policy = spec.path("template").path("spec").path("restartPolicy").asText("");
        if (!policy.equals("OnFailure") && !policy.equals("Never")) {
            problems.required(
                    path + ".template.spec.restartPolicy",
                    "valid values: \"OnFailure\", \"Never\"");
        }
        new PodValidation(problems)
                .check(spec.path("template").path("spec"), path + ".template.spec");
    }

    static void cron(JsonNode spec, Problems problems) {
        String schedule = spec.path("schedule").asText("");
        if (schedule.isEmpty()) {
            problems.required("spec.schedule", "");
        } else if (!schedule.startsWith("@")) {
            List<String> fields = List.of(schedule.strip().split("\\s+", -1));
            if (fields.size() != CRON_FIELDS) {
                problems.invalid(
                        "spec.schedule",
                        schedule,
                        "expected exactly 5 fields, found "
                                + fields.size()
                                + ": ["
                                + String.join(" ", fields)
                                + "]");
            }
        }
        String concurrency = spec.path("concurrencyPolicy").asText("");
        if (!List.of("Allow", "Forbid", "Replace").contains(concurrency)) {
            problems.notSupported(
                    "spec.concurrencyPolicy", concurrency, "Allow", "Forbid", "Replace");
        }
        for (String count :
                List.of(
                        "startingDeadlineSeconds",
                        "successfulJobsHistoryLimit",
                        "failedJobsHistoryLimit")) {
            notNegative(spec, count, "spec", problems);
        }
        check(spec.path("jobTemplate").path("spec"), "spec.jobTemplate.spec", problems);
    }

    static void changes(JsonNode old, JsonNode spec, Problems problems) {
        for (String field : List.of("completionMode", "selector", "podFailurePolicy")) {
            Validation.immutable(old, spec, "spec.", field, problems);
        }
        if (!old.path("suspend").asBoolean()) {
            Validation.immutable(old, spec, "spec.", "template", problems);
        }
        boolean elastic =
                spec.path("completionMode").asText().equals("Indexed")
                        && spec.path("completions").equals(spec.path("parallelism"));
        if (!elastic) {
            Validation.immutable(old, spec, "spec.", "completions", problems);
        }
    }

    private static void notNegative(JsonNode spec, String field, String path, Problems problems) {
        if (spec instanceof ObjectNode && spec.path(field).asLong() < 0) {
            problems.invalid(
                    path + "." + field, spec.path(field), "must be greater than or equal to 0");
        }
    }
}
