package io.berth.plugins.volumebinding;

import io.berth.api.model.CsiStorageCapacity;
import io.berth.api.model.PersistentVolume;
import io.berth.api.model.PersistentVolumeClaim;
import io.berth.plugins.noderesources.BrokenLinear;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How much of the storage of each class a pod would use on a node, and the score for it (VB-14).
final class StorageUse {
    private final BrokenLinear function;
    private final Map<String, Sum> byClass = new LinkedHashMap<>();

    private static final class Sum {
        long requested;
        long capacity;
    }

    StorageUse(BrokenLinear function) {
        this.function = function;
    }

    void clear() {
        byClass.clear();
    }

    void addVolume(PersistentVolume volume, PersistentVolumeClaim claim) {
        var sum = of(volume.storageClass());
        sum.requested += bytes(claim);
        sum.capacity += volume.capacity().value();
    }

    /// @param capacity the room for it; null where that does not matter
    void addProvision(PersistentVolumeClaim claim, @Nullable CsiStorageCapacity capacity) {
        if (capacity == null) {
            return;
        }
        var sum = of(claim.storageClass());
        sum.requested += bytes(claim);
        var room = capacity.capacity();
        sum.capacity = room == null ? 0 : room.value();
    }

    private Sum of(String storageClass) {
        return byClass.computeIfAbsent(storageClass, key -> new Sum());
    }

    private static long bytes(PersistentVolumeClaim claim) {
        var request = claim.request();
        return request == null ? 0 : request.value();
    }

    long score() {
        if (byClass.isEmpty()) {
            return 0;
        }
        long sum = 0;
        for (var use : byClass.values()) {
            boolean isFull = use.capacity == 0 || use.requested > use.capacity;
            sum += function.at(isFull ? 100 : use.requested * 100 / use.capacity);
        }
        return Math.round((double) sum / byClass.size());
    }
}
