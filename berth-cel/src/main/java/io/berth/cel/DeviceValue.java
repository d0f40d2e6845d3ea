package io.berth.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelFunctionBinding;
import io.berth.api.amount.Quantity;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAttribute;
import io.berth.cel.SelectorException.Stage;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The variable `device` of an expression: a map of what can be asked about it.
final class DeviceValue {
    private DeviceValue() {}

    /// @throws SelectorException where an attribute has a value that no expression can read
    static Map<String, Object> of(String driver, Device device) throws SelectorException {
        return Map.of(
                "driver",
                driver,
                "allowMultipleAllocations",
                device.isShareable(),
                "attributes",
                attributes(driver, device),
                "capacity",
                capacity(driver, device));
    }

    private static Domains attributes(String driver, Device device) throws SelectorException {
        var domains = new HashMap<String, Map<String, Object>>();
        for (var entry : device.attributes().entrySet()) {
            put(domains, driver, entry.getKey(), value(entry.getKey(), entry.getValue()));
        }
        return new Domains(domains);
    }

    private static Object value(String name, DeviceAttribute attribute) throws SelectorException {
        return switch (attribute) {
            case DeviceAttribute.Int(long value) -> value;
            case DeviceAttribute.Bool(boolean value) -> value;
            case DeviceAttribute.Text(String value) -> value;
            case DeviceAttribute.Version(String value) -> version(name, value);
            case DeviceAttribute.Unsupported() ->
                    throw unreadable(name, "unsupported attribute value");
        };
    }

    private static Semver version(String name, String text) throws SelectorException {
        try {
            return Semver.parse(text);
        } catch (FunctionFailure malformed) {
            throw unreadable(name, "parse semantic version: " + malformed.getMessage());
        }
    }

    private static SelectorException unreadable(String name, String why) {
        return new SelectorException(Stage.RUNTIME, "attribute " + name + ": " + why);
    }

    private static Domains capacity(String driver, Device device) {
        var domains = new HashMap<String, Map<String, Object>>();
        device.capacity().forEach((name, capacity) -> put(domains, driver, name, capacity.value()));
        return new Domains(domains);
    }

    /// A name without a domain is of the driver's.
    private static void put(
            Map<String, Map<String, Object>> domains, String driver, String name, Object value) {
        int slash = name.indexOf('/');
        String domain = slash < 0 ? driver : name.substring(0, slash);
        domains.computeIfAbsent(domain, _ -> new HashMap<>()).put(name.substring(slash + 1), value);
    }

    /// What is known by domain. Whoever looks up a domain that is not there finds an empty one, so
    /// that `device.attributes["x"].?y` needs no guard; it is no member all the same.
    private static final class Domains extends AbstractMap<String, Object> {
        private final Map<String, Map<String, Object>> known;

        Domains(Map<String, Map<String, Object>> known) {
            this.known = known;
        }

        @Override
        public Object get(@Nullable Object domain) {
            var found = known.get(domain);
            return found == null ? Map.of() : found;
        }

        @Override
        public boolean containsKey(@Nullable Object domain) {
            return true;
        }

        boolean hasMember(Object domain) {
            return known.containsKey(domain);
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            return Map.<String, Object>copyOf(known).entrySet();
        }
    }

    /// The operator `in` for maps.
    static CelFunctionBinding membership() {
        return CelFunctionBinding.from(
                "in_map",
                List.of(Object.class, Map.class),
                args -> {
                    var map = (Map<?, ?>) args[1];
                    return map instanceof Domains domains
                            ? domains.hasMember(args[0])
                            : map.containsKey(args[0]);
                });
    }

    /// The language's name for the type of a value.
    static String typeName(Object value) {
        return switch (value) {
            case String _ -> "string";
            case Long _ -> "int";
            case UnsignedLong _ -> "uint";
            case Boolean _ -> "bool";
            case Double _ -> "double";
            case CelByteString _ -> "bytes";
            case NullValue _ -> "null_type";
            case TypeType _ -> "type";
            case Duration _ -> "google.protobuf.Duration";
            case Instant _ -> "google.protobuf.Timestamp";
            case Optional<?> _ -> "optional_type";
            case Quantity _ -> "kubernetes.Quantity";
            case Semver _ -> "kubernetes.Semver";
            case Address _ -> "net.IP";
            case AddressFunctions.Network _ -> "net.CIDR";
            case Map<?, ?> _ -> "map";
            case List<?> _ -> "list";
            default -> value.getClass().getSimpleName();
        };
    }
}
