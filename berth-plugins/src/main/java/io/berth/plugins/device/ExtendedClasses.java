package io.berth.plugins.device;

import io.berth.api.amount.ResourceName;
import io.berth.api.handle.Handle;
import io.berth.api.handle.StateObserver;
import io.berth.api.model.ClusterObject;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Node;
import io.berth.api.model.Pod;
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
/// Owned by the engine thread; one for all profiles.
public final class ExtendedClasses implements StateObserver {
    /// The feature gate that has devices stand for extended resources.
    public static final String GATE = "DRAExtendedResource";

    /// Every class has a resource of its own, under this and its name.
    public static final String PREFIX = "deviceclass.resource.kubernetes.io/";

    private static final Comparator<DeviceClass> BEST_FIRST =
            Comparator.comparing(ExtendedClasses::madeAt)
                    .reversed()
                    .thenComparing(DeviceClass::name);

    private final Map<String, List<DeviceClass>> byResource = new HashMap<>();

    private Runnable whenChanged = () -> {};

    /// Null where devices stand for no resources at all.
    public static @Nullable ExtendedClasses of(Handle handle) {
        return handle.isFeatureOn(GATE)
                ? handle.shared(
                        ExtendedClasses.class,
                        () -> {
                            var made = new ExtendedClasses();
                            handle.observe(made);
                            // What was judged before may have hung on who stands for what.
                            made.whenChanged = handle::staleSlots;
                            return made;
                        })
                : null;
    }

    /// Whether a class may stand for a resource of this name (contract rule H-2).
    public static boolean isPossible(String resource) {
        return ResourceName.isExtended(resource) || resource.startsWith(PREFIX);
    }

    private static Instant madeAt(DeviceClass deviceClass) {
        return Objects.requireNonNullElse(deviceClass.createdAt(), Instant.MIN);
    }

    @Override
    public void podAdded(Pod pod, int slot) {
        // Classes do not follow from pods.
    }

    @Override
    public void podRemoved(Pod pod, int slot) {
        // Classes do not follow from pods.
    }

    @Override
    public void nodeChanged(int slot, @Nullable Node before, @Nullable Node after) {
        // Classes do not follow from nodes.
    }

    @Override
    public void objectChanged(@Nullable ClusterObject before, @Nullable ClusterObject after) {
        if ((after == null ? before : after) instanceof DeviceClass) {
            changed((DeviceClass) before, (DeviceClass) after);
            whenChanged.run();
        }
    }

    /// A class came (before is null), changed, or went (after is null).
    public void changed(@Nullable DeviceClass before, @Nullable DeviceClass after) {
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
    public @Nullable DeviceClass of(String resource) {
        var all = byResource.get(resource);
        return all == null ? null : all.getFirst();
    }
}
