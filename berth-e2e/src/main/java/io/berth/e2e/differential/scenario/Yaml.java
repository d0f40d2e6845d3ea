package io.berth.e2e.differential.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;

/// Writes objects as the YAML that people paste into `kubectl apply -f -`.
public final class Yaml {
    private Yaml() {}

    public static String of(List<? extends JsonNode> objects) {
        return objects.stream().map(Yaml::of).collect(Collectors.joining("---\n"));
    }

    public static String of(JsonNode object) {
        var out = new StringBuilder();
        append(out, object, 0);
        return out.toString();
    }

    private static void append(StringBuilder out, JsonNode node, int indent) {
        if (node.isObject()) {
            node.properties()
                    .forEach(field -> {
                        out.append(" ".repeat(indent)).append(scalar(field.getKey())).append(':');
                        appendValue(out, field.getValue(), indent + 2);
                    });
        } else {
            for (var element : node) {
                var nested = new StringBuilder();
                if (isLeaf(element)) {
                    nested.append(" ".repeat(indent + 2)).append(leaf(element)).append('\n');
                } else {
                    append(nested, element, indent + 2);
                }
                // The first line of an element begins with its dash.
                nested.setCharAt(indent, '-');
                out.append(nested);
            }
        }
    }

    private static void appendValue(StringBuilder out, JsonNode value, int indent) {
        if (isLeaf(value)) {
            out.append(' ').append(leaf(value)).append('\n');
        } else {
            out.append('\n');
            append(out, value, indent);
        }
    }

    private static boolean isLeaf(JsonNode node) {
        return node.isValueNode() || node.isEmpty();
    }

    private static String leaf(JsonNode node) {
        if (node.isTextual()) {
            return scalar(node.textValue());
        }
        return node.toString();
    }

    /// Plain where nobody could take it for anything but a text.
    private static String scalar(String text) {
        boolean isPlain =
                text.matches("[A-Za-z][A-Za-z0-9_./-]*")
                        && !text.matches("(?i)true|false|yes|no|on|off|null|y|n");
        return isPlain ? text : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
