package io.berth.api.device;

import io.berth.api.spec.Taint;
import io.berth.api.spec.Toleration;
import org.jspecify.annotations.Nullable;

/// A request's willingness to live with a taint of a device. Empty strings stand for absent fields.
///
/// @param seconds how long a pod may stay after the taint came; null for ever
public record DeviceToleration(
        String key, String operator, String value, String effect, @Nullable Long seconds) {
    /// As for nodes, but without comparisons of numbers (contract rule DR-50).
    public boolean tolerates(Taint taint) {
        if (!effect.isEmpty() && !effect.equals(taint.effect())
                || !key.isEmpty() && !key.equals(taint.key())) {
            return false;
        }
        return switch (operator) {
            case "", Toleration.EQUAL -> value.equals(taint.value());
            case Toleration.EXISTS -> true;
            default -> false;
        };
    }
}
