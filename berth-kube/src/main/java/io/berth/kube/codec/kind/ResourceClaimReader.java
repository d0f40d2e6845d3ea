package io.berth.kube.codec.kind;

import io.berth.api.device.DeviceAllocation;
import io.berth.api.device.DeviceClaim;
import io.berth.api.device.DeviceId;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceClaim.Condition;
import io.berth.api.model.ResourceClaim.Consumer;
import io.berth.api.model.ResourceClaim.DeviceStatus;
import io.berth.kube.codec.device.AllocationReader;
import io.berth.kube.codec.device.DeviceClaimReader;
import io.berth.kube.codec.device.DeviceParts;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads resource claims.
final class ResourceClaimReader implements KindReader {
    private DeviceClaim spec = DeviceClaim.NOTHING;
    private @Nullable DeviceAllocation allocation;
    private List<Consumer> reservedFor = List.of();
    private List<DeviceStatus> devices = List.of();

    @Override
    public Metadata.Extent metadata() {
        return Metadata.Extent.ALL;
    }

    @Override
    public void clear() {
        spec = DeviceClaim.NOTHING;
        allocation = null;
        reservedFor = List.of();
        devices = List.of();
    }

    @Override
    public void read(String field, ObjectInput in) throws IOException {
        switch (field) {
            case "spec" ->
                    in.only("devices", () -> spec = in.shared().part(DeviceClaimReader.claim(in)));
            case "status" -> readStatus(in);
            default -> in.skip();
        }
    }

    private void readStatus(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "allocation" -> allocation = AllocationReader.allocation(in);
                case "reservedFor" -> reservedFor = DeviceParts.list(in, () -> consumer(in));
                case "devices" -> devices = DeviceParts.list(in, () -> deviceStatus(in));
                default -> in.skip();
            }
        }
    }

    private static @Nullable Consumer consumer(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String group = "";
        String resource = "";
        String name = "";
        String uid = "";
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "apiGroup" -> group = in.sharedText();
                case "resource" -> resource = in.sharedText();
                case "name" -> name = in.text();
                case "uid" -> uid = in.text();
                default -> in.skip();
            }
        }
        return new Consumer(group, resource, name, uid);
    }

    private static @Nullable DeviceStatus deviceStatus(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String driver = "";
        String pool = "";
        String device = "";
        String shareId = null;
        List<Condition> conditions = List.of();
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "driver" -> driver = in.sharedText();
                case "pool" -> pool = in.sharedText();
                case "device" -> device = in.sharedText();
                case "shareID" -> shareId = in.isNull() ? null : in.text();
                case "conditions" -> conditions = DeviceParts.list(in, () -> condition(in));
                default -> in.skip();
            }
        }
        return new DeviceStatus(new DeviceId(driver, pool, device), shareId, conditions);
    }

    private static @Nullable Condition condition(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String type = "";
        String status = "";
        String reason = "";
        String message = "";
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "type" -> type = in.sharedText();
                case "status" -> status = in.sharedText();
                case "reason" -> reason = in.sharedText();
                case "message" -> message = in.text();
                default -> in.skip();
            }
        }
        return new Condition(type, status, reason, message);
    }

    @Override
    public ResourceClaim build(Metadata metadata) {
        return new ResourceClaim(
                metadata.namespace,
                metadata.name,
                metadata.uid,
                metadata.resourceVersion,
                metadata.controller,
                metadata.deletedAt != null,
                metadata.finalizers.contains(ResourceClaim.FINALIZER),
                "true".equals(metadata.annotations.value(ResourceClaim.EXTENDED_ANNOTATION)),
                spec,
                allocation,
                reservedFor,
                devices);
    }
}
