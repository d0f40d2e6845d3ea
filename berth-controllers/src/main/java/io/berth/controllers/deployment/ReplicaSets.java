package io.berth.controllers.deployment;

import static io.berth.controllers.client.Resource.DEPLOYMENTS;
import static io.berth.controllers.client.Resource.REPLICA_SETS;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Owner;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;
import java.util.Optional;

/// Makes and resizes the replica sets of a deployment.
final class ReplicaSets {
    private final Cluster cluster;

    ReplicaSets(Cluster cluster) {
        this.cluster = cluster;
    }

    /// Makes the set of a new revision.
    KubeObject create(KubeObject deployment, long revision, int replicas) {
        String hash = Revisions.hash(deployment);
        ObjectNode set = Trees.object();
        ObjectNode metadata = set.putObject("metadata");
        metadata.put("name", deployment.meta().name() + "-" + hash);
        ObjectNode spec = set.putObject("spec");
        spec.put("replicas", replicas);
        if (deployment.spec().has("minReadySeconds")) {
            spec.set("minReadySeconds", deployment.spec().get("minReadySeconds"));
        }
        spec.set("selector", deployment.spec().path("selector").deepCopy());
        Trees.child(Trees.child(spec, "selector"), "matchLabels").put(Revisions.HASH, hash);
        spec.set("template", deployment.spec().path("template").deepCopy());
        ObjectNode template = Trees.child(spec, "template");
        Trees.child(Trees.child(template, "metadata"), "labels").put(Revisions.HASH, hash);
        metadata.set("labels", spec.path("template").path("metadata").path("labels").deepCopy());
        metadata.putArray("ownerReferences")
                .add(Owner.managing(DEPLOYMENTS, deployment.meta()).tree());
        Rollout rollout = Rollout.of(deployment);
        Revisions.annotate(
                set, deployment.meta().annotations(), revision, rollout.replicas(), rollout.most());
        return store(deployment, set);
    }

    /// A name that another template has already is a collision: the next hash is another one.
    private KubeObject store(KubeObject deployment, ObjectNode set) {
        try {
            KubeObject made = cluster.create(REPLICA_SETS, deployment.meta().namespace(), set);
            scaled(deployment, made, 0, Rollout.wanted(made));
            return made;
        } catch (ApiFailure failure) {
            if (failure.isAlreadyThere()) {
                String name = set.path("metadata").path("name").asText();
                Optional<ObjectNode> there =
                        cluster.client().find(REPLICA_SETS, deployment.meta().namespace(), name);
                boolean ours =
                        there.map(KubeObject::of)
                                .filter(each -> each.meta().isControlledBy(deployment.meta()))
                                .isPresent();
                if (there.isPresent() && !ours) {
                    collide(deployment);
                }
            }
            throw failure;
        }
    }

    private void collide(KubeObject deployment) {
        ObjectNode object = deployment.copy();
        ObjectNode status = Trees.child(object, "status");
        status.put("collisionCount", status.path("collisionCount").asLong(0) + 1);
        KubeObject _ = cluster.updateStatus(DEPLOYMENTS, deployment, object);
    }

    /// Gives a set another size; it keeps it where nothing changes.
    KubeObject resize(KubeObject deployment, KubeObject set, int replicas) {
        Rollout rollout = Rollout.of(deployment);
        ObjectNode object = set.copy();
        Revisions.size(
                Trees.child(Trees.child(object, "metadata"), "annotations"),
                rollout.replicas(),
                rollout.most());
        Trees.child(object, "spec").put("replicas", replicas);
        if (object.equals(set.tree())) {
            return set;
        }
        KubeObject changed = cluster.update(REPLICA_SETS, object);
        scaled(deployment, changed, Rollout.wanted(set), replicas);
        return changed;
    }

    private void scaled(KubeObject deployment, KubeObject set, int from, int to) {
        if (from == to) {
            return;
        }
        cluster.tell(
                DEPLOYMENTS,
                deployment.meta(),
                "Normal",
                "ScalingReplicaSet",
                "Scaled %s replica set %s from %d to %d"
                        .formatted(from < to ? "up" : "down", set.meta().name(), from, to));
    }

    /// Has a set say which revision it is, and the deployment's annotations.
    KubeObject annotate(KubeObject deployment, KubeObject set, long revision) {
        Rollout rollout = Rollout.of(deployment);
        ObjectNode object = set.copy();
        Revisions.annotate(
                object,
                deployment.meta().annotations(),
                revision,
                rollout.replicas(),
                rollout.most());
        if (deployment.spec().has("minReadySeconds")) {
            Trees.child(object, "spec")
                    .set("minReadySeconds", deployment.spec().get("minReadySeconds"));
        }
        return object.equals(set.tree()) ? set : cluster.update(REPLICA_SETS, object);
    }
}
