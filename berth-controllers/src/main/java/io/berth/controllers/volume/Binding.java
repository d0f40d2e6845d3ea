package io.berth.controllers.volume;

import static io.berth.controllers.client.Resource.CLAIMS;
import static io.berth.controllers.client.Resource.VOLUMES;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;

/// Binds a claim and a volume to each other: first the volume names the claim, then the claim the
/// volume. Stopped in between, the volume's word is enough to go on.
final class Binding {
    static final String COMPLETED = "pv.kubernetes.io/bind-completed";
    static final String BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    private final Cluster cluster;

    Binding(Cluster cluster) {
        this.cluster = cluster;
    }

    void bind(KubeObject claim, KubeObject volume) {
        KubeObject named = nameClaim(volume, claim);
        phase(named, "Bound");
        finish(nameVolume(claim, named), named);
    }

    private KubeObject nameClaim(KubeObject volume, KubeObject claim) {
        JsonNode reference = volume.spec().path("claimRef");
        if (reference.path("uid").asText("").equals(claim.meta().uid())) {
            return volume;
        }
        ObjectNode object = volume.copy();
        boolean ours = reference.isMissingNode();
        Trees.child(object, "spec").set("claimRef", reference(claim));
        if (ours) {
            Trees.child(Trees.child(object, "metadata"), "annotations").put(BY_CONTROLLER, "yes");
        }
        return cluster.update(VOLUMES, object);
    }

    static ObjectNode reference(KubeObject claim) {
        return Trees.object()
                .put("kind", CLAIMS.kind())
                .put("apiVersion", CLAIMS.apiVersion())
                .put("namespace", claim.meta().namespace())
                .put("name", claim.meta().name())
                .put("uid", claim.meta().uid())
                .put("resourceVersion", Long.toString(claim.meta().version()));
    }

    private KubeObject nameVolume(KubeObject claim, KubeObject volume) {
        ObjectNode object = claim.copy();
        ObjectNode spec = Trees.child(object, "spec");
        ObjectNode annotations = Trees.child(Trees.child(object, "metadata"), "annotations");
        if (spec.path("volumeName").asText("").isEmpty()) {
            spec.put("volumeName", volume.meta().name());
            annotations.put(BY_CONTROLLER, "yes");
        }
        annotations.put(COMPLETED, "yes");
        return object.equals(claim.tree()) ? claim : cluster.update(CLAIMS, object);
    }

    /// Tells in the claim's status what it has got.
    void finish(KubeObject claim, KubeObject volume) {
        ObjectNode object = claim.copy();
        ObjectNode status = Trees.child(object, "status");
        status.put("phase", "Bound");
        status.set("accessModes", volume.spec().path("accessModes").deepCopy());
        status.putObject("capacity").set("storage", volume.spec().path("capacity").path("storage"));
        KubeObject _ = cluster.updateStatus(CLAIMS, claim, object);
    }

    void phase(KubeObject volume, String phase) {
        if (volume.status().path("phase").asText("").equals(phase)) {
            return;
        }
        ObjectNode object = volume.copy();
        Trees.child(object, "status")
                .put("phase", phase)
                .put("lastPhaseTransitionTime", Trees.time(cluster.now()));
        KubeObject _ = cluster.updateStatus(VOLUMES, volume, object);
    }

    void lost(KubeObject claim) {
        ObjectNode object = claim.copy();
        Trees.child(object, "status").put("phase", "Lost");
        KubeObject _ = cluster.updateStatus(CLAIMS, claim, object);
    }
}
