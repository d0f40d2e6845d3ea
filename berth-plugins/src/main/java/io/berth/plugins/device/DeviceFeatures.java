package io.berth.plugins.device;

import java.util.function.Predicate;

/// Which features of device allocation are on.
///
/// @param taintRules whether operators may add taints to those of the drivers
public record DeviceFeatures(
        boolean adminAccess,
        boolean prioritizedList,
        boolean partitionable,
        boolean taints,
        boolean taintRules,
        boolean bindingConditions,
        boolean consumableCapacity) {
    /// As v1.36 has them unless told otherwise.
    public static final DeviceFeatures DEFAULT =
            new DeviceFeatures(true, true, true, true, false, true, true);

    /// @param gates which feature gates are on
    public static DeviceFeatures of(Predicate<String> gates) {
        return new DeviceFeatures(
                gates.test("DRAAdminAccess"),
                gates.test("DRAPrioritizedList"),
                gates.test("DRAPartitionableDevices"),
                gates.test("DRADeviceTaints"),
                gates.test("DRADeviceTaints") && gates.test("DRADeviceTaintRules"),
                gates.test("DRADeviceBindingConditions")
                        && gates.test("DRAResourceClaimDeviceStatus"),
                gates.test("DRAConsumableCapacity"));
    }
}
