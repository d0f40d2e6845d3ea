package io.berth.sim.plain;

import io.berth.api.device.Device;
import io.berth.api.device.DeviceAttribute;

/// The expressions by which simulated claims and classes select devices, and what they mean.
public enum PlainSelector {
    GPU("device.driver == 'gpu.sim'"),
    BIG("device.driver == 'gpu.sim' && device.attributes['gpu.sim'].model == 'big'"),
    FIRST_BOARD("device.driver == 'gpu.sim' && device.attributes['gpu.sim'].board < 1"),
    PART("device.driver == 'part.sim'"),
    HALF("device.driver == 'part.sim' && device.attributes['part.sim'].size == 2"),
    LINK("device.driver == 'net.sim'");

    private final String expression;

    PlainSelector(String expression) {
        this.expression = expression;
    }

    public String expression() {
        return expression;
    }

    static boolean matches(String expression, String driver, Device device) {
        for (var each : values()) {
            if (each.expression.equals(expression)) {
                return each.isTrueOf(driver, device);
            }
        }
        throw new IllegalArgumentException("what does this mean? " + expression);
    }

    private boolean isTrueOf(String driver, Device device) {
        return switch (this) {
            case GPU -> driver.equals("gpu.sim");
            case BIG -> driver.equals("gpu.sim") && is(device, "model", "big");
            case FIRST_BOARD -> driver.equals("gpu.sim") && number(device, "board") < 1;
            case PART -> driver.equals("part.sim");
            case HALF -> driver.equals("part.sim") && number(device, "size") == 2;
            case LINK -> driver.equals("net.sim");
        };
    }

    private static boolean is(Device device, String attribute, String value) {
        return new DeviceAttribute.Text(value).equals(device.attributes().get(attribute));
    }

    private static long number(Device device, String attribute) {
        return device.attributes().get(attribute) instanceof DeviceAttribute.Int(long value)
                ? value
                : Long.MAX_VALUE;
    }
}
