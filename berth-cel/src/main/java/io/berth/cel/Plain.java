package io.berth.cel;

import io.berth.api.amount.Quantity;
import io.berth.api.device.Device;
import io.berth.api.device.DeviceAttribute;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A part of an expression of the ordinary sort: what a device says of itself, held against
/// constants, joined by `&&`, `||` and `!`. Most selectors are no more than that, and where all of
/// them are so, the language's library is never loaded.
///
/// It has an answer only where the library has the same one. About everything else it is silent
/// (null): what a device does not have, values of different types, devices that cannot be read. So
/// every error is the library's.
sealed interface Plain {
    /// The value for a device, or null.
    @Nullable Object of(String driver, Device device);

    /// Whether a device is meant, or null. A device with a value that nobody can read is an error
    /// to any expression.
    static @Nullable Boolean ask(Plain condition, String driver, Device device) {
        for (var attribute : device.attributes().values()) {
            if (attribute instanceof DeviceAttribute.Unsupported
                    || attribute instanceof DeviceAttribute.Version(String text)
                            && Semver.find(text) == null) {
                return null;
            }
        }
        return condition.of(driver, device) instanceof Boolean answer ? answer : null;
    }

    /// A text, number, answer, amount or version that stands in the expression.
    record Constant(Object value) implements Plain {
        @Override
        public Object of(String driver, Device device) {
            return value;
        }
    }

    record Driver() implements Plain {
        @Override
        public Object of(String driver, Device device) {
            return driver;
        }
    }

    record IsShareable() implements Plain {
        @Override
        public Object of(String driver, Device device) {
            return device.isShareable();
        }
    }

    /// The name of an attribute or a capacity.
    ///
    /// @param full with the domain
    record Name(String domain, String name, String full) {
        Name(String domain, String name) {
            this(domain, name, domain + "/" + name);
        }

        /// A name without a domain is of the driver's. Null where there is none, or more than one.
        <T> @Nullable T in(Map<String, T> all, String driver) {
            var found = all.get(full);
            if (!domain.equals(driver)) {
                return found;
            }
            var own = all.get(name);
            return own == null ? found : found == null ? own : null;
        }

        boolean isIn(Map<String, ?> all, String driver) {
            return all.containsKey(full) || domain.equals(driver) && all.containsKey(name);
        }
    }

    record Attribute(Name name) implements Plain {
        @Override
        public @Nullable Object of(String driver, Device device) {
            return switch (name.in(device.attributes(), driver)) {
                case DeviceAttribute.Int(long value) -> value;
                case DeviceAttribute.Bool(boolean value) -> value;
                case DeviceAttribute.Text(String value) -> value;
                case DeviceAttribute.Version(String value) -> Semver.find(value);
                case DeviceAttribute.Unsupported() -> null;
                case null -> null;
            };
        }
    }

    record Capacity(Name name) implements Plain {
        @Override
        public @Nullable Object of(String driver, Device device) {
            var capacity = name.in(device.capacity(), driver);
            return capacity == null ? null : capacity.value();
        }
    }

    record Has(Name name, boolean isCapacity) implements Plain {
        @Override
        public Object of(String driver, Device device) {
            return name.isIn(isCapacity ? device.capacity() : device.attributes(), driver);
        }
    }

    record HasDomain(String domain, boolean isCapacity) implements Plain {
        @Override
        public Object of(String driver, Device device) {
            for (String name : (isCapacity ? device.capacity() : device.attributes()).keySet()) {
                int slash = name.indexOf('/');
                if (slash < 0
                        ? domain.equals(driver)
                        : slash == domain.length() && name.startsWith(domain)) {
                    return true;
                }
            }
            return false;
        }
    }

    record Not(Plain part) implements Plain {
        @Override
        public @Nullable Object of(String driver, Device device) {
            return part.of(driver, device) instanceof Boolean answer ? !answer : null;
        }
    }

    /// `&&`, or `||` where `true` decides.
    record Junction(boolean decides, Plain left, Plain right) implements Plain {
        @Override
        public @Nullable Object of(String driver, Device device) {
            if (!(left.of(driver, device) instanceof Boolean first)) {
                return null;
            }
            if (first == decides) {
                return first;
            }
            return right.of(driver, device) instanceof Boolean second ? second : null;
        }
    }

    record Equality(boolean isWanted, Plain left, Plain right) implements Plain {
        @Override
        public @Nullable Object of(String driver, Device device) {
            var one = left.of(driver, device);
            var other = right.of(driver, device);
            return one == null || other == null || one.getClass() != other.getClass()
                    ? null
                    : one.equals(other) == isWanted;
        }
    }

    /// Whether a comparison comes out as one of three results.
    record Order(boolean ifLess, boolean ifEqual, boolean ifMore, Plain left, Plain right)
            implements Plain {
        @Override
        public @Nullable Object of(String driver, Device device) {
            if (left.of(driver, device) instanceof Long one
                    && right.of(driver, device) instanceof Long other) {
                int order = one.compareTo(other);
                return order < 0 ? ifLess : order == 0 ? ifEqual : ifMore;
            }
            return null;
        }
    }

    /// What `compareTo`, `isLessThan` and `isGreaterThan` make of two amounts or two versions.
    enum Comparison {
        COMPARE_TO,
        IS_LESS_THAN,
        IS_GREATER_THAN;

        Object of(int order) {
            return switch (this) {
                case COMPARE_TO -> (long) Integer.signum(order);
                case IS_LESS_THAN -> order < 0;
                case IS_GREATER_THAN -> order > 0;
            };
        }
    }

    record Compared(Comparison comparison, Plain left, Plain right) implements Plain {
        @Override
        public @Nullable Object of(String driver, Device device) {
            var one = left.of(driver, device);
            var other = right.of(driver, device);
            if (one instanceof Quantity amount && other instanceof Quantity second) {
                return comparison.of(amount.compareTo(second));
            }
            return one instanceof Semver version && other instanceof Semver second
                    ? comparison.of(version.compareTo(second))
                    : null;
        }
    }

    /// A look into a text.
    enum Look {
        STARTS_WITH,
        ENDS_WITH,
        CONTAINS
    }

    record Looked(Look look, Plain part, String text) implements Plain {
        @Override
        public @Nullable Object of(String driver, Device device) {
            return part.of(driver, device) instanceof String value
                    ? switch (look) {
                        case STARTS_WITH -> value.startsWith(text);
                        case ENDS_WITH -> value.endsWith(text);
                        case CONTAINS -> value.contains(text);
                    }
                    : null;
        }
    }

    /// @param values of one type
    record OneOf(Plain part, Set<Object> values) implements Plain {
        public OneOf {
            values = Set.copyOf(values);
        }

        @Override
        public @Nullable Object of(String driver, Device device) {
            var value = part.of(driver, device);
            return value == null || value.getClass() != values.iterator().next().getClass()
                    ? null
                    : values.contains(value);
        }
    }
}
