package io.berth.plugins.device;

import io.berth.api.amount.Quantity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A driver's pool, as seen from one node.
///
/// @param invalidReason why its devices cannot be had; null where they can
/// @param slices with devices for the node, by name
/// @param others of this generation whose devices are not for the node, but take of its counters
/// @param counters what its devices share: by set, then name
record Pool(
        PoolId id,
        boolean isIncomplete,
        @Nullable String invalidReason,
        List<SliceView> slices,
        List<SliceView> others,
        Map<String, Map<String, Quantity>> counters) {
    static Pool incomplete(PoolId id) {
        return new Pool(id, true, null, List.of(), List.of(), Map.of());
    }

    static Pool invalid(PoolId id, String reason) {
        return new Pool(id, false, reason, List.of(), List.of(), Map.of());
    }

    boolean isInvalid() {
        return invalidReason != null;
    }

    boolean isUsable() {
        return !isIncomplete && invalidReason == null;
    }

    boolean hasBindingConditions() {
        for (var view : slices) {
            for (var device : view.slice().devices()) {
                if (!device.bindingConditions().isEmpty()) {
                    return true;
                }
            }
        }
        return false;
    }
}
