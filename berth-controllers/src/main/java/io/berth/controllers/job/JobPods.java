package io.berth.controllers.job;

import static io.berth.controllers.client.Resource.JOBS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.PodMaker;

/// The pods of a job, with a number each where the job is indexed.
final class JobPods {
    static final String INDEX = "batch.kubernetes.io/job-completion-index";

    private JobPods() {}

    static ObjectNode pod(KubeObject job) {
        ObjectNode pod = PodMaker.fromTemplate(job.spec().path("template"), JOBS, job.meta());
        Trees.list(Trees.child(pod, "metadata"), "finalizers").add(Tally.FINALIZER);
        return pod;
    }

    static ObjectNode indexed(KubeObject job, int index) {
        ObjectNode pod = pod(job);
        ObjectNode metadata = Trees.child(pod, "metadata");
        String text = Integer.toString(index);
        Trees.child(metadata, "annotations").put(INDEX, text);
        Trees.child(metadata, "labels").put(INDEX, text);
        metadata.put("generateName", job.meta().name() + "-" + index + "-");
        ObjectNode spec = Trees.child(pod, "spec");
        spec.put("hostname", job.meta().name() + "-" + index);
        for (String list : new String[] {"containers", "initContainers"}) {
            for (JsonNode container : spec.path(list)) {
                tellIndex(Trees.list((ObjectNode) container, "env"));
            }
        }
        return pod;
    }

    private static void tellIndex(ArrayNode variables) {
        for (JsonNode each : variables) {
            if (each.path("name").asText().equals("JOB_COMPLETION_INDEX")) {
                return;
            }
        }
        variables
                .addObject()
                .put("name", "JOB_COMPLETION_INDEX")
                .putObject("valueFrom")
                .putObject("fieldRef")
                .put("apiVersion", "v1")
                .put("fieldPath", "metadata.labels['" + INDEX + "']");
    }

    /// -1 where the pod has none.
    static int index(PodFacts pod) {
        try {
            return Integer.parseInt(pod.meta().annotation(INDEX));
        } catch (NumberFormatException none) {
            return -1;
        }
    }
}
