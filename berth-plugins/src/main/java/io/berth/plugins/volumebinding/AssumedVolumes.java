package io.berth.plugins.volumebinding;

import io.berth.api.assume.PassiveAssumeCache;
import io.berth.api.handle.Handle;
import io.berth.api.handle.Lister;
import io.berth.api.handle.StateObserver;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.Kind;
import io.berth.api.model.Node;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.model.Pod;
import io.berth.api.write.Written;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Volumes and claims as they will be once what was decided is written (rule E-37). All profiles of
/// a scheduler share them, so that no two pods get one volume. Owned by the engine thread.
final class AssumedVolumes implements StateObserver {
    private final Lister<PersistentVolume> seenVolumes;
    private final Lister.Index<PersistentVolume> keptByClaim;
    private final FreeVolumes free;
    private final PassiveAssumeCache<PersistentVolume> volumes;
    private final PassiveAssumeCache<PersistentVolumeClaim> claims;

    private AssumedVolumes(Handle handle) {
        var listers = handle.listers();
        this.seenVolumes = listers.of(Kind.PERSISTENT_VOLUME, PersistentVolume.class);
        this.keptByClaim = seenVolumes.index(AssumedVolumes::claimOf);
        this.free = new FreeVolumes(handle.columns());
        this.volumes =
                new PassiveAssumeCache<>(
                        "persistentvolumes", seenVolumes, PersistentVolume::resourceVersion);
        this.claims =
                new PassiveAssumeCache<>(
                        "persistentvolumeclaims",
                        listers.of(Kind.PERSISTENT_VOLUME_CLAIM, PersistentVolumeClaim.class),
                        PersistentVolumeClaim::resourceVersion);
    }

    private static @Nullable String claimOf(PersistentVolume volume) {
        var claim = volume.claim();
        return claim == null ? null : claim.namespace() + "/" + claim.name();
    }

    static AssumedVolumes of(Handle handle) {
        return handle.shared(
                AssumedVolumes.class,
                () -> {
                    var made = new AssumedVolumes(handle);
                    handle.observe(made);
                    return made;
                });
    }

    @Nullable PersistentVolume volume(String name) {
        return volumes.find("", name);
    }

    @Nullable PersistentVolumeClaim claim(String namespace, String name) {
        return claims.find(namespace, name);
    }

    /// The volumes of a class that nobody has claimed, nor is to get. Null where there are none.
    FreeVolumes.@Nullable OfClass free(String storageClass) {
        return free.ofClass(storageClass);
    }

    /// The volumes of a claim's class that are kept for it, or will be.
    void forEachKept(PersistentVolumeClaim claim, Consumer<PersistentVolume> consumer) {
        for (var seen : keptByClaim.of(claim.key())) {
            var volume = asAssumed(seen);
            if (isKept(volume, claim)) {
                consumer.accept(volume);
            }
        }
        for (var changed : volumes.assumed()) {
            if (isKept(changed, claim)) {
                var seen = seenVolumes.get(changed.name());
                // What is promised, and not kept as last seen.
                if (seen != null && seen.claim() == null && isKept(asAssumed(seen), claim)) {
                    consumer.accept(changed);
                }
            }
        }
    }

    private static boolean isKept(PersistentVolume volume, PersistentVolumeClaim claim) {
        return Candidates.isKeptFor(volume, claim)
                && volume.storageClass().equals(claim.storageClass());
    }

    private PersistentVolume asAssumed(PersistentVolume seen) {
        return volumes.overlaid(seen);
    }

    void assume(PersistentVolume volume) {
        volumes.assume(volume);
        free.change(seenVolumes.get(volume.name()), volume);
    }

    void assume(PersistentVolumeClaim claim) {
        claims.assume(claim);
    }

    void restore(PersistentVolume volume) {
        volumes.restore(volume.key(), volume.resourceVersion());
        offer(volume.name());
    }

    void restore(PersistentVolumeClaim claim) {
        claims.restore(claim.key(), claim.resourceVersion());
    }

    /// Something was written. What that changed stays assumed until it is seen; a write that
    /// changed nothing, as one for a volume that was kept for the claim before, is never seen.
    void settle(Written written) {
        if (written.kind() == Kind.PERSISTENT_VOLUME) {
            volumes.restore(written.key(), written.resourceVersion());
            offer(written.key());
        } else {
            claims.restore(written.key(), written.resourceVersion());
        }
    }

    /// Has a volume among the free ones again, where it is free now.
    private void offer(String name) {
        var seen = seenVolumes.get(name);
        free.change(null, seen == null ? null : asAssumed(seen));
    }

    /// How many objects are changed in thought.
    int count() {
        return volumes.assumedCount() + claims.assumedCount();
    }

    @Override
    public void podAdded(Pod pod, int slot) {}

    @Override
    public void podRemoved(Pod pod, int slot) {}

    @Override
    public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {}

    @Override
    public void objectChanged(@Nullable ClusterObject before, @Nullable ClusterObject after) {
        switch (after == null ? before : after) {
            case PersistentVolume volume -> {
                volumes.seen(volume);
                free.change(
                        before instanceof PersistentVolume old ? old : null,
                        after instanceof PersistentVolume now ? asAssumed(now) : null);
            }
            case PersistentVolumeClaim claim -> claims.seen(claim);
            case null, default -> {}
        }
    }
}
