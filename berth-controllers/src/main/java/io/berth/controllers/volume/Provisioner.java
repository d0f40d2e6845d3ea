package io.berth.controllers.volume;

import static io.berth.controllers.client.Resource.CLAIMS;
import static io.berth.controllers.client.Resource.NODES;
import static io.berth.controllers.client.Resource.VOLUMES;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;
import java.util.Optional;

/// Makes volumes for claims whose class names it as provisioner. Nothing is stored anywhere: a
/// volume is an object that says in which zone it is.
final class Provisioner {
    static final String NAME = "simulated.berth.io";
    static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    static final String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOSTNAME = "kubernetes.io/hostname";

    private final Cluster cluster;

    Provisioner(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Makes a volume that names the claim. A node that is gone by now is taken back, so that the
    /// scheduler chooses another one.
    Optional<KubeObject> provision(KubeObject claim, KubeObject storageClass) {
        String selected = claim.meta().annotation(SELECTED_NODE);
        Optional<KubeObject> node = cluster.of(NODES).find(selected);
        if (!selected.isEmpty() && node.isEmpty()) {
            ObjectNode patch = Trees.metadataPatch(claim.meta());
            patch.withObject("/metadata/annotations").putNull(SELECTED_NODE);
            cluster.patch(CLAIMS, claim.meta(), "", patch);
            return Optional.empty();
        }
        ObjectNode volume = volume(claim, storageClass);
        node.ifPresent(each -> restrict(volume, each));
        String name = volume.path("metadata").path("name").asText();
        try {
            KubeObject made = cluster.create(VOLUMES, "", volume);
            cluster.tell(
                    CLAIMS,
                    claim.meta(),
                    "Normal",
                    "ProvisioningSucceeded",
                    "Successfully provisioned volume " + name);
            return Optional.of(made);
        } catch (ApiFailure failure) {
            if (failure.isAlreadyThere()) {
                return cluster.of(VOLUMES).find(name);
            }
            throw failure;
        }
    }

    private static ObjectNode volume(KubeObject claim, KubeObject storageClass) {
        String name = "pvc-" + claim.meta().uid();
        ObjectNode volume = Trees.object();
        ObjectNode metadata = volume.putObject("metadata");
        metadata.put("name", name);
        metadata.putObject("annotations").put(PROVISIONED_BY, NAME);
        ObjectNode spec = volume.putObject("spec");
        JsonNode size = claim.spec().path("resources").path("requests").path("storage");
        spec.putObject("capacity").set("storage", size);
        spec.set("accessModes", claim.spec().path("accessModes").deepCopy());
        spec.put("volumeMode", claim.spec().path("volumeMode").asText("Filesystem"))
                .put("storageClassName", storageClass.meta().name())
                .put(
                        "persistentVolumeReclaimPolicy",
                        storageClass.tree().path("reclaimPolicy").asText("Delete"));
        spec.set("claimRef", Binding.reference(claim));
        spec.putObject("csi").put("driver", NAME).put("volumeHandle", name);
        return volume;
    }

    /// A volume is reached from the zone of its node; from the node alone where that has no zone.
    private static void restrict(ObjectNode volume, KubeObject node) {
        String zone = node.meta().labels().getOrDefault(ZONE, "");
        String host = node.meta().labels().getOrDefault(HOSTNAME, node.meta().name());
        ObjectNode metadata = Trees.child(volume, "metadata");
        if (!zone.isEmpty()) {
            Trees.child(metadata, "labels").put(ZONE, zone);
        }
        ObjectNode term =
                Trees.child(volume, "spec")
                        .putObject("nodeAffinity")
                        .putObject("required")
                        .putArray("nodeSelectorTerms")
                        .addObject();
        term.putArray("matchExpressions")
                .addObject()
                .put("key", zone.isEmpty() ? HOSTNAME : ZONE)
                .put("operator", "In")
                .putArray("values")
                .add(zone.isEmpty() ? host : zone);
    }
}
