package io.berth.kube.codec.device;

import io.berth.api.amount.Quantity;
import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceId;
import io.berth.api.device.DeviceToleration;
import io.berth.api.device.OpaqueConfig;
import io.berth.api.spec.NodeSelector;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads what a claim has got.
public final class AllocationReader {
    private List<DeviceAllocation.Result> results = List.of();
    private List<DeviceAllocation.Config> config = List.of();
    private @Nullable NodeSelector nodeSelector;
    private @Nullable Instant allocatedAt;

    private AllocationReader() {}

    public static @Nullable DeviceAllocation allocation(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        var reader = new AllocationReader();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "devices" -> reader.readDevices(in);
                case "nodeSelector" -> reader.nodeSelector = DeviceParts.nodeSelector(in);
                case "allocationTimestamp" -> reader.allocatedAt = in.time();
                default -> in.skip();
            }
        }
        return new DeviceAllocation(
                reader.results, reader.config, reader.nodeSelector, reader.allocatedAt);
    }

    private void readDevices(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "results" -> results = DeviceParts.list(in, () -> result(in));
                case "config" -> config = DeviceParts.list(in, () -> config(in));
                default -> in.skip();
            }
        }
    }

    private static DeviceAllocation.@Nullable Result result(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String request = "";
        String driver = "";
        String pool = "";
        String device = "";
        Boolean adminAccess = null;
        List<DeviceToleration> tolerations = List.of();
        List<String> bindingConditions = List.of();
        List<String> failureConditions = List.of();
        String shareId = null;
        Map<String, Quantity> consumed = Map.of();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "request" -> request = in.sharedText();
                case "driver" -> driver = in.sharedText();
                case "pool" -> pool = in.sharedText();
                case "device" -> device = in.sharedText();
                case "adminAccess" -> adminAccess = in.isNull() ? null : in.flag();
                case "tolerations" -> tolerations = DeviceParts.tolerations(in);
                case "bindingConditions" -> bindingConditions = in.texts();
                case "bindingFailureConditions" -> failureConditions = in.texts();
                case "shareID" -> shareId = in.isNull() ? null : in.text();
                case "consumedCapacity" -> consumed = in.resources();
                default -> in.skip();
            }
        }
        return new DeviceAllocation.Result(
                request,
                new DeviceId(driver, pool, device),
                adminAccess,
                tolerations,
                bindingConditions,
                failureConditions,
                shareId,
                consumed);
    }

    private static DeviceAllocation.@Nullable Config config(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String source = "";
        List<String> requests = List.of();
        OpaqueConfig opaque = null;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "source" -> source = in.sharedText();
                case "requests" -> requests = in.texts();
                case "opaque" -> opaque = DeviceParts.opaque(in);
                default -> in.skip();
            }
        }
        return new DeviceAllocation.Config(source, requests, opaque);
    }
}
