package io.berth.controllers.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Words;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Which replica set stands for which revision of a deployment.
final class Revisions {
    static final String HASH = "pod-template-hash";
    static final String REVISION = "deployment.kubernetes.io/revision";
    static final String HISTORY = "deployment.kubernetes.io/revision-history";
    static final String DESIRED = "deployment.kubernetes.io/desired-replicas";
    static final String MAX = "deployment.kubernetes.io/max-replicas";

    private static final Set<String> NOT_INHERITED =
            Set.of(
                    "kubectl.kubernetes.io/last-applied-configuration",
                    REVISION,
                    HISTORY,
                    DESIRED,
                    MAX,
                    "deprecated.deployment.rollback.to");

    private Revisions() {}

    /// The oldest set whose pods are what the deployment wants now.
    static Optional<KubeObject> current(KubeObject deployment, List<KubeObject> sets) {
        JsonNode wanted = template(deployment);
        return sets.stream()
                .sorted(
                        Comparator.comparing((KubeObject set) -> set.meta().created())
                                .thenComparing(set -> set.meta().name()))
                .filter(set -> template(set).equals(wanted))
                .findFirst();
    }

    /// The template as the user wrote it.
    private static JsonNode template(KubeObject owner) {
        JsonNode template = Trees.withoutNulls(owner.spec().path("template"));
        if (template.path("metadata").path("labels") instanceof ObjectNode labels) {
            labels.remove(HASH);
        }
        return template;
    }

    /// A short word for the template; the number of collisions makes it another one.
    static String hash(KubeObject deployment) {
        long collisions = deployment.status().path("collisionCount").asLong(0);
        return Words.hash(template(deployment), collisions);
    }

    static long revision(KubeObject set) {
        try {
            return Long.parseLong(set.meta().annotation(REVISION));
        } catch (NumberFormatException none) {
            return 0;
        }
    }

    static long highest(List<KubeObject> sets) {
        return sets.stream().mapToLong(Revisions::revision).max().orElse(0);
    }

    /// What the new set takes over from its deployment, and the number of its revision.
    static void annotate(
            ObjectNode set,
            Map<String, String> deployment,
            long revision,
            long replicas,
            long max) {
        ObjectNode annotations = Trees.child(Trees.child(set, "metadata"), "annotations");
        deployment.forEach((name, value) -> {
            if (!NOT_INHERITED.contains(name)) {
                annotations.put(name, value);
            }
        });
        String before = annotations.path(REVISION).asText("");
        if (!before.equals(Long.toString(revision))) {
            if (!before.isEmpty()) {
                String history = annotations.path(HISTORY).asText("");
                annotations.put(HISTORY, history.isEmpty() ? before : history + "," + before);
            }
            annotations.put(REVISION, Long.toString(revision));
        }
        size(annotations, replicas, max);
    }

    static void size(ObjectNode annotations, long replicas, long max) {
        annotations.put(DESIRED, Long.toString(replicas)).put(MAX, Long.toString(max));
    }
}
