package io.berth.plugins.dynamicresources;

import io.berth.api.device.DeviceAllocation.Result;
import io.berth.api.model.ResourceClaim;
import io.berth.api.model.ResourceClaim.Condition;
import io.berth.api.model.ResourceClaim.DeviceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether the devices of a claim are ready for a pod, by the conditions that their drivers asked
/// to be waited for (contract rules DR-12 and DR-19).
sealed interface Readiness {
    Readiness READY = new Ready();
    Readiness WAITING = new Waiting();

    record Ready() implements Readiness {}

    record Waiting() implements Readiness {}

    /// @param text what users read
    record Failed(String text) implements Readiness {}

    static Readiness of(ResourceClaim claim) {
        var allocation = claim.allocation();
        if (allocation == null) {
            return WAITING;
        }
        for (var result : allocation.results()) {
            if (result.bindingConditions().isEmpty()) {
                continue;
            }
            var status = status(claim, result);
            if (status == null) {
                return WAITING;
            }
            for (String failure : result.bindingFailureConditions()) {
                var condition = find(status.conditions(), failure);
                if (condition != null && condition.isTrue()) {
                    return failed(claim, condition);
                }
            }
            for (String wanted : result.bindingConditions()) {
                var condition = find(status.conditions(), wanted);
                if (condition == null || !condition.isTrue()) {
                    return WAITING;
                }
            }
        }
        return READY;
    }

    /// Whether the devices have had enough time.
    static boolean isLate(ResourceClaim claim, Instant now, Duration limit) {
        var allocation = claim.allocation();
        if (allocation == null || allocation.allocatedAt() == null) {
            return false;
        }
        boolean isAwaited =
                allocation.results().stream()
                        .anyMatch(result -> !result.bindingConditions().isEmpty());
        return isAwaited && allocation.allocatedAt().plus(limit).isBefore(now);
    }

    private static Failed failed(ResourceClaim claim, Condition condition) {
        return new Failed(
                "device binding failed: claim=%s, reason=%s, message=\"%s\""
                        .formatted(claim.name(), condition.reason(), quoted(condition.message())));
    }

    /// As Go quotes what a driver wrote: what cannot be seen is spelt out.
    private static String quoted(String text) {
        var out = new StringBuilder();
        text.codePoints().forEach(point -> out.append(spelt(point)));
        return out.toString();
    }

    private static String spelt(int point) {
        return switch (point) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case 0x07 -> "\\a";
            case '\b' -> "\\b";
            case '\t' -> "\\t";
            case '\n' -> "\\n";
            case 0x0b -> "\\v";
            case '\f' -> "\\f";
            case '\r' -> "\\r";
            default -> {
                if (isSeen(point)) {
                    yield Character.toString(point);
                }
                String form = point < 0x80 ? "\\x%02x" : point < 0x10000 ? "\\u%04x" : "\\U%08x";
                yield form.formatted(point);
            }
        };
    }

    private static boolean isSeen(int point) {
        return switch (Character.getType(point)) {
            case Character.SPACE_SEPARATOR -> point == ' ';
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }

    private static @Nullable DeviceStatus status(ResourceClaim claim, Result result) {
        for (var status : claim.devices()) {
            if (status.device().equals(result.device())) {
                return status;
            }
        }
        return null;
    }

    private static @Nullable Condition find(List<Condition> conditions, String type) {
        for (var condition : conditions) {
            if (condition.type().equals(type)) {
                return condition;
            }
        }
        return null;
    }
}
