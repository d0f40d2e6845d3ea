package io.berth.api.device;

import io.berth.api.amount.Quantity;
import io.berth.api.spec.NodeSelector;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The devices that a claim has got.
///
/// @param nodeSelector where they can be used; null for everywhere
/// @param allocatedAt null where nobody waits for conditions of the devices
public record DeviceAllocation(
        List<Result> results,
        List<Config> config,
        @Nullable NodeSelector nodeSelector,
        @Nullable Instant allocatedAt) {
    public static final String FROM_CLASS = "FromClass";
    public static final String FROM_CLAIM = "FromClaim";

    public DeviceAllocation {
        results = List.copyOf(results);
        config = List.copyOf(config);
    }

    /// The same allocation, made at this time.
    public DeviceAllocation at(Instant time) {
        return new DeviceAllocation(results, config, nodeSelector, time);
    }

    /// One device.
    ///
    /// @param request `request` or `request/subrequest`
    /// @param adminAccess null where the field is absent
    /// @param shareId which share of a device that several claims may have; null for a whole one
    /// @param consumedCapacity how much of the device the share takes
    public record Result(
            String request,
            DeviceId device,
            @Nullable Boolean adminAccess,
            List<DeviceToleration> tolerations,
            List<String> bindingConditions,
            List<String> bindingFailureConditions,
            @Nullable String shareId,
            Map<String, Quantity> consumedCapacity) {
        public Result {
            tolerations = List.copyOf(tolerations);
            bindingConditions = List.copyOf(bindingConditions);
            bindingFailureConditions = List.copyOf(bindingFailureConditions);
            consumedCapacity = Map.copyOf(consumedCapacity);
        }

        /// Whether the device stays free for others.
        public boolean isAdmin() {
            return adminAccess != null && adminAccess;
        }
    }

    /// @param source [#FROM_CLASS] or [#FROM_CLAIM]
    public record Config(String source, List<String> requests, @Nullable OpaqueConfig opaque) {
        public Config {
            requests = List.copyOf(requests);
        }
    }
}
