package io.berth.controllers.statefulset;

import static io.berth.controllers.client.Resource.CLAIMS;
import static io.berth.controllers.client.Resource.STATEFUL_SETS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Meta;
import io.berth.controllers.object.Owner;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;

/// The claims of a stateful set. They outlive pods, and the set too, unless it says otherwise: then
/// they are owned, or deleted once their pod is not wanted any more.
final class SetClaims {
    private final Cluster cluster;

    SetClaims(Cluster cluster) {
        this.cluster = cluster;
    }

    static String name(KubeObject set, String template, int ordinal) {
        return template + "-" + set.meta().name() + "-" + ordinal;
    }

    /// Makes the claims of a pod that are not there.
    void ensure(KubeObject set, int ordinal) {
        for (JsonNode template : set.spec().path("volumeClaimTemplates")) {
            String name = name(set, template.path("metadata").path("name").asText(), ordinal);
            if (cluster.of(CLAIMS).find(set.meta().namespace(), name).isEmpty()) {
                create(set, template, name);
            }
        }
    }

    private void create(KubeObject set, JsonNode template, String name) {
        ObjectNode claim = Trees.object();
        ObjectNode metadata = claim.putObject("metadata");
        for (String field : new String[] {"labels", "annotations"}) {
            if (template.path("metadata").has(field)) {
                metadata.set(field, template.path("metadata").get(field).deepCopy());
            }
        }
        metadata.put("name", name);
        set.spec()
                .path("selector")
                .path("matchLabels")
                .properties()
                .forEach(each ->
                        Trees.child(metadata, "labels").set(each.getKey(), each.getValue()));
        if (policy(set, "whenDeleted").equals("Delete")) {
            Owner owner = Owner.managing(STATEFUL_SETS, set.meta());
            metadata.putArray("ownerReferences").add(owner.tree());
        }
        claim.set("spec", template.path("spec").deepCopy());
        try {
            KubeObject _ = cluster.create(CLAIMS, set.meta().namespace(), claim);
        } catch (ApiFailure failure) {
            if (!failure.isAlreadyThere()) {
                throw failure;
            }
        }
    }

    private static String policy(KubeObject set, String when) {
        return set.spec().path("persistentVolumeClaimRetentionPolicy").path(when).asText("Retain");
    }

    /// Deletes claims of pods that are gone for good.
    void release(KubeObject set, int first, int replicas) {
        if (!policy(set, "whenScaled").equals("Delete")) {
            return;
        }
        for (JsonNode template : set.spec().path("volumeClaimTemplates")) {
            String prefix =
                    template.path("metadata").path("name").asText() + "-" + set.meta().name() + "-";
            for (KubeObject claim : cluster.of(CLAIMS).inNamespace(set.meta().namespace())) {
                if (isBeyond(claim.meta(), prefix, first, replicas)) {
                    cluster.delete(CLAIMS, claim.meta());
                }
            }
        }
    }

    private static boolean isBeyond(Meta claim, String prefix, int first, int replicas) {
        String name = claim.name();
        if (!name.startsWith(prefix) || !name.substring(prefix.length()).matches("[0-9]{1,9}")) {
            return false;
        }
        int ordinal = Integer.parseInt(name.substring(prefix.length()));
        return !claim.isDeleting() && (ordinal < first || ordinal >= first + replicas);
    }
}
