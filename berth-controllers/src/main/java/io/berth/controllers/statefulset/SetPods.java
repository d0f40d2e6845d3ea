package io.berth.controllers.statefulset;

import static io.berth.controllers.client.Resource.STATEFUL_SETS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Trees;
import io.berth.controllers.revision.History;
import io.berth.controllers.workload.PodMaker;

/// The pods of a stateful set: named by number, with claims of that number.
final class SetPods {
    private SetPods() {}

    /// The number of a pod; -1 where its name is none of the set's.
    static int ordinal(KubeObject set, PodFacts pod) {
        String prefix = set.meta().name() + "-";
        String name = pod.meta().name();
        if (!name.startsWith(prefix) || !name.substring(prefix.length()).matches("[0-9]{1,9}")) {
            return -1;
        }
        return Integer.parseInt(name.substring(prefix.length()));
    }

    static String name(KubeObject set, int ordinal) {
        return set.meta().name() + "-" + ordinal;
    }

    static ObjectNode pod(KubeObject set, int ordinal, KubeObject revision) {
        ObjectNode pod =
                PodMaker.fromTemplate(History.template(revision), STATEFUL_SETS, set.meta());
        ObjectNode metadata = Trees.child(pod, "metadata");
        String name = name(set, ordinal);
        metadata.remove("generateName");
        metadata.put("name", name);
        Trees.child(metadata, "labels")
                .put(History.HASH, History.label(revision))
                .put("statefulset.kubernetes.io/pod-name", name)
                .put("apps.kubernetes.io/pod-index", Integer.toString(ordinal));
        ObjectNode spec = Trees.child(pod, "spec");
        spec.put("hostname", name);
        String service = set.spec().path("serviceName").asText("");
        if (!service.isEmpty()) {
            spec.put("subdomain", service);
        }
        addClaims(set, ordinal, spec);
        return pod;
    }

    /// A volume of the template's name is the claim's.
    private static void addClaims(KubeObject set, int ordinal, ObjectNode spec) {
        ArrayNode volumes = Trees.list(spec, "volumes");
        for (JsonNode template : set.spec().path("volumeClaimTemplates")) {
            String name = template.path("metadata").path("name").asText();
            for (int i = volumes.size() - 1; i >= 0; i--) {
                if (volumes.get(i).path("name").asText().equals(name)) {
                    volumes.remove(i);
                }
            }
            volumes.addObject()
                    .put("name", name)
                    .putObject("persistentVolumeClaim")
                    .put("claimName", SetClaims.name(set, name, ordinal));
        }
        if (volumes.isEmpty()) {
            spec.remove("volumes");
        }
    }
}
