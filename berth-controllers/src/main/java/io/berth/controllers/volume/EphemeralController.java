package io.berth.controllers.volume;

import static io.berth.controllers.client.Resource.CLAIMS;
import static io.berth.controllers.client.Resource.PODS;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Owner;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;
import java.util.Optional;

/// Makes the claims of generic ephemeral volumes: named after pod and volume, gone with the pod.
public final class EphemeralController implements Controller {
    private static final int WORKERS = 2;

    private final Cluster cluster;
    private final Loop loop;

    public EphemeralController(Cluster cluster) {
        this.cluster = cluster;
        this.loop = new Loop("ephemeral", WORKERS, cluster.timer(), this::reconcile);
        cluster.pods()
                .listen((before, after) -> {
                    if (before == null && after != null && !after.ephemeral().isEmpty()) {
                        loop.enqueue(after.meta().key());
                    }
                });
        cluster.of(CLAIMS)
                .listen((before, after) -> {
                    if (after == null && before != null) {
                        before.meta()
                                .controller()
                                .filter(owner -> owner.kind().equals(PODS.kind()))
                                .ifPresent(owner ->
                                        loop.enqueue(
                                                before.meta().namespace() + "/" + owner.name()));
                    }
                });
    }

    @Override
    public void start() {
        loop.start();
    }

    private void reconcile(String key) {
        PodFacts pod = cluster.pods().find(key).filter(PodFacts::isActive).orElse(null);
        if (pod == null) {
            return;
        }
        for (PodFacts.Ephemeral volume : pod.ephemeral()) {
            String name = pod.meta().name() + "-" + volume.volume();
            Optional<KubeObject> there = cluster.of(CLAIMS).find(pod.meta().namespace(), name);
            if (there.isEmpty()) {
                create(pod, volume.template(), name);
            } else if (!there.get().meta().isControlledBy(pod.meta())) {
                cluster.tell(
                        PODS,
                        pod.meta(),
                        "Warning",
                        "FailedBinding",
                        "PVC " + name + " was not created for pod " + pod.meta().key());
            }
        }
    }

    private void create(PodFacts pod, JsonNode template, String name) {
        ObjectNode claim = Trees.object();
        ObjectNode metadata = claim.putObject("metadata");
        for (String field : new String[] {"labels", "annotations"}) {
            if (template.path("metadata").has(field)) {
                metadata.set(field, template.path("metadata").get(field).deepCopy());
            }
        }
        metadata.put("name", name);
        metadata.putArray("ownerReferences").add(Owner.managing(PODS, pod.meta()).tree());
        claim.set("spec", template.path("spec").deepCopy());
        try {
            KubeObject _ = cluster.create(CLAIMS, pod.meta().namespace(), claim);
        } catch (ApiFailure failure) {
            if (!failure.isNamespaceGoing()) {
                throw failure;
            }
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
