package io.berth.plugins.device;

import io.berth.api.amount.Quantity;
import io.berth.api.device.CounterSet;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceToleration;
import io.berth.api.device.Reach;
import io.berth.api.model.DeviceClass;
import io.berth.api.model.Node;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceSlice;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.Taint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Slices, devices and claims in few words.
final class Devices {
    static final String DRIVER = "drv";

    private Devices() {}

    static Node node(String name) {
        return Node.builder(name).build();
    }

    static DeviceClass deviceClass(String name, String... selectors) {
        return new DeviceClass(name, null, List.of(selectors), List.of(), null);
    }

    /// A device to be described.
    static final class Dev {
        private final String name;
        private final Map<String, DeviceAttribute> attributes = new HashMap<>();
        private final Map<String, Device.Capacity> capacity = new HashMap<>();
        private final List<CounterSet> consumes = new ArrayList<>();
        private final List<Taint> taints = new ArrayList<>();
        private final List<String> conditions = new ArrayList<>();
        private Reach nodes = Reach.NOWHERE;
        private boolean isShareable;
        private boolean bindsToNode;

        private Dev(String name) {
            this.name = name;
        }

        Dev with(String attribute, long value) {
            attributes.put(attribute, new DeviceAttribute.Int(value));
            return this;
        }

        Dev with(String attribute, String value) {
            attributes.put(attribute, new DeviceAttribute.Text(value));
            return this;
        }

        Dev with(String attribute, DeviceAttribute value) {
            attributes.put(attribute, value);
            return this;
        }

        Dev holding(String what, String amount) {
            return holding(what, amount, null);
        }

        Dev holding(String what, String amount, Device.@Nullable Policy policy) {
            capacity.put(what, new Device.Capacity(Quantity.parse(amount), policy));
            return this;
        }

        Dev taking(String set, String counter, long amount) {
            consumes.add(new CounterSet(set, Map.of(counter, Quantity.of(amount))));
            return this;
        }

        Dev tainted(String key, String effect) {
            taints.add(new Taint(key, "v", effect));
            return this;
        }

        Dev awaiting(String condition) {
            conditions.add(condition);
            return this;
        }

        Dev on(String nodeName) {
            nodes = Reach.of(nodeName);
            return this;
        }

        Dev everywhere() {
            nodes = Reach.everywhere();
            return this;
        }

        Dev shared() {
            isShareable = true;
            return this;
        }

        Dev bindingToNode() {
            bindsToNode = true;
            return this;
        }

        Device build() {
            return new Device(
                    name,
                    attributes,
                    capacity,
                    consumes,
                    nodes,
                    taints,
                    bindsToNode,
                    conditions,
                    List.of(),
                    isShareable);
        }
    }

    static Dev dev(String name) {
        return new Dev(name);
    }

    /// A slice to be described; the only one of its pool, on node n1, unless told otherwise.
    static final class Sli {
        private final String name;
        private String driver = DRIVER;
        private ResourceSlice.Pool pool;
        private Reach nodes = Reach.of("n1");
        private @Nullable Boolean isPerDevice;
        private final List<Device> devices = new ArrayList<>();
        private final List<CounterSet> counters = new ArrayList<>();

        private Sli(String name) {
            this.name = name;
            this.pool = new ResourceSlice.Pool(name, 1, 1);
        }

        Sli driver(String newDriver) {
            driver = newDriver;
            return this;
        }

        Sli pool(String poolName, long generation, long count) {
            pool = new ResourceSlice.Pool(poolName, generation, count);
            return this;
        }

        Sli reaching(Reach reach) {
            nodes = reach;
            return this;
        }

        Sli selecting(NodeSelector selector) {
            return reaching(new Reach("", false, selector));
        }

        Sli perDevice() {
            isPerDevice = true;
            return reaching(Reach.NOWHERE);
        }

        Sli of(Dev... all) {
            for (var each : all) {
                devices.add(each.build());
            }
            return this;
        }

        Sli counting(String set, String counter, long amount) {
            counters.add(new CounterSet(set, Map.of(counter, Quantity.of(amount))));
            return this;
        }

        ResourceSlice build() {
            return new ResourceSlice(name, driver, pool, nodes, isPerDevice, devices, counters);
        }
    }

    static Sli slice(String name) {
        return new Sli(name);
    }

    static Ask ask(String name, String deviceClass, long count, String... selectors) {
        return new Ask(
                name,
                deviceClass,
                List.of(selectors),
                Ask.EXACT_COUNT,
                count,
                null,
                List.of(),
                null);
    }

    static Ask all(String name, String deviceClass, String... selectors) {
        return new Ask(name, deviceClass, List.of(selectors), Ask.ALL, 0, null, List.of(), null);
    }

    static Ask admin(Ask ask) {
        return new Ask(
                ask.name(),
                ask.deviceClass(),
                ask.selectors(),
                ask.mode(),
                ask.count(),
                true,
                ask.tolerations(),
                ask.capacity());
    }

    static Ask tolerating(Ask ask, DeviceToleration... tolerations) {
        return new Ask(
                ask.name(),
                ask.deviceClass(),
                ask.selectors(),
                ask.mode(),
                ask.count(),
                ask.adminAccess(),
                List.of(tolerations),
                ask.capacity());
    }

    static Ask taking(Ask ask, String what, String amount) {
        return new Ask(
                ask.name(),
                ask.deviceClass(),
                ask.selectors(),
                ask.mode(),
                ask.count(),
                ask.adminAccess(),
                ask.tolerations(),
                Map.of(what, Quantity.parse(amount)));
    }

    static DeviceClaim.Request exactly(Ask ask) {
        return new DeviceClaim.Request(ask.name(), ask, List.of());
    }

    static DeviceClaim.Request first(String name, Ask... asks) {
        return new DeviceClaim.Request(name, null, List.of(asks));
    }

    static DeviceClaim.Constraint matching(String attribute, String... requests) {
        return new DeviceClaim.Constraint(List.of(requests), attribute, null);
    }

    static DeviceClaim.Constraint distinct(String attribute, String... requests) {
        return new DeviceClaim.Constraint(List.of(requests), null, attribute);
    }

    static ResourceClaim claim(String name, DeviceClaim spec) {
        return new ResourceClaim(
                "ns",
                name,
                name + "-uid",
                "1",
                null,
                false,
                false,
                false,
                spec,
                null,
                List.of(),
                List.of());
    }

    static ResourceClaim claim(String name, DeviceClaim.Request... requests) {
        return claim(name, new DeviceClaim(List.of(requests), List.of(), List.of()));
    }

    static ResourceClaim claim(
            String name,
            List<DeviceClaim.Constraint> constraints,
            DeviceClaim.Request... requests) {
        return claim(name, new DeviceClaim(List.of(requests), constraints, List.of()));
    }
}
