package io.berth.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;

/// Cells of jobs, of those that make jobs, and of revisions.
final class JobCells {
    private JobCells() {}

    static String status(JsonNode job) {
        if (condition(job, "Complete")) {
            return "Complete";
        }
        if (condition(job, "Failed")) {
            return "Failed";
        }
        if (job.path("metadata").has("deletionTimestamp")) {
            return "Terminating";
        }
        if (condition(job, "Suspended")) {
            return "Suspended";
        }
        if (condition(job, "FailureTarget")) {
            return "FailureTarget";
        }
        return condition(job, "SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
    }

    private static boolean condition(JsonNode job, String type) {
        return job.path("status")
                .path("conditions")
                .valueStream()
                .anyMatch(c ->
                        c.path("type").asText().equals(type)
                                && c.path("status").asText().equals("True"));
    }

    static String completions(JsonNode job) {
        long done = job.path("status").path("succeeded").asLong();
        JsonNode wanted = job.path("spec").path("completions");
        if (wanted.isNumber()) {
            return done + "/" + wanted.asLong();
        }
        long parallelism = job.path("spec").path("parallelism").asLong();
        return parallelism > 1 ? done + "/1 of " + parallelism : done + "/1";
    }

    static String duration(JsonNode job, Instant now) {
        var start = Durations.instant(job.path("status").path("startTime"));
        var end = Durations.instant(job.path("status").path("completionTime"));
        return start.map(from -> Durations.human(Duration.between(from, end.orElse(now))))
                .orElse("");
    }

    static String lastSchedule(JsonNode cronJob, Instant now) {
        JsonNode last = cronJob.path("status").path("lastScheduleTime");
        return last.isTextual() ? Durations.since(last, now) : "<none>";
    }

    /// The spec of the pods of the jobs to come.
    static JsonNode template(JsonNode cronJob) {
        return cronJob.path("spec").path("jobTemplate").path("spec").path("template").path("spec");
    }

    /// Who made a revision, as `statefulset.apps/web`.
    static String controller(JsonNode revision) {
        return revision.path("metadata")
                .path("ownerReferences")
                .valueStream()
                .filter(owner -> owner.path("controller").asBoolean())
                .findFirst()
                .map(owner -> {
                    String group = owner.path("apiVersion").asText().split("/", 2)[0];
                    return owner.path("kind").asText().toLowerCase(java.util.Locale.ROOT)
                            + "."
                            + group
                            + "/"
                            + owner.path("name").asText();
                })
                .orElse("<none>");
    }
}
