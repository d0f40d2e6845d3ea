package io.berth.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelFunctionBinding;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Values as texts, as kube-scheduler spells them.
final class Spelling {
    private Spelling() {}

    /// Those of `string(x)`.
    static List<CelFunctionBinding> bindings() {
        return List.of(
                CelFunctionBinding.from("double_to_string", Double.class, Numerals::shortest),
                CelFunctionBinding.from("duration_to_string", Duration.class, Spelling::text),
                CelFunctionBinding.from("timestamp_to_string", Instant.class, Spelling::text));
    }

    /// What is neither number with a fraction, list nor map. Null where there are no words for it.
    static @Nullable String of(Object value) {
        return switch (value) {
            case String text -> text;
            case Long _, UnsignedLong _, Boolean _ -> value.toString();
            case NullValue _ -> "null";
            case TypeType type -> type.containingTypeName();
            case CelByteString bytes -> text(bytes);
            case Duration duration -> text(duration);
            case Instant time -> text(time);
            default -> null;
        };
    }

    static String text(CelByteString bytes) {
        if (!bytes.isValidUtf8()) {
            throw new Template.Misfit(
                    "could not convert argument \"invalid UTF-8 in bytes, cannot convert to"
                            + " string\" to string");
        }
        return bytes.toStringUtf8();
    }

    static String text(Duration duration) {
        long seconds = duration.toSeconds();
        long nanos = duration.toNanosPart();
        if (seconds < 0 && nanos > 0) {
            seconds++;
            nanos -= 1_000_000_000;
        }
        var number = BigDecimal.valueOf(seconds + nanos / 1e9);
        return (number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString()) + "s";
    }

    static String text(Instant time) {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time.atOffset(ZoneOffset.UTC));
    }

    static String quoted(String text) {
        var out = new StringBuilder("\"");
        text.codePoints().forEach(point -> quote(point, out));
        return out.append('"').toString();
    }

    private static void quote(int point, StringBuilder out) {
        switch (point) {
            case '"', '\\' -> out.append('\\').appendCodePoint(point);
            case 7 -> out.append("\\a");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case 11 -> out.append("\\v");
            default -> {
                if (point < ' ' || point == 0x7f) {
                    out.append("\\x%02x".formatted(point));
                } else if (isVisible(point)) {
                    out.appendCodePoint(point);
                } else {
                    out.append((point < 0x10000 ? "\\u%04x" : "\\U%08x").formatted(point));
                }
            }
        }
    }

    private static boolean isVisible(int point) {
        return point == ' '
                || switch (Character.getType(point)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.PRIVATE_USE,
                            Character.UNASSIGNED,
                            Character.SPACE_SEPARATOR,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR ->
                            false;
                    default -> true;
                };
    }
}
