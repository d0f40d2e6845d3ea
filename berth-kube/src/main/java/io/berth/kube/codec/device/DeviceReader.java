package io.berth.kube.codec.device;

import io.berth.api.amount.Quantity;
import io.berth.api.device.CounterSet;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.Reach;
import io.berth.api.spec.NodeSelector;
import io.berth.api.spec.Taint;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the devices of a slice. Devices of one sort differ in little, so what they consist of is
/// shared.
public final class DeviceReader {
    private DeviceReader() {}

    public static @Nullable Device device(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String name = "";
        Map<String, DeviceAttribute> attributes = Map.of();
        Map<String, Device.Capacity> capacity = Map.of();
        List<CounterSet> consumes = List.of();
        String nodeName = "";
        boolean allNodes = false;
        NodeSelector nodeSelector = null;
        List<Taint> taints = List.of();
        boolean bindsToNode = false;
        List<String> bindingConditions = List.of();
        List<String> failureConditions = List.of();
        boolean isShareable = false;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "name" -> name = in.sharedText();
                case "attributes" -> attributes = map(in, () -> attribute(in));
                case "capacity" -> capacity = map(in, () -> capacity(in));
                case "consumesCounters" ->
                        consumes = DeviceParts.list(in, () -> counters(in, "counterSet"));
                case "nodeName" -> nodeName = in.sharedText();
                case "nodeSelector" -> nodeSelector = DeviceParts.nodeSelector(in);
                case "allNodes" -> allNodes = in.flag();
                case "taints" -> taints = DeviceParts.list(in, () -> taint(in));
                case "bindsToNode" -> bindsToNode = in.flag();
                case "bindingConditions" -> bindingConditions = in.texts();
                case "bindingFailureConditions" -> failureConditions = in.texts();
                case "allowMultipleAllocations" -> isShareable = in.flag();
                default -> in.skip();
            }
        }
        return new Device(
                name,
                attributes,
                capacity,
                consumes,
                in.shared().part(new Reach(nodeName, allNodes, nodeSelector)),
                taints,
                bindsToNode,
                bindingConditions,
                failureConditions,
                isShareable);
    }

    /// A map of what can be read of its values.
    private static <T> Map<String, T> map(ObjectInput in, DeviceParts.Element<T> value)
            throws IOException {
        if (!in.beginObject()) {
            return Map.of();
        }
        var result = new HashMap<String, T>();
        for (String key = in.nextField(); key != null; key = in.nextField()) {
            var next = value.read();
            if (next != null) {
                result.put(key, in.shared().part(next));
            }
        }
        return in.shared().part(Map.copyOf(result));
    }

    private static DeviceAttribute attribute(ObjectInput in) throws IOException {
        DeviceAttribute result = new DeviceAttribute.Unsupported();
        if (!in.beginObject()) {
            return result;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            if (in.isNull()) {
                in.skip();
                continue;
            }
            switch (field) {
                case "int" -> result = new DeviceAttribute.Int(in.number());
                case "bool" -> result = new DeviceAttribute.Bool(in.flag());
                case "string" -> result = new DeviceAttribute.Text(in.sharedText());
                case "version" -> result = new DeviceAttribute.Version(in.sharedText());
                default -> in.skip();
            }
        }
        return result;
    }

    private static Device.@Nullable Capacity capacity(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        Quantity value = null;
        Device.Policy policy = null;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "value" -> value = in.quantity();
                case "requestPolicy" -> policy = policy(in);
                default -> in.skip();
            }
        }
        return new Device.Capacity(value == null ? Quantity.ZERO : value, policy);
    }

    private static Device.@Nullable Policy policy(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        Quantity byDefault = null;
        List<Quantity> validValues = List.of();
        Device.Range range = null;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "default" -> byDefault = in.quantity();
                case "validValues" -> validValues = DeviceParts.list(in, in::quantity);
                case "validRange" -> range = range(in);
                default -> in.skip();
            }
        }
        return new Device.Policy(byDefault, validValues, range);
    }

    private static Device.@Nullable Range range(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        Quantity min = null;
        Quantity max = null;
        Quantity step = null;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "min" -> min = in.quantity();
                case "max" -> max = in.quantity();
                case "step" -> step = in.quantity();
                default -> in.skip();
            }
        }
        return new Device.Range(min, max, step);
    }

    private static @Nullable Taint taint(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String key = "";
        String value = "";
        String effect = "";
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "key" -> key = in.sharedText();
                case "value" -> value = in.sharedText();
                case "effect" -> effect = in.sharedText();
                default -> in.skip();
            }
        }
        return new Taint(key, value, effect);
    }

    /// @param nameField what the field with the name of the set is called
    public static @Nullable CounterSet counters(ObjectInput in, String nameField)
            throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String name = "";
        Map<String, Quantity> counters = Map.of();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            if (field.equals(nameField)) {
                name = in.sharedText();
            } else if (field.equals("counters")) {
                counters = map(in, () -> counter(in));
            } else {
                in.skip();
            }
        }
        return in.shared().part(new CounterSet(name, counters));
    }

    private static Quantity counter(ObjectInput in) throws IOException {
        var value = new Quantity[] {Quantity.ZERO};
        in.only(
                "value",
                () -> {
                    var read = in.quantity();
                    value[0] = read == null ? Quantity.ZERO : read;
                });
        return value[0];
    }
}
