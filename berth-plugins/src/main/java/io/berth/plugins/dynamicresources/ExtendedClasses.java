package io.berth.plugins.dynamicresources;

import io.berth.api.model.DeviceClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Which device class stands for an extended resource (contract rule DR-60). Of several that name
/// the same resource the newest does, and of those made at the same moment the first by name.
///
/// Owned by the engine thread.
final class ExtendedClasses {
    /// Every class has a resource of its own, under this and its name.
    static final String PREFIX = "deviceclass.resource.kubernetes.io/";

    private static final Comparator<DeviceClass> BEST_FIRST =
            Comparator.comparing(ExtendedClasses::madeAt)
                    .reversed()
                    .thenComparing(DeviceClass::name);

    private final Map<String, List<DeviceClass>> byResource = new HashMap<>();

    private static Instant madeAt(DeviceClass deviceClass) {
        return Objects.requireNonNullElse(deviceClass.createdAt(), Instant.MIN);
    }

    /// A class came (before is null), changed, or went (after is null).
    void changed(@Nullable DeviceClass before, @Nullable DeviceClass after) {
        if (before != null) {
            remove(PREFIX + before.name(), before);
            remove(before.extendedResourceName(), before);
        }
        if (after != null) {
            add(PREFIX + after.name(), after);
            add(after.extendedResourceName(), after);
        }
    }

    private void add(@Nullable String resource, DeviceClass deviceClass) {
        if (resource != null) {
            var all = byResource.computeIfAbsent(resource, _ -> new ArrayList<>(1));
            all.add(deviceClass);
            all.sort(BEST_FIRST);
        }
    }

    private void remove(@Nullable String resource, DeviceClass deviceClass) {
        var all = resource == null ? null : byResource.get(resource);
        if (all != null) {
            all.removeIf(each -> each.name().equals(deviceClass.name()));
            if (all.isEmpty()) {
                byResource.remove(resource);
            }
        }
    }

    /// Null where no class stands for the resource.
    @Nullable DeviceClass of(String resource) {
        var all = byResource.get(resource);
        return all == null ? null : all.getFirst();
    }
}
