package io.berth.plugins.device;

import io.berth.api.device.Device;
import io.berth.api.device.DeviceAttribute;
import io.berth.api.device.DeviceClaim;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the devices of a claim must have in common, or must not, during a search (contract rules
/// DR-41 to DR-43). Whoever was added is removed again in the opposite order.
abstract sealed class Constraint {
    private final List<String> requests;
    private final String attribute;

    private Constraint(List<String> requests, String attribute) {
        this.requests = requests;
        this.attribute = attribute;
    }

    /// Null where the claim's constraint is of a sort that is not known here.
    static @Nullable Constraint of(DeviceClaim.Constraint constraint) {
        if (constraint.matchAttribute() != null) {
            return new Match(constraint.requests(), constraint.matchAttribute());
        }
        return constraint.distinctAttribute() == null
                ? null
                : new Distinct(constraint.requests(), constraint.distinctAttribute());
    }

    /// Takes a device in; false where the constraint would not hold with it.
    final boolean add(String driver, Device device, Wanted wanted) {
        if (!concerns(wanted)) {
            return true;
        }
        var value = lookUp(driver, device);
        return value != null && admits(value, wanted.requestName());
    }

    final void remove(Wanted wanted) {
        if (concerns(wanted)) {
            forget(wanted.requestName());
        }
    }

    abstract boolean admits(DeviceAttribute value, String request);

    abstract void forget(String request);

    private boolean concerns(Wanted wanted) {
        return requests.isEmpty()
                || requests.contains(wanted.requestName())
                || wanted.isSubrequest() && requests.contains(wanted.fullName());
    }

    /// By the full name, or by the bare one where the domain is the driver's.
    private @Nullable DeviceAttribute lookUp(String driver, Device device) {
        var exact = device.attributes().get(attribute);
        if (exact != null) {
            return exact;
        }
        int slash = attribute.indexOf('/');
        return slash < 0 || !attribute.substring(0, slash).equals(driver)
                ? null
                : device.attributes().get(attribute.substring(slash + 1));
    }

    /// All have the same value.
    private static final class Match extends Constraint {
        private @Nullable DeviceAttribute common;
        private int count;

        Match(List<String> requests, String attribute) {
            super(requests, attribute);
        }

        @Override
        boolean admits(DeviceAttribute value, String request) {
            if (count == 0) {
                common = value;
            } else if (value instanceof DeviceAttribute.Unsupported
                    || !Objects.equals(value, common)) {
                return false;
            }
            count++;
            return true;
        }

        @Override
        void forget(String request) {
            count--;
        }
    }

    /// No two have the same value. As in kube-scheduler one value is remembered for each request,
    /// that of its latest device.
    private static final class Distinct extends Constraint {
        private final Map<String, DeviceAttribute> values = new HashMap<>();
        private int count;

        Distinct(List<String> requests, String attribute) {
            super(requests, attribute);
        }

        @Override
        boolean admits(DeviceAttribute value, String request) {
            if (count > 0 && !values.isEmpty()) {
                if (value instanceof DeviceAttribute.Unsupported || values.containsValue(value)) {
                    return false;
                }
            }
            values.put(request, value);
            count++;
            return true;
        }

        @Override
        void forget(String request) {
            values.remove(request);
            count--;
        }
    }
}
