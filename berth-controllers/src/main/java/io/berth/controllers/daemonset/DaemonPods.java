package io.berth.controllers.daemonset;

import static io.berth.controllers.client.Resource.DAEMON_SETS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Trees;
import io.berth.controllers.revision.History;
import io.berth.controllers.workload.PodMaker;
import java.util.List;

/// The pods of a daemon set: each names its node, which the scheduler then gives it, and tolerates
/// what would keep others from a node in trouble.
final class DaemonPods {
    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final List<String> NO_EXECUTE = List.of("not-ready", "unreachable");
    private static final List<String> NO_SCHEDULE =
            List.of("disk-pressure", "memory-pressure", "pid-pressure", "unschedulable");

    private DaemonPods() {}

    /// The spec of the pods, but for the node.
    static ObjectNode spec(KubeObject set) {
        ObjectNode spec = (ObjectNode) set.spec().path("template").path("spec").deepCopy();
        ArrayNode tolerations = Trees.list(spec, "tolerations");
        NO_EXECUTE.forEach(each -> tolerate(tolerations, each, "NoExecute"));
        NO_SCHEDULE.forEach(each -> tolerate(tolerations, each, "NoSchedule"));
        if (spec.path("hostNetwork").asBoolean()) {
            tolerate(tolerations, "network-unavailable", "NoSchedule");
        }
        return spec;
    }

    private static void tolerate(ArrayNode tolerations, String what, String effect) {
        String key = "node.kubernetes.io/" + what;
        for (JsonNode each : tolerations) {
            boolean same =
                    each.path("key").asText().equals(key)
                            && each.path("effect").asText().equals(effect)
                            && each.path("operator").asText().equals("Exists");
            if (same) {
                return;
            }
        }
        tolerations.addObject().put("key", key).put("operator", "Exists").put("effect", effect);
    }

    static ObjectNode pod(KubeObject set, String node, String hash) {
        ObjectNode pod =
                PodMaker.fromTemplate(set.spec().path("template"), DAEMON_SETS, set.meta());
        Trees.child(Trees.child(pod, "metadata"), "labels").put(History.HASH, hash);
        ObjectNode spec = spec(set);
        ObjectNode affinity = Trees.child(Trees.child(spec, "affinity"), "nodeAffinity");
        // What else the template asks of nodes was judged before.
        affinity.putObject(REQUIRED)
                .putArray("nodeSelectorTerms")
                .addObject()
                .putArray("matchFields")
                .addObject()
                .put("key", "metadata.name")
                .put("operator", "In")
                .putArray("values")
                .add(node);
        pod.set("spec", spec);
        return pod;
    }
}
