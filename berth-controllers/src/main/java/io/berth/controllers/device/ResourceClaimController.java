package io.berth.controllers.device;

import static io.berth.controllers.client.Resource.PODS;
import static io.berth.controllers.client.Resource.RESOURCE_CLAIMS;
import static io.berth.controllers.client.Resource.RESOURCE_CLAIM_TEMPLATES;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.client.ApiFailure;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Meta;
import io.berth.controllers.object.Owner;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.PodFacts.PodClaim;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;
import io.berth.controllers.workload.Notices;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes the resource claims that pods ask for by template, takes back reservations of pods that
/// are done, and frees what nobody has reserved any more.
public final class ResourceClaimController implements Controller {
    private static final int WORKERS = 2;
    private static final String POD_CLAIM = "resource.kubernetes.io/pod-claim-name";
    private static final String PROTECTION = "resource.kubernetes.io/delete-protection";

    private final Cluster cluster;
    private final Informer<KubeObject> claims;
    private final Loop podLoop;
    private final Loop claimLoop;

    public ResourceClaimController(Cluster cluster) {
        this.cluster = cluster;
        this.claims = cluster.of(RESOURCE_CLAIMS);
        this.podLoop = new Loop("podclaims", WORKERS, cluster.timer(), this::reconcilePod);
        this.claimLoop = new Loop("resourceclaims", WORKERS, cluster.timer(), this::reconcileClaim);
        Notices.ofItself(claims, claimLoop);
        cluster.pods()
                .listen((before, after) -> {
                    PodFacts pod = Notices.either(before, after);
                    if (!pod.claims().isEmpty()) {
                        podLoop.enqueue(pod.meta().key());
                    }
                });
        cluster.of(RESOURCE_CLAIM_TEMPLATES)
                .listen((before, after) -> {
                    if (before == null && after != null) {
                        cluster.pods().inNamespace(after.meta().namespace()).stream()
                                .filter(pod -> !pod.claims().isEmpty())
                                .forEach(pod -> podLoop.enqueue(pod.meta().key()));
                    }
                });
    }

    @Override
    public void start() {
        podLoop.start();
        claimLoop.start();
    }

    private void reconcilePod(String key) {
        PodFacts pod = cluster.pods().find(key).orElse(null);
        if (pod == null || !pod.isActive()) {
            lookAtClaims(key);
            return;
        }
        var made = new HashMap<String, String>();
        for (PodClaim each : pod.claims()) {
            if (!each.template().isEmpty() && !each.settled()) {
                ensure(pod, each).ifPresent(name -> made.put(each.name(), name));
            }
        }
        if (!made.isEmpty()) {
            tell(pod, made);
        }
    }

    /// A pod that is done, or gone, has claims to give back.
    private void lookAtClaims(String podKey) {
        int slash = podKey.indexOf('/');
        String name = podKey.substring(slash + 1);
        for (KubeObject claim : claims.inNamespace(podKey.substring(0, slash))) {
            boolean reserved =
                    claim.status()
                            .path("reservedFor")
                            .valueStream()
                            .anyMatch(each -> each.path("name").asText().equals(name));
            boolean owned =
                    claim.meta().controller().filter(o -> o.name().equals(name)).isPresent();
            if (reserved || owned) {
                claimLoop.enqueue(claim.meta().key());
            }
        }
    }

    private Optional<String> ensure(PodFacts pod, PodClaim wanted) {
        Optional<KubeObject> there =
                claims.ownedBy(pod.meta().uid()).stream()
                        .filter(each -> each.meta().annotation(POD_CLAIM).equals(wanted.name()))
                        .filter(each -> !each.meta().isDeleting())
                        .findFirst();
        if (there.isPresent()) {
            return there.map(each -> each.meta().name());
        }
        return cluster.of(RESOURCE_CLAIM_TEMPLATES)
                .find(pod.meta().namespace(), wanted.template())
                .map(template -> create(pod, wanted, template.spec()).meta().name());
    }

    private KubeObject create(PodFacts pod, PodClaim wanted, JsonNode template) {
        ObjectNode claim = Trees.object();
        ObjectNode metadata = claim.putObject("metadata");
        for (String field : new String[] {"labels", "annotations"}) {
            if (template.path("metadata").has(field)) {
                metadata.set(field, template.path("metadata").get(field).deepCopy());
            }
        }
        metadata.put("generateName", pod.meta().name() + "-" + wanted.name() + "-");
        Trees.child(metadata, "annotations").put(POD_CLAIM, wanted.name());
        metadata.putArray("ownerReferences").add(Owner.managing(PODS, pod.meta()).tree());
        claim.set("spec", template.path("spec").deepCopy());
        return cluster.create(RESOURCE_CLAIMS, pod.meta().namespace(), claim);
    }

