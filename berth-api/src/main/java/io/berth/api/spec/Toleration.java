package io.berth.api.spec;

import java.util.OptionalLong;
import java.util.regex.Pattern;

/// A pod's willingness to live with a taint. Empty strings stand for absent fields.
public record Toleration(String key, String operator, String value, String effect) {
    public static final String EQUAL = "Equal";
    public static final String EXISTS = "Exists";
    public static final String GREATER = "Gt";
    public static final String LESS = "Lt";

    /// As a person would write a whole number: no plus sign, no zero in front.
    private static final Pattern NUMBER = Pattern.compile("0|-?[1-9][0-9]{0,18}");

    /// Contract rule H-10. An empty key with `Equal` compares values alone: the API forbids it, the
    /// scheduler never did.
    public boolean tolerates(Taint taint) {
        if (!effect.isEmpty() && !effect.equals(taint.effect())) {
            return false;
        }
        if (!key.isEmpty() && !key.equals(taint.key())) {
            return false;
        }
        return switch (operator) {
            case "", EQUAL -> value.equals(taint.value());
            case EXISTS -> true;
            case GREATER -> comparesTo(taint, 1);
            case LESS -> comparesTo(taint, -1);
            default -> false;
        };
    }

    /// Whether this one compares numbers.
    public boolean isComparison() {
        return operator.equals(GREATER) || operator.equals(LESS);
    }

    /// Whether the taint's value is greater (1) or less (-1) than ours. What is no number of 64
    /// bits compares to nothing.
    private boolean comparesTo(Taint taint, int order) {
        var own = number(value);
        var other = number(taint.value());
        return own.isPresent()
                && other.isPresent()
                && Long.compare(other.getAsLong(), own.getAsLong()) == order;
    }

    private static OptionalLong number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException _) {
            return OptionalLong.empty();
        }
    }
}
