package io.berth.kube.codec.kind;

import io.berth.api.device.OpaqueConfig;
import io.berth.api.model.DeviceClass;
import io.berth.kube.codec.device.DeviceParts;
import io.berth.kube.codec.wire.ObjectInput;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads device classes.
final class DeviceClassReader implements KindReader {
    private List<String> selectors = List.of();
    private List<OpaqueConfig> config = List.of();
    private @Nullable String extendedResourceName;

    @Override
    public void clear() {
        selectors = List.of();
        config = List.of();
        extendedResourceName = null;
    }

    @Override
    public void read(String part, ObjectInput in) throws IOException {
        if (!part.equals("spec")) {
            in.skip();
            return;
        }
        if (!in.beginObject()) {
            return;
        }
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "selectors" -> selectors = DeviceParts.selectors(in);
                case "config" -> config = DeviceParts.list(in, () -> config(in));
                case "extendedResourceName" ->
                        extendedResourceName = in.isNull() ? null : in.sharedText();
                default -> in.skip();
            }
        }
    }

    private static @Nullable OpaqueConfig config(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        OpaqueConfig opaque = null;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            if (field.equals("opaque")) {
                opaque = DeviceParts.opaque(in);
            } else {
                in.skip();
            }
        }
        return opaque;
    }

    @Override
    public DeviceClass build(Metadata metadata) {
        return new DeviceClass(
                metadata.name, metadata.createdAt, selectors, config, extendedResourceName);
    }
}
