package io.berth.sim.plain;

import io.berth.api.model.ClusterObject;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.api.write.Write;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Volumes and claims as they will be once what was decided for pods is written (E-37), by what a
/// plain reading would have decided. A promise holds as long as its object is seen in the version
/// that it was made from.
public final class Promises {
    private final Map<String, Promise> promises = new HashMap<>();

    /// What was carried out, by the object's kind, key and version.
    private final Set<String> written = new HashSet<>();

    private record Promise(String podUid, String version, ClusterObject object) {}

    void promise(String podUid, PersistentVolume volume) {
        promises.put(volume.name(), new Promise(podUid, volume.resourceVersion(), volume));
    }

    void promise(String podUid, PersistentVolumeClaim claim) {
        promises.put(claim.key(), new Promise(podUid, claim.resourceVersion(), claim));
    }

    PersistentVolume asPromised(PersistentVolume seen) {
        var promise = promises.get(seen.name());
        return promise != null
                        && promise.version.equals(seen.resourceVersion())
                        && promise.object instanceof PersistentVolume volume
                ? volume
                : seen;
    }

    PersistentVolumeClaim asPromised(PersistentVolumeClaim seen) {
        var promise = promises.get(seen.key());
        return promise != null
                        && promise.version.equals(seen.resourceVersion())
                        && promise.object instanceof PersistentVolumeClaim claim
                ? claim
                : seen;
    }

    /// Something that was promised is written.
    public void written(Write write) {
        if (write instanceof Write.ReserveVolume(var volume, _, _)) {
            written.add(mark(volume.key(), volume.resourceVersion()));
        } else if (write instanceof Write.SelectNode(var claim, _)) {
            written.add(mark(claim.key(), claim.resourceVersion()));
        }
    }

    /// The pod's place is given back, and with it what is not written.
    public void takeBack(String podUid) {
        promises.entrySet()
                .removeIf(entry ->
                        entry.getValue().podUid.equals(podUid)
                                && !written.contains(
                                        mark(entry.getKey(), entry.getValue().version)));
    }

    /// The volume that was promised to a claim for a pod; null where none was.
    public @Nullable String volumeFor(String podUid, PersistentVolumeClaim claim) {
        for (var promise : promises.values()) {
            if (promise.podUid.equals(podUid)
                    && promise.object instanceof PersistentVolume volume
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
        written.clear();
    }

    private static String mark(String key, String version) {
        return key + "@" + version;
    }
}
