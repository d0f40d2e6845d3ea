package io.berth.controllers.object;

import com.fasterxml.jackson.databind.JsonNode;

/// A number that may be given as a share of a total.
public final class Share {
    private Share() {}

    public static int roundedUp(JsonNode value, int total) {
        return of(value, total, 99);
    }

    public static int roundedDown(JsonNode value, int total) {
        return of(value, total, 0);
    }

    public static boolean isPercent(JsonNode value) {
        return value.isTextual() && value.textValue().endsWith("%");
    }

    private static int of(JsonNode value, int total, int remainder) {
        if (!isPercent(value)) {
            return value.asInt(0);
        }
        String text = value.textValue();
        try {
            long percent = Long.parseLong(text.substring(0, text.length() - 1));
            return Math.toIntExact((percent * total + remainder) / 100);
        } catch (ArithmeticException | NumberFormatException notANumber) {
            return 0;
        }
    }
}
