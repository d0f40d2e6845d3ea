package io.berth.bench.explain;

import io.berth.api.handle.Recorder;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.model.ResourceClaim;
import io.berth.config.EngineSetup;
import io.berth.engine.framework.ProfileSettings;
import io.berth.engine.port.ClusterImage;
import io.berth.plugins.InTree;
import io.berth.testkit.TestScheduler;
import java.time.Duration;
import java.util.Set;

/// A cluster in memory with a scheduler in it and those controllers that volumes need: for finding
/// out what becomes of a pod.
final class Bound {
    private static final int MOST_ROUNDS = 40;

    private final TestScheduler scheduler;
    private final ClusterImage image;
    private final String key;

    /// @param image a cluster with the pod in it
    Bound(EngineSetup setup, ClusterImage image, Pod pod) {
        this.image = image;
        this.key = pod.key();
        this.scheduler =
                TestScheduler.with(
                        InTree.factories(),
                        _ -> setup.settings().awaiting(Set.<Kind>of()),
                        setup.settings().profiles().toArray(ProfileSettings[]::new));
        for (var kind : Kind.values()) {
            if (kind != Kind.POD) {
                image.of(kind).forEach(this::add);
            }
        }
        image.pods().stream().filter(other -> !other.key().equals(key)).forEach(scheduler::create);
        scheduler.create(pod);
        scheduler.settle();
    }

    private void add(ClusterObject object) {
        switch (object) {
            case PersistentVolume volume -> scheduler.cluster().volumes().put(volume);
            case PersistentVolumeClaim claim -> scheduler.cluster().volumes().put(claim);
            case ResourceClaim claim -> scheduler.cluster().devices().put(claim);
            default -> scheduler.add(object);
        }
    }

    /// What users read after the first attempt, if it came to nothing.
    String message() {
        return scheduler.cluster().events().stream()
                .filter(event -> event.reason().equals("FailedScheduling"))
                .filter(event -> event.about().key().equals(key))
                .map(Recorder.Event::note)
                .findFirst()
                .orElse("");
    }

    /// Where the pod is in the end; empty where it never gets a node. Some events wake a pod that
    /// they help no earlier than when it has been parked for five minutes, as upstream has it.
    String node() {
        for (int i = 0; i < MOST_ROUNDS && scheduler.nodeOf(key).isEmpty(); i++) {
            image.of(Kind.PERSISTENT_VOLUME_CLAIM)
                    .forEach(claim -> bindIfChosen((PersistentVolumeClaim) claim));
            scheduler.pass(Duration.ofSeconds(1 + i / 2));
        }
        return scheduler.nodeOf(key);
    }

    /// What the controller for volumes and a provisioner do.
    private void bindIfChosen(PersistentVolumeClaim seen) {
        var volumes = scheduler.cluster().volumes();
        var claim = volumes.claim(seen.key());
        if (claim.isBound()) {
            return;
        }
        for (var object : image.of(Kind.PERSISTENT_VOLUME)) {
            var volume = volumes.volume(object.name());
            var reference = volume.claim();
            if (reference != null
                    && reference.namespace().equals(claim.namespace())
                    && reference.name().equals(claim.name())
                    && reference.uid().equals(claim.uid())
                    && volume.storageClass().equals(claim.storageClass())) {
                volumes.changeClaim(
                        claim.key(), old -> old.toBuilder().boundTo(volume.name()).build());
                return;
            }
        }
        var selected = claim.selectedNode();
        if (selected != null && !selected.isEmpty()) {
            var request = claim.request();
            var made =
                    PersistentVolume.named("made-for-" + claim.name())
                            .uid("made-for-" + claim.name())
                            .storageClass(claim.storageClass())
                            .claim(
                                    new PersistentVolume.ClaimReference(
                                            claim.namespace(), claim.name(), claim.uid()))
                            .phase("Bound");
            volumes.put((request == null ? made : made.capacity(request)).build());
            volumes.changeClaim(
                    claim.key(),
                    old -> old.toBuilder().boundTo("made-for-" + claim.name()).build());
        }
    }
}
