package io.berth.config.text;

/// Texts as Go's programs print them.
public final class GoText {
    private GoText() {}

    /// A string as Go's `%q` shows it.
    public static String quote(String text) {
        var out = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(point -> appendEscaped(out, point));
        return out.append('"').toString();
    }

    private static void appendEscaped(StringBuilder out, int point) {
        switch (point) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\t' -> out.append("\\t");
            case '\r' -> out.append("\\r");
            default -> {
                if (point < 0x20 || point == 0x7f) {
                    out.append(String.format("\\x%02x", point));
                } else if (Character.isISOControl(point) || !Character.isDefined(point)) {
                    out.append(String.format("\\u%04x", point));
                } else {
                    out.appendCodePoint(point);
                }
            }
        }
    }
}
