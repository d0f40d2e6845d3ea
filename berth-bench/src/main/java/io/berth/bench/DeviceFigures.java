package io.berth.bench;

import io.berth.api.device.Device;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.DeviceAttribute.Int;
import io.berth.api.device.DeviceAttribute.Text;
import io.berth.api.device.DeviceAttribute.Version;
import io.berth.api.spec.PodSpec;
import io.berth.engine.framework.ProfileSettings;
import io.berth.plugins.InTree;
import io.berth.testkit.TestScheduler;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Prints how much heap devices take in the engine, objects included: sixteen on a node, with ten
/// attributes each. No text is shared between two devices, as if each had been read by itself.
///
/// Usage: `DeviceFigures [nodes]`
public final class DeviceFigures {
    private static final int DEVICES = 16;
    private static final int ATTRIBUTES = 10;

    private DeviceFigures() {}

    public static void main(String[] args) {
        int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 5_000;
        var scheduler =
                TestScheduler.with(
                        InTree.factories(),
                        settings -> settings.withFeatures(Set.of("DynamicResourceAllocation")),
                        ProfileSettings.of(PodSpec.DEFAULT_SCHEDULER, InTree.defaults()));
        for (int i = 0; i < nodes; i++) {
            scheduler.add(LargeCluster.node(i));
            scheduler.settle();
        }
        long before = usedBytes();
        for (int i = 0; i < nodes; i++) {
            scheduler.add(DeviceScenarios.slice("node-" + i, devices(i)));
            scheduler.settle();
        }
        long more = usedBytes() - before;
        System.out.printf(
                Locale.ROOT,
                "%d nodes with %d devices each, of %d attributes: %.1f MiB more, %d bytes a device%n",
                nodes,
                DEVICES,
                ATTRIBUTES,
                more / 1048576.0,
                more / ((long) nodes * DEVICES));
    }

    private static List<Device> devices(int node) {
        var devices = new ArrayList<Device>();
        for (int i = 0; i < DEVICES; i++) {
            devices.add(Device.of("gpu-" + i, attributes(node, i)));
        }
        return devices;
    }

    private static Map<String, DeviceAttribute> attributes(int node, int i) {
        Map<String, DeviceAttribute> attributes =
                Map.of(
                        own("uuid"),
                                new Text("GPU-%08x-%04x-4e0b-9d5c-a1b2c3d4e5f6".formatted(node, i)),
                        own("productName"), new Text(own("Example H100 80GB HBM3")),
                        own("brand"), new Text(own("Example")),
                        own("architecture"), new Text(own("Hopper")),
                        own("pcieRoot"), new Text("pci0000:%02x".formatted(i)),
                        own("driverVersion"), new Version(own("550.54.15")),
                        own("cudaDriverVersion"), new Version(own("12.4.0")),
                        own("cudaComputeCapability"), new Version(own("9.0.0")),
                        own("index"), new Int(i),
                        own("numa"), new Int(i / (DEVICES / 2)));
        if (attributes.size() != ATTRIBUTES) {
            throw new IllegalStateException(attributes.size() + " attributes");
        }
        return attributes;
    }

    /// A text that nobody else has.
    private static String own(String text) {
        return String.valueOf(text.toCharArray());
    }

    private static long usedBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
