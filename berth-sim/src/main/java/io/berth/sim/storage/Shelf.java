package io.berth.sim.storage;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.StorageClass;
import io.berth.sim.cluster.ApiServer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What there is of storage in truth.
final class Shelf {
    private final ApiServer server;

    Shelf(ApiServer server) {
        this.server = server;
    }

    List<PersistentVolume> volumes() {
        return all(Kind.PERSISTENT_VOLUME, PersistentVolume.class);
    }

    List<PersistentVolumeClaim> claims() {
        return all(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class);
    }

    private <T extends ClusterObject> List<T> all(Kind kind, Class<T> type) {
        return server.list(kind).stream().map(stored -> type.cast(stored.object())).toList();
    }

    @Nullable PersistentVolume volume(String name) {
        return find(Kind.PERSISTENT_VOLUME, name, PersistentVolume.class);
    }

    @Nullable PersistentVolumeClaim claim(String namespace, String name) {
        return find(
                Kind.PERSISTENT_VOLUME_CLAIM, namespace + "/" + name, PersistentVolumeClaim.class);
    }

    @Nullable StorageClass classOf(PersistentVolumeClaim claim) {
        return find(Kind.STORAGE_CLASS, claim.storageClass(), StorageClass.class);
    }

    private <T extends ClusterObject> @Nullable T find(Kind kind, String key, Class<T> type) {
        var stored = server.find(kind, key);
        return stored == null ? null : type.cast(stored.object());
    }

    /// The volume that is kept for a claim; null where none is.
    @Nullable PersistentVolume keptFor(PersistentVolumeClaim claim) {
        return volumes().stream()
                .filter(volume -> isKeptFor(volume, claim))
                .findFirst()
                .orElse(null);
    }

    static boolean isKeptFor(PersistentVolume volume, PersistentVolumeClaim claim) {
        var reference = volume.claim();
        return reference != null
                && reference.namespace().equals(claim.namespace())
                && reference.name().equals(claim.name())
                && (reference.uid().isEmpty() || reference.uid().equals(claim.uid()));
    }
}
