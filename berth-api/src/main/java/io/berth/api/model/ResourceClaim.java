package io.berth.api.model;

import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A wish for devices that pods refer to, and what has become of it.
///
/// @param controller who it was made for; null where nobody
/// @param isTerminating whether it is being deleted
/// @param isProtected whether the finalizer stands in it that keeps it while it has devices
/// @param isForExtendedResources whether a scheduler made it for a pod that asks for devices as
///   extended resources
/// @param allocation null while it has no devices
/// @param reservedFor who may use the devices
/// @param devices what drivers tell of them
public record ResourceClaim(
        String namespace,
        String name,
        String uid,
        String resourceVersion,
        @Nullable Owner controller,
        boolean isTerminating,
        boolean isProtected,
        boolean isForExtendedResources,
        DeviceClaim spec,
        @Nullable DeviceAllocation allocation,
        List<Consumer> reservedFor,
        List<DeviceStatus> devices)
        implements ClusterObject {
    public static final String FINALIZER = "resource.kubernetes.io/delete-protection";
    public static final String EXTENDED_ANNOTATION =
            "resource.kubernetes.io/extended-resource-claim";

    public ResourceClaim {
        reservedFor = List.copyOf(reservedFor);
        devices = List.copyOf(devices);
    }

    /// An object that uses a claim; for pods group is empty and resource `pods`.
    public record Consumer(String group, String resource, String name, String uid) {
        public static Consumer of(Pod pod) {
            return new Consumer("", "pods", pod.name(), pod.uid());
        }
    }

    /// @param shareId null for a whole device
    public record DeviceStatus(
            DeviceId device, @Nullable String shareId, List<Condition> conditions) {
        public DeviceStatus {
            conditions = List.copyOf(conditions);
        }
    }

    public record Condition(String type, String status, String reason, String message) {
        public boolean isTrue() {
            return status.equals("True");
        }
    }

    @Override
    public Kind kind() {
        return Kind.RESOURCE_CLAIM;
    }

    public boolean isReservedFor(Pod pod) {
        for (var consumer : reservedFor) {
            if (consumer.uid().equals(pod.uid())) {
                return true;
            }
        }
        return false;
    }

    /// The same claim in another version.
    public ResourceClaim at(String newVersion) {
        return new ResourceClaim(
                namespace,
                name,
                uid,
                newVersion,
                controller,
                isTerminating,
                isProtected,
                isForExtendedResources,
                spec,
                allocation,
                reservedFor,
                devices);
    }

    /// The same claim, marked to stay.
    public ResourceClaim asProtected() {
        return new ResourceClaim(
                namespace,
                name,
                uid,
                resourceVersion,
                controller,
                isTerminating,
                true,
                isForExtendedResources,
                spec,
                allocation,
                reservedFor,
                devices);
    }

    /// The same claim with another status.
    public ResourceClaim with(
            @Nullable DeviceAllocation newAllocation,
            List<Consumer> newReservedFor,
            List<DeviceStatus> newDevices) {
        return new ResourceClaim(
                namespace,
                name,
                uid,
                resourceVersion,
                controller,
                isTerminating,
                isProtected || newAllocation != null,
                isForExtendedResources,
                spec,
                newAllocation,
                newReservedFor,
                newDevices);
    }
}
