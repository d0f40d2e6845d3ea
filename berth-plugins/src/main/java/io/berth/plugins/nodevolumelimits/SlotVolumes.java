package io.berth.plugins.nodevolumelimits;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/// The volumes on one node: those of its pods, each with the number of mounts, and those that are
/// attached to it. Tells by how much the number of a driver's volumes changes.
final class SlotVolumes {
    private final Map<AttachedVolume, Integer> mounts = new HashMap<>();
    private final Set<AttachedVolume> attachments = new HashSet<>();

    /// Why the volumes of a pod here cannot be told; null where they can.
    @Nullable String problem;

    void mount(AttachedVolume volume, ObjIntConsumer<AttachedVolume> told) {
        if (mounts.merge(volume, 1, Integer::sum) == 1) {
            told.accept(volume, 1);
        }
    }

    /// @return false where it was not known to be mounted
    boolean unmount(AttachedVolume volume, ObjIntConsumer<AttachedVolume> told) {
        var count = mounts.get(volume);
        if (count == null) {
            return false;
        }
        if (count == 1) {
            mounts.remove(volume);
            told.accept(volume, -1);
        } else {
            mounts.put(volume, count - 1);
        }
        return true;
    }

    void attach(AttachedVolume volume) {
        attachments.add(volume);
    }

    boolean isMounted(AttachedVolume volume) {
        return mounts.containsKey(volume);
    }

    boolean isAttached(AttachedVolume volume) {
        return attachments.contains(volume);
    }

    Set<AttachedVolume> mounted() {
        return mounts.keySet();
    }

    Set<AttachedVolume> attached() {
        return attachments;
    }

    /// How many volumes of a driver there are, each counted once.
    int count(String driver) {
        int count = 0;
        for (var volume : mounts.keySet()) {
            count += volume.driver().equals(driver) ? 1 : 0;
        }
        for (var volume : attachments) {
            count += volume.driver().equals(driver) && !mounts.containsKey(volume) ? 1 : 0;
        }
        return count;
    }
}
