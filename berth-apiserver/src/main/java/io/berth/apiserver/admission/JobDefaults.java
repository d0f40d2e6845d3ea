package io.berth.apiserver.admission;

import static io.berth.apiserver.admission.Nodes.child;
import static io.berth.apiserver.admission.Nodes.fill;
import static io.berth.apiserver.admission.Nodes.unset;
import static io.berth.apiserver.admission.Nodes.with;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// The defaults of jobs and of those that make jobs, and the selector that a new job gets.
final class JobDefaults {
    private static final List<String> PREFIXES = List.of("", "batch.kubernetes.io/");

    private JobDefaults() {}

    static void job(ObjectNode spec) {
        PodDefaults.template(spec);
        if (unset(spec, "completions") && unset(spec, "parallelism")) {
            spec.put("completions", 1);
        }
        fill(spec, "parallelism", 1);
        boolean perIndex = !unset(spec, "backoffLimitPerIndex");
        fill(spec, "backoffLimit", perIndex ? Integer.MAX_VALUE : 6);
        fill(spec, "completionMode", "NonIndexed");
        fill(spec, "suspend", false);
        fill(spec, "manualSelector", false);
        fill(
                spec,
                "podReplacementPolicy",
                spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
    }

    static void cronJob(ObjectNode spec) {
        fill(spec, "concurrencyPolicy", "Allow");
        fill(spec, "suspend", false);
        fill(spec, "successfulJobsHistoryLimit", 3);
        fill(spec, "failedJobsHistoryLimit", 1);
        // A template is a job in the making: of a job's own defaults it gets those of its pods.
        with(spec, "jobTemplate", template -> PodDefaults.template(child(template, "spec")));
    }

    /// Labels the pods of a new job with its identity, by which it will find them.
    static void select(ObjectNode job) {
        ObjectNode spec = child(job, "spec");
        String uid = job.path("metadata").path("uid").asText("");
        boolean manual = spec.path("manualSelector").asBoolean();
        ObjectNode labels = child(child(child(spec, "template"), "metadata"), "labels");
        if (!manual) {
            for (String prefix : PREFIXES) {
                fill(labels, prefix + "controller-uid", uid);
                fill(labels, prefix + "job-name", Nodes.name(job));
            }
            child(child(spec, "selector"), "matchLabels")
                    .put("batch.kubernetes.io/controller-uid", uid);
        }
    }
}
