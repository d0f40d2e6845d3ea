package io.berth.cel;

import io.berth.api.device.Device;
import org.jspecify.annotations.Nullable;

/// An expression about a device. What is of the ordinary sort is answered here; the library is
/// asked for the rest, and compiles the expression when it first comes to that.
///
/// Used by one thread.
public final class DeviceSelector {
    private final String expression;
    private final boolean isCapacityConsumable;
    private final @Nullable Plain plain;
    private @Nullable CompiledSelector compiled;

    private DeviceSelector(String expression, boolean isCapacityConsumable, @Nullable Plain plain) {
        this.expression = expression;
        this.isCapacityConsumable = isCapacityConsumable;
        this.plain = plain;
    }

    /// @throws SelectorException where the expression cannot be understood
    static DeviceSelector of(String expression, boolean isCapacityConsumable)
            throws SelectorException {
        var plain = PlainParser.parse(expression, isCapacityConsumable);
        var selector = new DeviceSelector(expression, isCapacityConsumable, plain);
        if (plain == null) {
            selector.compiled();
        }
        return selector;
    }

    /// Whether the device is one of those that are meant.
    ///
    /// @throws SelectorException where the expression fails on this device, or costs more than
    ///   [Cost#LIMIT]
    public boolean matches(String driver, Device device) throws SelectorException {
        var answer = plain == null ? null : Plain.ask(plain, driver, device);
        return answer == null ? compiled().matches(driver, device, new Cost()) : answer;
    }

    CompiledSelector compiled() throws SelectorException {
        var known = compiled;
        if (known == null) {
            known = Language.of(isCapacityConsumable).compile(expression);
            compiled = known;
        }
        return known;
    }

    /// Whether the library has been needed.
    boolean isCompiled() {
        return compiled != null;
    }
}
