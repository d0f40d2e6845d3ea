package io.berth.api.device;

import io.berth.api.amount.Quantity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The devices that a claim asks for.
public record DeviceClaim(
        List<Request> requests, List<Constraint> constraints, List<Config> config) {
    public static final DeviceClaim NOTHING = new DeviceClaim(List.of(), List.of(), List.of());

    public DeviceClaim {
        requests = List.copyOf(requests);
        constraints = List.copyOf(constraints);
        config = List.copyOf(config);
    }

    /// Asks for devices of one sort (`exactly`), or for the first of several sorts that can be had.
    /// With neither it is of a future version.
    public record Request(String name, @Nullable Ask exactly, List<Ask> firstAvailable) {
        public Request {
            firstAvailable = List.copyOf(firstAvailable);
        }
    }

    /// A number of devices of one sort.
    ///
    /// @param name of the request, or of the subrequest
    /// @param selectors CEL expressions; empty for a selector of a future version
    /// @param adminAccess null where the field is absent
    /// @param capacity amounts by name; null where the field is absent
    public record Ask(
            String name,
            String deviceClass,
            List<String> selectors,
            String mode,
            long count,
            @Nullable Boolean adminAccess,
            List<DeviceToleration> tolerations,
            @Nullable Map<String, Quantity> capacity) {
        public static final String EXACT_COUNT = "ExactCount";
        public static final String ALL = "All";

        public Ask {
            selectors = List.copyOf(selectors);
            tolerations = List.copyOf(tolerations);
            capacity = capacity == null ? null : Map.copyOf(capacity);
        }

        /// Whether devices may be had that belong to others.
        public boolean isAdmin() {
            return adminAccess != null && adminAccess;
        }

        public boolean isForAll() {
            return mode.equals(ALL);
        }

        /// The amount asked for by name; null where there is none.
        public @Nullable Quantity capacity(String of) {
            return capacity == null ? null : capacity.get(of);
        }
    }

    /// What the devices of some requests must have in common, or must not.
    ///
    /// @param requests `request` or `request/subrequest`; empty for all
    public record Constraint(
            List<String> requests,
            @Nullable String matchAttribute,
            @Nullable String distinctAttribute) {
        public Constraint {
            requests = List.copyOf(requests);
        }
    }

    /// @param requests which it is for; empty for all
    /// @param opaque null where it is of a future version
    public record Config(List<String> requests, @Nullable OpaqueConfig opaque) {
        public Config {
            requests = List.copyOf(requests);
        }
    }
}
