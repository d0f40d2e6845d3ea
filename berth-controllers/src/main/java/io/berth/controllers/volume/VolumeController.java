package io.berth.controllers.volume;

import static io.berth.controllers.client.Resource.CLAIMS;
import static io.berth.controllers.client.Resource.STORAGE_CLASSES;
import static io.berth.controllers.client.Resource.VOLUMES;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.controllers.informer.Informer;
import io.berth.controllers.loop.Controller;
import io.berth.controllers.loop.Loop;
import io.berth.controllers.object.KubeObject;
import io.berth.controllers.object.Meta;
import io.berth.controllers.object.PodFacts;
import io.berth.controllers.object.Trees;
import io.berth.controllers.workload.Cluster;
import io.berth.controllers.workload.Notices;
import java.util.Optional;

/// Brings claims and volumes together, has volumes made where a class says so, and frees volumes
/// whose claim is gone.
public final class VolumeController implements Controller {
    /// Whom a storage class names to have its volumes made here.
    public static final String PROVISIONER_NAME = Provisioner.NAME;

    /// Claims compete for volumes, so one after the other is judged.
    private static final int WORKERS = 1;

    private static final String CLAIM_PROTECTION = "kubernetes.io/pvc-protection";
    private static final String VOLUME_PROTECTION = "kubernetes.io/pv-protection";
    private static final String PROVISIONER = "volume.kubernetes.io/storage-provisioner";
    private static final String OLD_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";

    private final Cluster cluster;
    private final Informer<KubeObject> claims;
    private final Informer<KubeObject> volumes;
    private final Binding binding;
    private final Provisioner provisioner;
    private final Loop claimLoop;
    private final Loop volumeLoop;

    public VolumeController(Cluster cluster) {
        this.cluster = cluster;
        this.claims = cluster.of(CLAIMS);
        this.volumes = cluster.of(VOLUMES);
        this.binding = new Binding(cluster);
        this.provisioner = new Provisioner(cluster);
        this.claimLoop = new Loop("claims", WORKERS, cluster.timer(), this::reconcileClaim);
        this.volumeLoop = new Loop("volumes", WORKERS, cluster.timer(), this::reconcileVolume);
        listen();
    }

    private void listen() {
        Notices.ofItself(claims, claimLoop);
        Notices.ofItself(volumes, volumeLoop);
        claims.listen((before, after) -> {
            JsonNode name = Notices.either(before, after).spec().path("volumeName");
            if (name.isTextual()) {
                volumeLoop.enqueue(name.textValue());
            }
            if (after == null && before != null) {
                volumes.all().stream()
                        .filter(volume -> Matching.names(volume, before))
                        .forEach(volume -> volumeLoop.enqueue(volume.meta().key()));
            }
        });
        volumes.listen((before, after) -> {
            KubeObject volume = Notices.either(before, after);
            JsonNode claim = volume.spec().path("claimRef");
            if (claim.isObject()) {
                claimLoop.enqueue(
                        Meta.key(claim.path("namespace").asText(), claim.path("name").asText()));
            } else if (after != null) {
                waiting();
            }
        });
        cluster.of(STORAGE_CLASSES).listen((_, _) -> waiting());
        cluster.pods()
                .listen((before, after) -> {
                    boolean over =
                            after == null
                                    || (before != null && before.isActive() && !after.isActive());
                    if (over) {
                        PodFacts pod = Notices.either(before, after);
                        pod.claimVolumes()
                                .forEach(name ->
                                        claimLoop.enqueue(Meta.key(pod.meta().namespace(), name)));
                    }
                });
    }

    /// Claims that may get something now.
    private void waiting() {
        claims.all().stream()
                .filter(claim -> !claim.status().path("phase").asText().equals("Bound"))
                .forEach(claim -> claimLoop.enqueue(claim.meta().key()));
    }

    @Override
    public void start() {
        claimLoop.start();
        volumeLoop.start();
    }

    private void reconcileClaim(String key) {
        KubeObject claim = claims.find(key).orElse(null);
        if (claim == null) {
            return;
        }
        if (claim.meta().isDeleting()) {
            if (!isUsed(claim)) {
                cluster.removeFinalizer(CLAIMS, claim.meta(), CLAIM_PROTECTION);
            }
            return;
        }
        String volume = claim.spec().path("volumeName").asText("");
        if (volume.isEmpty()) {
            search(claim);
        } else {
            complete(claim, volumes.find(volume));
        }
    }

