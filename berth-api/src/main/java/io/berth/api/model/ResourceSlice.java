package io.berth.api.model;

import io.berth.api.device.CounterSet;
import io.berth.api.device.Device;
import io.berth.api.device.Reach;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Some of the devices of a driver's pool, or the counters that its devices share.
///
/// @param nodes where the devices can be used; where `isPerDevice`, each device tells
/// @param isPerDevice null where the field is absent
public record ResourceSlice(
        String name,
        String driver,
        Pool pool,
        Reach nodes,
        @Nullable Boolean isPerDevice,
        List<Device> devices,
        List<CounterSet> sharedCounters)
        implements ClusterObject {
    public ResourceSlice {
        devices = List.copyOf(devices);
        sharedCounters = List.copyOf(sharedCounters);
    }

    /// @param generation slices of an older one than the newest are out of date
    /// @param sliceCount how many slices of this generation there are once all are there
    public record Pool(String name, long generation, long sliceCount) {}

    @Override
    public Kind kind() {
        return Kind.RESOURCE_SLICE;
    }

    @Override
    public String namespace() {
        return "";
    }

    /// Whether each device tells for itself where it can be used.
    public boolean asksDevices() {
        return isPerDevice != null && isPerDevice;
    }
}
