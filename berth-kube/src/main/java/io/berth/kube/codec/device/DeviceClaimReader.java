package io.berth.kube.codec.device;

import io.berth.api.amount.Quantity;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceClaim.Ask;
import io.berth.api.device.DeviceToleration;
import io.berth.api.device.OpaqueConfig;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads what a claim asks for.
public final class DeviceClaimReader {
    private DeviceClaimReader() {}

    public static DeviceClaim claim(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return DeviceClaim.NOTHING;
        }
        List<DeviceClaim.Request> requests = List.of();
        List<DeviceClaim.Constraint> constraints = List.of();
        List<DeviceClaim.Config> config = List.of();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "requests" -> requests = DeviceParts.list(in, () -> request(in));
                case "constraints" -> constraints = DeviceParts.list(in, () -> constraint(in));
                case "config" -> config = DeviceParts.list(in, () -> config(in));
                default -> in.skip();
            }
        }
        return new DeviceClaim(requests, constraints, config);
    }

    private static DeviceClaim.@Nullable Request request(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String name = "";
        Ask exactly = null;
        List<Ask> firstAvailable = List.of();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "name" -> name = in.sharedText();
                case "exactly" -> exactly = ask(in);
                case "firstAvailable" -> firstAvailable = DeviceParts.list(in, () -> ask(in));
                default -> in.skip();
            }
        }
        return new DeviceClaim.Request(
                name, exactly == null ? null : named(name, exactly), firstAvailable);
    }

    /// An exact request has its name one level up, which may come later.
    private static Ask named(String name, Ask ask) {
        return new Ask(
                name,
                ask.deviceClass(),
                ask.selectors(),
                ask.mode(),
                ask.count(),
                ask.adminAccess(),
                ask.tolerations(),
                ask.capacity());
    }

    private static @Nullable Ask ask(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String name = "";
        String deviceClass = "";
        List<String> selectors = List.of();
        String mode = "";
        long count = 0;
        Boolean adminAccess = null;
        List<DeviceToleration> tolerations = List.of();
        Map<String, Quantity> capacity = null;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "name" -> name = in.sharedText();
                case "deviceClassName" -> deviceClass = in.sharedText();
                case "selectors" -> selectors = DeviceParts.selectors(in);
                case "allocationMode" -> mode = in.sharedText();
                case "count" -> count = in.number();
                case "adminAccess" -> adminAccess = in.isNull() ? null : in.flag();
                case "tolerations" -> tolerations = DeviceParts.tolerations(in);
                case "capacity" -> capacity = capacity(in);
                default -> in.skip();
            }
        }
        return new Ask(
                name, deviceClass, selectors, mode, count, adminAccess, tolerations, capacity);
    }

    private static @Nullable Map<String, Quantity> capacity(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        Map<String, Quantity> requests = Map.of();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            if (field.equals("requests")) {
                requests = in.resources();
            } else {
                in.skip();
            }
        }
        return requests;
    }

    private static DeviceClaim.@Nullable Constraint constraint(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        List<String> requests = List.of();
        String match = null;
        String distinct = null;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "requests" -> requests = in.texts();
                case "matchAttribute" -> match = in.isNull() ? null : in.sharedText();
                case "distinctAttribute" -> distinct = in.isNull() ? null : in.sharedText();
                default -> in.skip();
            }
        }
        return new DeviceClaim.Constraint(requests, match, distinct);
    }

    private static DeviceClaim.@Nullable Config config(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        List<String> requests = List.of();
        OpaqueConfig opaque = null;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "requests" -> requests = in.texts();
                case "opaque" -> opaque = DeviceParts.opaque(in);
                default -> in.skip();
            }
        }
        return new DeviceClaim.Config(requests, opaque);
    }
}
