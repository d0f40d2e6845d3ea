package io.berth.sim.storage;

import io.berth.api.amount.Quantity;
import io.berth.api.model.AccessMode;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.spec.Volume;
import io.berth.sim.cluster.ApiServer;
import java.util.HashSet;
import java.util.function.Consumer;

/// Makes the claims that pods have for themselves alone, and takes away those whose pods are gone,
/// or that are to be deleted once no pod uses them.
final class PodClaims {
    private final ApiServer server;
    private final Shelf shelf;
    private final Consumer<String> story;

    PodClaims(ApiServer server, Shelf shelf, Consumer<String> story) {
        this.server = server;
        this.shelf = shelf;
        this.story = story;
    }

    void look() {
        var living = new HashSet<String>();
        for (var stored : server.list(Kind.POD)) {
            living.add(stored.uid());
        }
        for (var claim : shelf.claims()) {
            if (!claim.controllerUid().isEmpty() && !living.contains(claim.controllerUid())) {
                remove(claim);
            }
        }
        for (var pod : server.pods()) {
            for (var volume : pod.spec().volumes()) {
                if (volume.source() instanceof Volume.Ephemeral && !pod.isTerminating()) {
                    make(pod, volume);
                }
            }
        }
    }

    /// The name of the volume is that of the class.
    private void make(Pod pod, Volume volume) {
        var name = pod.name() + "-" + volume.name();
        if (shelf.claim(pod.namespace(), name) == null) {
            story.accept("+ claim " + name);
            server.put(
                    PersistentVolumeClaim.named(pod.namespace(), name)
                            .uid(server.newUid())
                            .storageClass(volume.name())
                            .accessModes(AccessMode.READ_WRITE_ONCE)
                            .request(Quantity.of(1))
                            .controllerUid(pod.uid())
                            .phase("Pending")
                            .build());
        }
    }

    /// Whether a pod names the claim.
    boolean isUsed(PersistentVolumeClaim claim) {
        return server.pods().stream()
                .filter(pod -> pod.namespace().equals(claim.namespace()))
                .flatMap(pod -> pod.spec().volumes().stream())
                .anyMatch(volume ->
                        volume.source() instanceof Volume.Claim(String name, _)
                                && name.equals(claim.name()));
    }

    void remove(PersistentVolumeClaim claim) {
        story.accept("- claim " + claim.name());
        server.remove(Kind.PERSISTENT_VOLUME_CLAIM, claim.key());
    }
}
