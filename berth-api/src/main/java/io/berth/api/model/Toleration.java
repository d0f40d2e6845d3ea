package io.berth.api.model;

/// A pod's willingness to live with a taint. Empty strings stand for absent fields.
public record Toleration(String key, String operator, String value, String effect) {
    public static final String EQUAL = "Equal";
    public static final String EXISTS = "Exists";

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
            default -> false;
        };
    }
}
