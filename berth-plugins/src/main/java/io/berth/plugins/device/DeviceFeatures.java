package io.berth.plugins.device;

import java.util.function.Predicate;

/// Which features of device allocation are on.
public record DeviceFeatures(
        boolean adminAccess,
        boolean prioritizedList,
        boolean partitionable,
        boolean taints,
        boolean bindingConditions,
        boolean consumableCapacity) {
    /// As v1.36 has them unless told otherwise.
    public static final DeviceFeatures DEFAULT =
            new DeviceFeatures(true, true, true, true, true, true);

    /// @param gates which feature gates are on
    public static DeviceFeatures of(Predicate<String> gates) {
        return new DeviceFeatures(
                gates.test("DRAAdminAccess"),
                gates.test("DRAPrioritizedList"),
                gates.test("DRAPartitionableDevices"),
                gates.test("DRADeviceTaints"),
                gates.test("DRADeviceBindingConditions")
                        && gates.test("DRAResourceClaimDeviceStatus"),
                gates.test("DRAConsumableCapacity"));
    }
}
