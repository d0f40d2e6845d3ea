package io.berth.kube.codec.device;

import io.berth.api.device.DeviceToleration;
import io.berth.api.device.OpaqueConfig;
import io.berth.api.spec.NodeSelector;
import io.berth.kube.codec.wire.ObjectInput;
import io.berth.kube.codec.wire.Selectors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what claims, slices and device classes have in common.
public final class DeviceParts {
    private DeviceParts() {}

    /// Reads one element of a list, or null where it is none.
    public interface Element<T> {
        @Nullable T read() throws IOException;
    }

    /// A list of what can be read of its elements; empty for null.
    public static <T> List<T> list(ObjectInput in, Element<T> element) throws IOException {
        if (!in.beginArray()) {
            return List.of();
        }
        var result = new ArrayList<T>(4);
        while (in.nextElement()) {
            var next = element.read();
            if (next != null) {
                result.add(next);
            }
        }
        return result;
    }

    /// The expressions of selectors; empty for one that has none.
    public static List<String> selectors(ObjectInput in) throws IOException {
        return list(in, () -> selector(in));
    }

    private static String selector(ObjectInput in) throws IOException {
        var expression = new String[] {""};
        in.only("cel", () -> in.only("expression", () -> expression[0] = in.sharedText()));
        return expression[0];
    }

    public static List<DeviceToleration> tolerations(ObjectInput in) throws IOException {
        return list(in, () -> toleration(in));
    }

    private static @Nullable DeviceToleration toleration(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String key = "";
        String operator = "";
        String value = "";
        String effect = "";
        Long seconds = null;
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "key" -> key = in.sharedText();
                case "operator" -> operator = in.sharedText();
                case "value" -> value = in.sharedText();
                case "effect" -> effect = in.sharedText();
                case "tolerationSeconds" -> seconds = in.isNull() ? null : in.number();
                default -> in.skip();
            }
        }
        return new DeviceToleration(key, operator, value, effect, seconds);
    }

    public static @Nullable OpaqueConfig opaque(ObjectInput in) throws IOException {
        if (!in.beginObject()) {
            return null;
        }
        String driver = "";
        String parameters = "";
        for (String field = in.nextField(); field != null; field = in.nextField()) {
            switch (field) {
                case "driver" -> driver = in.sharedText();
                case "parameters" -> parameters = in.json();
                default -> in.skip();
            }
        }
        return new OpaqueConfig(driver, parameters);
    }

    public static @Nullable NodeSelector nodeSelector(ObjectInput in) throws IOException {
        return in.beginObject() ? in.shared().part(Selectors.nodeSelector(in)) : null;
    }
}
