package io.berth.testkit;

import io.berth.api.handle.ClusterException;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.write.Write;
import io.berth.engine.port.ClusterFeed;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The volumes and claims of an [InMemoryCluster]. Nobody makes or binds volumes here: the test
/// does, by changing what there is.
public final class InMemoryVolumes {
    private final Map<String, PersistentVolume> volumes = new LinkedHashMap<>();
    private final Map<String, PersistentVolumeClaim> claims = new LinkedHashMap<>();

    /// The volume that was last kept for a claim, by the claim's key.
    private final Map<String, String> kept = new HashMap<>();

    private final Supplier<String> revision;
    private final Consumer<Consumer<ClusterFeed>> feed;
    private @Nullable ClusterException failure;
    private boolean isCarriedOut;

    InMemoryVolumes(Supplier<String> revision, Consumer<Consumer<ClusterFeed>> feed) {
        this.revision = revision;
        this.feed = feed;
    }

    /// Creates or replaces a volume.
    public PersistentVolume put(PersistentVolume volume) {
        var stored = volume.toBuilder().resourceVersion(revision.get()).build();
        volumes.put(stored.name(), stored);
        tell(stored);
        return stored;
    }

    /// Creates or replaces a claim.
    public PersistentVolumeClaim put(PersistentVolumeClaim claim) {
        var stored = claim.toBuilder().resourceVersion(revision.get()).build();
        claims.put(stored.key(), stored);
        tell(stored);
        return stored;
    }

    public PersistentVolume volume(String name) {
        return found(volumes.get(name), "persistentvolumes", name);
    }

    public PersistentVolumeClaim claim(String key) {
        return found(claims.get(key), "persistentvolumeclaims", key);
    }

    /// The volume that a scheduler has kept for a claim last; null where there is none.
    public @Nullable String keptFor(String claim) {
        return kept.get(claim);
    }

    public void changeVolume(String name, UnaryOperator<PersistentVolume> change) {
        put(change.apply(volume(name)));
    }

    public void changeClaim(String key, UnaryOperator<PersistentVolumeClaim> change) {
        put(change.apply(claim(key)));
    }

    public void removeVolume(String name) {
        volumes.remove(name);
        feed.accept(feed -> feed.gone(Kind.PERSISTENT_VOLUME, "", name));
    }

    public void removeClaim(PersistentVolumeClaim claim) {
        claims.remove(claim.key());
        feed.accept(
                feed -> feed.gone(Kind.PERSISTENT_VOLUME_CLAIM, claim.namespace(), claim.name()));
    }

    /// The next write fails with this.
    ///
    /// @param carriedOut whether the server does it all the same: the answer is lost
    public void failNext(ClusterException with, boolean carriedOut) {
        failure = with;
        isCarriedOut = carriedOut;
    }

    private void tell(ClusterObject object) {
        feed.accept(feed -> feed.seen(object));
    }

    private static <T> T found(@Nullable T object, String resource, String name) {
        if (object == null) {
            throw new ClusterException(
                    ClusterException.Kind.NOT_FOUND, resource + " \"" + name + "\" not found");
        }
        return object;
    }

    /// @return the new version
    String reserve(Write.ReserveVolume write) {
        return attempt(() -> {
            var volume = volume(write.volume().name());
            requireSame(volume.resourceVersion(), write.volume().resourceVersion(), volume.name());
            var claim = write.claim();
            var reference =
                    new PersistentVolume.ClaimReference(
                            claim.namespace(), claim.name(), claim.uid());
            var changed = volume.toBuilder().claim(reference).build();
            kept.put(claim.key(), volume.name());
            return changed.equals(volume)
                    ? volume.resourceVersion()
                    : put(changed).resourceVersion();
        });
    }

    /// @return the new version; the old one where that changes nothing
    String select(Write.SelectNode write) {
        return attempt(() -> {
            var claim = claim(write.claim().key());
            requireSame(claim.resourceVersion(), write.claim().resourceVersion(), claim.name());
            var changed = claim.toBuilder().selectedNode(write.node()).build();
            return changed.equals(claim) ? claim.resourceVersion() : put(changed).resourceVersion();
        });
    }

    private String attempt(Supplier<String> write) {
        var planned = failure;
        failure = null;
        if (planned == null) {
            return write.get();
        }
        if (isCarriedOut) {
            var _ = write.get();
        }
        throw planned;
    }

    private static void requireSame(String stored, String written, String name) {
        if (!stored.equals(written)) {
            throw new ClusterException(
                    ClusterException.Kind.CONFLICT,
                    "Operation cannot be fulfilled on \"%s\": the object has been modified"
                            .formatted(name));
        }
    }
}