    /// Names the claims in the pod's status, where the scheduler looks.
    private void tell(PodFacts pod, Map<String, String> made) {
        ObjectNode patch = Trees.object();
        patch.putObject("metadata").put("uid", pod.meta().uid());
        ArrayNode list = patch.putObject("status").putArray("resourceClaimStatuses");
        for (PodClaim each : pod.claims()) {
            String name = made.getOrDefault(each.name(), each.made());
            if (!name.isEmpty()) {
                list.addObject().put("name", each.name()).put("resourceClaimName", name);
            } else if (each.settled()) {
                list.addObject().put("name", each.name());
            }
        }
        try {
            cluster.patch(PODS, pod.meta(), "/status", patch);
        } catch (ApiFailure failure) {
            if (!failure.isNotFound()) {
                throw failure;
            }
        }
    }

    private void reconcileClaim(String key) {
        KubeObject claim = claims.find(key).orElse(null);
        if (claim == null) {
            return;
        }
        ArrayNode reserved = Trees.object().arrayNode();
        for (JsonNode each : claim.status().path("reservedFor")) {
            if (isHeld(claim.meta(), each)) {
                reserved.add(each.deepCopy());
            }
        }
        boolean someWent = reserved.size() < claim.status().path("reservedFor").size();
        boolean isUnused = someWent || claim.meta().isDeleting();
        KubeObject now = claim;
        if (reserved.isEmpty() && isUnused && isProtected(claim)) {
            now = giveBack(claim);
        } else if (someWent) {
            now = reserve(claim, reserved);
        }
        if (isLeftOver(now)) {
            cluster.delete(RESOURCE_CLAIMS, now.meta());
        }
    }

    /// Whoever allocates puts the finalizer there first, so where it stands alone somebody may be
    /// about to; an allocation without it is not the scheduler's, and not to be taken back.
    private static boolean isProtected(KubeObject claim) {
        return claim.meta().finalizers().contains(PROTECTION);
    }

    private KubeObject reserve(KubeObject claim, ArrayNode reserved) {
        ObjectNode object = claim.copy();
        if (reserved.isEmpty()) {
            Trees.child(object, "status").remove("reservedFor");
        } else {
            Trees.child(object, "status").set("reservedFor", reserved);
        }
        return cluster.updateStatus(RESOURCE_CLAIMS, claim, object);
    }

    /// Nobody uses its devices any more.
    private KubeObject giveBack(KubeObject claim) {
        KubeObject now = claim;
        if (claim.status().has("allocation") || claim.status().has("reservedFor")) {
            ObjectNode object = claim.copy();
            Trees.child(object, "status").remove(List.of("reservedFor", "allocation", "devices"));
            now = cluster.updateStatus(RESOURCE_CLAIMS, claim, object);
        }
        cluster.removeFinalizer(RESOURCE_CLAIMS, now.meta(), PROTECTION);
        return now;
    }

    /// Whether the one for whom a claim is reserved still needs it. Only pods are known here.
    private boolean isHeld(Meta claim, JsonNode consumer) {
        boolean isPod =
                consumer.path("apiGroup").asText("").isEmpty()
                        && consumer.path("resource").asText().equals("pods");
        if (!isPod) {
            return true;
        }
        String name = consumer.path("name").asText();
        String uid = consumer.path("uid").asText();
        Optional<PodFacts> known =
                cluster.pods()
                        .find(claim.namespace(), name)
                        .filter(pod -> pod.meta().uid().equals(uid));
        if (known.isPresent()) {
            return !known.get().isFinished();
        }
        return cluster.client()
                .find(PODS, claim.namespace(), name)
                .map(PodFacts::of)
                .filter(pod -> pod.meta().uid().equals(uid) && !pod.isFinished())
                .isPresent();
    }

    /// A claim that was made for a pod that has ended.
    private boolean isLeftOver(KubeObject claim) {
        return !claim.meta().isDeleting()
                && claim.status().path("reservedFor").isEmpty()
                && claim.meta()
                        .controller()
                        .filter(owner -> owner.kind().equals(PODS.kind()))
                        .flatMap(owner ->
                                cluster.pods().find(claim.meta().namespace(), owner.name()))
                        .filter(PodFacts::isFinished)
                        .isPresent();
    }

    @Override
    public void close() {
        podLoop.close();
        claimLoop.close();
    }
}
