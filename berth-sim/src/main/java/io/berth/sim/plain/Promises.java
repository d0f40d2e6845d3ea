package io.berth.sim.plain;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.write.Write;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Volumes and claims as they will be once what was decided for pods is written (E-37), by what a
/// plain reading would have decided. A promise holds as long as its object is seen in the version
/// that it was made from.
///
/// Pods that share a claim are promised the same thing. The first of them that comes back without
/// having written it takes it back for all (VB-18): nobody counts who else relies on it, and the
/// server refuses whoever is late.
public final class Promises {
    private final ClaimView claims;
    private final Map<String, Promise> promises = new HashMap<>();

    /// By the pod's uid, then by the object's key.
    private final Map<String, Map<String, Promise>> byPod = new HashMap<>();

    /// Objects in versions of which nobody can say whose promise was written.
    private final Set<String> doubtful = new HashSet<>();

    private static final class Promise {
        final String version;
        final ClusterObject object;
        boolean isWritten;

        Promise(String version, ClusterObject object) {
            this.version = version;
            this.object = object;
        }

        boolean isFor(String seenVersion) {
            return version.equals(seenVersion);
        }
    }

    /// @param claims what is promised of devices
    public Promises(ClaimView claims) {
        this.claims = claims;
    }

    /// Of volumes alone.
    public Promises() {
        this(ClaimView.NONE);
    }

    ClaimView claims() {
        return claims;
    }

    void promise(String podUid, PersistentVolume volume) {
        note(podUid, new Promise(volume.resourceVersion(), volume));
    }

    void promise(String podUid, PersistentVolumeClaim claim) {
        note(podUid, new Promise(claim.resourceVersion(), claim));
    }

    private void note(String podUid, Promise promise) {
        promises.put(promise.object.key(), promise);
        byPod.computeIfAbsent(podUid, _ -> new HashMap<>()).put(promise.object.key(), promise);
    }

    PersistentVolume asPromised(PersistentVolume seen) {
        var promise = promises.get(seen.key());
        return promise != null
                        && promise.isFor(seen.resourceVersion())
                        && promise.object instanceof PersistentVolume volume
                ? volume
                : seen;
    }

    PersistentVolumeClaim asPromised(PersistentVolumeClaim seen) {
        var promise = promises.get(seen.key());
        return promise != null
                        && promise.isFor(seen.resourceVersion())
                        && promise.object instanceof PersistentVolumeClaim claim
                ? claim
                : seen;
    }

    /// Something that was promised is written.
    ///
    /// @param podUids for whom it may have been
    public void written(Collection<String> podUids, Write write) {
        if (write instanceof Write.ReserveVolume(var volume, _, _)) {
            written(podUids, volume.key(), volume.resourceVersion());
        } else if (write instanceof Write.SelectNode(var claim, _)) {
            written(podUids, claim.key(), claim.resourceVersion());
        }
    }

    private void written(Collection<String> podUids, String key, String version) {
        var possible =
                podUids.stream()
                        .map(uid -> byPod.getOrDefault(uid, Map.of()).get(key))
                        .filter(promise -> promise != null && promise.isFor(version))
                        .toList();
        if (possible.size() == 1) {
            possible.getFirst().isWritten = true;
        } else {
            doubtful.add(mark(key, version));
        }
    }

    /// Whether nobody can say if the object is promised.
    boolean isDoubtful(String key, String version) {
        return doubtful.contains(mark(key, version));
    }

    /// The pod's place is given back, and with it what is not written.
    public void takeBack(String podUid) {
        var own = byPod.remove(podUid);
        if (own == null) {
            return;
        }
        own.forEach((key, promise) -> {
            var last = promises.get(key);
            if (!promise.isWritten && last != null && last.isFor(promise.version)) {
                promises.remove(key);
            }
        });
    }

    /// The volume that was promised to a claim for a pod; null where none was.
    public @Nullable String volumeFor(String podUid, PersistentVolumeClaim claim) {
        for (var promise : byPod.getOrDefault(podUid, Map.of()).values()) {
            if (promise.object instanceof PersistentVolume volume
                    && PlainBinding.isKeptFor(volume, claim)) {
                return volume.name();
            }
        }
        return null;
    }

    /// Whether anything is promised to anybody.
    public boolean areAny() {
        return !promises.isEmpty();
    }

    /// All is over.
    public void clear() {
        promises.clear();
        byPod.clear();
        doubtful.clear();
    }

    private static String mark(String key, String version) {
        return key + "@" + version;
    }
}
