package io.berth.api.model;

import io.berth.api.device.OpaqueConfig;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A sort of devices that requests name.
///
/// @param selectors CEL expressions; empty for a selector of a future version
/// @param config settings for every device that is asked for by this class.
/// @param extendedResourceName the extended resource that devices of this class stand for; null
///   where none
public record DeviceClass(
        String name,
        @Nullable Instant createdAt,
        List<String> selectors,
        List<OpaqueConfig> config,
        @Nullable String extendedResourceName)
        implements ClusterObject {
    public DeviceClass {
        selectors = List.copyOf(selectors);
        config = List.copyOf(config);
    }

    @Override
    public Kind kind() {
        return Kind.DEVICE_CLASS;
    }

    @Override
    public String namespace() {
        return "";
    }
}