    /// A claim that a pod still uses stays.
    private boolean isUsed(KubeObject claim) {
        return cluster.pods().inNamespace(claim.meta().namespace()).stream()
                .filter(pod -> !pod.isFinished())
                .anyMatch(pod -> pod.claimVolumes().contains(claim.meta().name()));
    }

    private void complete(KubeObject claim, Optional<KubeObject> volume) {
        boolean bound = claim.meta().annotations().containsKey(Binding.COMPLETED);
        if (volume.isEmpty()) {
            if (bound) {
                binding.lost(claim);
            }
            return;
        }
        JsonNode reference = volume.get().spec().path("claimRef");
        if (reference.isMissingNode() || Matching.names(volume.get(), claim)) {
            binding.bind(claim, volume.get());
        } else if (bound) {
            binding.lost(claim);
        }
    }

    private void search(KubeObject claim) {
        Optional<KubeObject> storageClass =
                cluster.of(STORAGE_CLASSES).find(Matching.storageClass(claim));
        boolean waits =
                storageClass
                        .map(each -> each.tree().path("volumeBindingMode").asText())
                        .filter(mode -> mode.equals("WaitForFirstConsumer"))
                        .isPresent();
        boolean chosen = claim.meta().annotations().containsKey(Provisioner.SELECTED_NODE);
        Optional<KubeObject> match =
                volumes.all().stream().filter(volume -> Matching.names(volume, claim)).findFirst();
        if (match.isEmpty() && !waits) {
            match = Matching.find(claim, volumes.all());
        }
        if (match.isPresent()) {
            binding.bind(claim, match.get());
        } else if (storageClass.isPresent() && (!waits || chosen)) {
            provision(claim, storageClass.get());
        }
    }

    private void provision(KubeObject claim, KubeObject storageClass) {
        String name = storageClass.tree().path("provisioner").asText();
        KubeObject told = tellProvisioner(claim, name);
        if (name.equals(Provisioner.NAME)) {
            provisioner
                    .provision(told, storageClass)
                    .ifPresent(volume -> binding.bind(told, volume));
        }
    }

    /// Names the one who is to make the volume, which may be somebody else.
    private KubeObject tellProvisioner(KubeObject claim, String name) {
        if (name.equals("kubernetes.io/no-provisioner")
                || claim.meta().annotation(PROVISIONER).equals(name)) {
            return claim;
        }
        ObjectNode object = claim.copy();
        Trees.child(Trees.child(object, "metadata"), "annotations")
                .put(PROVISIONER, name)
                .put(OLD_PROVISIONER, name);
        return cluster.update(CLAIMS, object);
    }

    private void reconcileVolume(String key) {
        KubeObject volume = volumes.find(key).orElse(null);
        if (volume == null) {
            return;
        }
        JsonNode reference = volume.spec().path("claimRef");
        if (volume.meta().isDeleting()) {
            if (!volume.status().path("phase").asText().equals("Bound")) {
                cluster.removeFinalizer(VOLUMES, volume.meta(), VOLUME_PROTECTION);
            }
            return;
        }
        String uid = reference.path("uid").asText("");
        if (uid.isEmpty()) {
            binding.phase(volume, "Available");
            return;
        }
        String claimKey =
                Meta.key(reference.path("namespace").asText(), reference.path("name").asText());
        if (isThere(claimKey, uid, reference)) {
            claimLoop.enqueue(claimKey);
            return;
        }
        binding.phase(volume, "Released");
        reclaim(volumes.find(key).orElse(volume));
    }

    private boolean isThere(String key, String uid, JsonNode reference) {
        if (claims.find(key).filter(each -> each.meta().uid().equals(uid)).isPresent()) {
            return true;
        }
        // A volume may be seen before its claim is.
        return cluster.client()
                .find(CLAIMS, reference.path("namespace").asText(), reference.path("name").asText())
                .filter(each -> each.path("metadata").path("uid").asText().equals(uid))
                .isPresent();
    }

    /// Volumes of others are for others to remove.
    private void reclaim(KubeObject volume) {
        boolean delete =
                volume.spec().path("persistentVolumeReclaimPolicy").asText().equals("Delete");
        boolean ours =
                volume.meta().annotation(Provisioner.PROVISIONED_BY).equals(Provisioner.NAME);
        if (delete && ours) {
            cluster.delete(VOLUMES, volume.meta());
        }
    }

    @Override
    public void close() {
        claimLoop.close();
        volumeLoop.close();
    }
}
