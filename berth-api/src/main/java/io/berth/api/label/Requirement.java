package io.berth.api.label;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One condition on labels (or node fields): a key, an operator, values.
public record Requirement(String key, Operator operator, List<String> values) {
    /// `GT` and `LT` occur in node selectors only.
    public enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GT,
        LT,
        /// An operator that this version does not know; such a requirement matches nothing.
        UNKNOWN
    }

    public Requirement {
        values = List.copyOf(values);
    }

    public static Requirement is(String key, String value) {
        return new Requirement(key, Operator.IN, List.of(value));
    }

    public boolean matches(Labels labels) {
        return matchesValue(labels.value(key));
    }

    /// Judges one value, null meaning that the key is absent. Contract rules H-7 and H-8.
    public boolean matchesValue(@Nullable String value) {
        return switch (operator) {
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case DOES_NOT_EXIST -> value == null;
            case GT -> value != null && compare(value) > 0;
            case LT -> value != null && compare(value) < 0;
            case UNKNOWN -> false;
        };
    }

    /// Whether this makes sense as a condition on labels. The API server lets some through that do
    /// not, such as preferred node affinity with values that no label can have.
    public boolean isSound() {
        boolean fits =
                switch (operator) {
                    case IN, NOT_IN -> !values.isEmpty();
                    case EXISTS, DOES_NOT_EXIST -> values.isEmpty();
                    case GT, LT -> values.size() == 1 && isInteger(values.getFirst());
                    case UNKNOWN -> false;
                };
        if (!fits || !LabelSyntax.isKey(key)) {
            return false;
        }
        for (int i = 0; i < values.size(); i++) {
            if (!LabelSyntax.isValue(values.get(i))) {
                return false;
            }
        }
        return true;
    }

    /// As people write it: `disk=ssd`, `zone in (a,b)`, `!gpu`.
    public String text() {
        var all = String.join(",", values);
        return switch (operator) {
            case IN -> values.size() == 1 ? key + "=" + all : key + " in (" + all + ")";
            case NOT_IN -> key + " not in (" + all + ")";
            case EXISTS -> key;
            case DOES_NOT_EXIST -> "!" + key;
            case GT -> key + " > " + all;
            case LT -> key + " < " + all;
            case UNKNOWN -> key + " ?";
        };
    }

    /// Whether a text is a 64-bit integer in base 10, as `Gt` and `Lt` want it.
    public static boolean isInteger(String text) {
        try {
            Long.parseLong(text);
            return true;
        } catch (NumberFormatException no) {
            return false;
        }
    }

    /// Compares a label with the single value as base-10 integers; 0 (neither more nor less) where
    /// either is no integer.
    private int compare(String label) {
        if (values.size() != 1) {
            return 0;
        }
        try {
            return Long.compare(Long.parseLong(label), Long.parseLong(values.getFirst()));
        } catch (NumberFormatException notAnInteger) {
            return 0;
        }
    }
}
