package io.berth.sim.device;

import io.berth.api.amount.Quantity;
import io.berth.api.device.CounterSet;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.Reach;
import io.berth.api.model.ResourceSlice;
import io.berth.api.spec.Taint;
import java.util.List;
import java.util.Map;

/// Devices as simulated drivers publish them.
public final class Hardware {
    public static final String GPU = "gpu.sim";
    public static final String PART = "part.sim";
    public static final String NET = "net.sim";

    private static final String MEMORY = "memory";

    private Hardware() {}

    /// A whole device on a board.
    public static Device gpu(String name, String model, long board, List<Taint> taints) {
        return new Device(
                name,
                Map.of(
                        "model",
                        new DeviceAttribute.Text(model),
                        "board",
                        new DeviceAttribute.Int(board)),
                Map.of(),
                List.of(),
                Reach.NOWHERE,
                taints,
                false,
                List.of(),
                List.of(),
                false);
    }

    public static Taint worn(String effect) {
        return new Taint(ClaimShapes.TAINT, "", effect);
    }

    /// What partitions share.
    public static CounterSet memory(int amount) {
        return new CounterSet(MEMORY, Map.of("units", Quantity.of(amount)));
    }

    /// A partition that takes so much of what there is.
    public static Device part(String name, int size) {
        return new Device(
                name,
                Map.of("size", new DeviceAttribute.Int(size)),
                Map.of(),
                List.of(memory(size)),
                Reach.NOWHERE,
                List.of(),
                false,
                List.of(),
                List.of(),
                false);
    }

    /// A device that several claims share.
    public static Device link(String name, int bandwidth) {
        return new Device(
                name,
                Map.of(),
                Map.of(ClaimShapes.BANDWIDTH, new Device.Capacity(Quantity.of(bandwidth), null)),
                List.of(),
                Reach.NOWHERE,
                List.of(),
                false,
                List.of(),
                List.of(),
                true);
    }

    public static ResourceSlice slice(
            String name,
            String driver,
            ResourceSlice.Pool pool,
            Reach reach,
            List<Device> devices,
            List<CounterSet> counters) {
        return new ResourceSlice(name, driver, pool, reach, null, devices, counters);
    }
}
