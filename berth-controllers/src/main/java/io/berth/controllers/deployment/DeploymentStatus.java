package io.berth.controllers.deployment;

import static io.berth.controllers.client.Resource.DEPLOYMENTS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.object.Conditions;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Tells how far a deployment is.
final class DeploymentStatus {
    private static final String AVAILABLE = "Available";
    private static final String PROGRESSING = "Progressing";
    private static final String TIMED_OUT = "ProgressDeadlineExceeded";

    private final Cluster cluster;

    DeploymentStatus(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Writes the status.
    ///
    /// @return when the deadline for progress is to be looked at
    Optional<Duration> report(
            KubeObject deployment, List<KubeObject> sets, Optional<KubeObject> current) {
        ObjectNode object = deployment.copy();
        ObjectNode status = Trees.child(object, "status");
        int replicas = deployment.spec().path("replicas").asInt(1);
        int total = Rollout.actual(sets);
        int available = Rollout.available(sets);
        int updated = current.map(Rollout::actual).orElse(0);
        int ready = sets.stream().mapToInt(s -> s.status().path("readyReplicas").asInt(0)).sum();
        status.put("observedGeneration", deployment.meta().generation());
        count(status, "replicas", total);
        count(status, "updatedReplicas", updated);
        count(status, "readyReplicas", ready);
        count(status, "availableReplicas", available);
        count(status, "unavailableReplicas", Math.max(0, Rollout.wanted(sets) - available));
        Instant now = cluster.now();
        availability(status, available, Rollout.of(deployment).least(), now);
        boolean complete = updated == replicas && total == replicas && available == replicas;
        Optional<Duration> look =
                progress(deployment, status, current, new Step(complete, updated, total), now);
        KubeObject _ = cluster.updateStatus(DEPLOYMENTS, deployment, object);
        return look;
    }

    private record Step(boolean complete, int updated, int total) {}

    private static void availability(ObjectNode status, int available, int least, Instant now) {
        if (available >= least) {
            Conditions.set(
                    status,
                    AVAILABLE,
                    "True",
                    "MinimumReplicasAvailable",
                    "Deployment has minimum availability.",
                    now);
        } else {
            Conditions.set(
                    status,
                    AVAILABLE,
                    "False",
                    "MinimumReplicasUnavailable",
                    "Deployment does not have minimum availability.",
                    now);
        }
        stamp(status, AVAILABLE, now);
    }

    private Optional<Duration> progress(
            KubeObject deployment,
            ObjectNode status,
            Optional<KubeObject> current,
            Step step,
            Instant now) {
        if (deployment.spec().path("paused").asBoolean()) {
            return paused(status, now);
        }
        String set = current.map(each -> each.meta().name()).orElse("");
        String before = reason(status);
        if (step.complete) {
            String message = "ReplicaSet \"" + set + "\" has successfully progressed.";
            told(status, "True", "NewReplicaSetAvailable", message, now);
            return Optional.empty();
        }
        boolean changed =
                step.updated != deployment.status().path("updatedReplicas").asInt(0)
                        || step.total != deployment.status().path("replicas").asInt(0)
                        || deployment.status().path("availableReplicas").asInt(0)
                                != status.path("availableReplicas").asInt(0);
        if (before.isEmpty() || before.equals("DeploymentPaused")) {
            String message = "Created new replica set \"" + set + "\"";
            told(status, "True", "NewReplicaSetCreated", message, now);
        } else if (changed || before.equals("NewReplicaSetAvailable")) {
            String message = "ReplicaSet \"" + set + "\" is progressing.";
            told(status, "True", "ReplicaSetUpdated", message, now);
            Conditions.find(status, PROGRESSING)
                    .ifPresent(c -> ((ObjectNode) c).put("lastUpdateTime", Trees.time(now)));
        }
        return deadline(deployment, status, set, now);
    }

    private static Optional<Duration> paused(ObjectNode status, Instant now) {
        told(status, "Unknown", "DeploymentPaused", "Deployment is paused", now);
        return Optional.empty();
    }

    private static Optional<Duration> deadline(
            KubeObject deployment, ObjectNode status, String set, Instant now) {
        long limit = deployment.spec().path("progressDeadlineSeconds").asLong(600);
        if (limit == Integer.MAX_VALUE || reason(status).equals(TIMED_OUT)) {
            return Optional.empty();
        }
        Instant last =
                Conditions.find(status, PROGRESSING)
                        .flatMap(each -> Trees.instant(each.path("lastUpdateTime")))
                        .orElse(now);
        Duration left = Duration.between(now, last.plusSeconds(limit));
        if (left.isPositive()) {
            return Optional.of(left.plusSeconds(1));
        }
        String message = "ReplicaSet \"" + set + "\" has timed out progressing.";
        told(status, "False", TIMED_OUT, message, now);
        return Optional.empty();
    }

    private static String reason(JsonNode status) {
        return Conditions.find(status, PROGRESSING)
                .map(each -> each.path("reason").asText())
                .orElse("");
    }

    private static void told(
            ObjectNode status, String value, String reason, String message, Instant now) {
        boolean same = reason(status).equals(reason);
        Conditions.set(status, PROGRESSING, value, reason, message, now);
        Conditions.find(status, PROGRESSING)
                .filter(each -> !same || !each.has("lastUpdateTime"))
                .ifPresent(each -> ((ObjectNode) each).put("lastUpdateTime", Trees.time(now)));
    }

    private static void stamp(ObjectNode status, String type, Instant now) {
        Conditions.find(status, type)
                .filter(each -> !each.has("lastUpdateTime"))
                .ifPresent(each -> ((ObjectNode) each).put("lastUpdateTime", Trees.time(now)));
    }

    private static void count(ObjectNode status, String field, int value) {
        if (value == 0) {
            status.remove(field);
        } else {
            status.put(field, value);
        }
    }
}
