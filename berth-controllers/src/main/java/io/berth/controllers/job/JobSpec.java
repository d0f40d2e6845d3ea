package io.berth.controllers.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.object.Conditions;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What a job asks for, and whether it has got it.
final class JobSpec {
    private JobSpec() {}

    /// How a job ended.
    record Verdict(boolean succeeded, String reason, String message) {
        /// The end is told in two steps, the second once every pod is counted.
        void write(ObjectNode status, Instant now, boolean counted) {
            String first = succeeded ? "SuccessCriteriaMet" : "FailureTarget";
            Conditions.set(status, first, "True", reason, message, now);
            if (counted) {
                String last = succeeded ? "Complete" : "Failed";
                Conditions.set(status, last, "True", reason, message, now);
                if (succeeded) {
                    status.put("completionTime", Trees.time(now));
                }
                status.put("active", 0).put("ready", 0).put("terminating", 0);
            }
        }
    }

    static boolean isIndexed(KubeObject job) {
        return job.spec().path("completionMode").asText().equals("Indexed");
    }

    static boolean isFinished(KubeObject job) {
        return Conditions.isTrue(job.status(), "Complete")
                || Conditions.isTrue(job.status(), "Failed");
    }

    /// How many pods should run now.
    static int wanted(KubeObject job, Tally tally) {
        int parallelism = job.spec().path("parallelism").asInt(1);
        JsonNode completions = job.spec().path("completions");
        if (completions.isNumber()) {
            return Math.clamp(completions.asLong() - tally.succeeded(), 0, parallelism);
        }
        // A crowd of workers: once one of them is done, no new ones are sent.
        return tally.succeeded() > 0 ? Math.min(parallelism, tally.active()) : parallelism;
    }

    static Optional<Verdict> verdict(KubeObject job, Tally tally, Instant now) {
        if (Conditions.isTrue(job.status(), "FailureTarget")) {
            return Conditions.find(job.status(), "FailureTarget")
                    .map(c ->
                            new Verdict(
                                    false, c.path("reason").asText(), c.path("message").asText()));
        }
        if (tally.failed() > job.spec().path("backoffLimit").asLong(6)) {
            return Optional.of(
                    new Verdict(
                            false,
                            "BackoffLimitExceeded",
                            "Job has reached the specified backoff limit"));
        }
        if (deadline(job, now).filter(left -> !left.isPositive()).isPresent()) {
            return Optional.of(
                    new Verdict(
                            false,
                            "DeadlineExceeded",
                            "Job was active longer than specified deadline"));
        }
        JsonNode completions = job.spec().path("completions");
        boolean enough =
                completions.isNumber()
                        ? tally.succeeded() >= completions.asLong()
                        : tally.succeeded() > 0 && tally.active() == 0;
        return enough
                ? Optional.of(
                        new Verdict(
                                true,
                                "CompletionsReached",
                                "Reached expected number of succeeded pods"))
                : Optional.empty();
    }

    /// How much time a job has left, if it has a limit.
    static Optional<Duration> deadline(KubeObject job, Instant now) {
        JsonNode limit = job.spec().path("activeDeadlineSeconds");
        Optional<Instant> start = Trees.instant(job.status().path("startTime"));
        return limit.isNumber() && !job.spec().path("suspend").asBoolean()
                ? start.map(from -> Duration.between(now, from.plusSeconds(limit.asLong())))
                : Optional.empty();
    }

    /// How long a job that has ended is kept.
    static Duration timeToLive(KubeObject job, Instant now) {
        Instant end =
                Conditions.find(job.status(), "Complete")
                        .or(() -> Conditions.find(job.status(), "Failed"))
                        .flatMap(each -> Trees.instant(each.path("lastTransitionTime")))
                        .orElse(now);
        long seconds = job.spec().path("ttlSecondsAfterFinished").asLong();
        return Duration.between(now, end.plusSeconds(seconds));
    }
}
