package io.berth.app.serve;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/// Writes trees the way the API server does: JSON with `&`, `<` and `>` escaped, indented by two
/// for people, or YAML with sorted keys.
final class Trees {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final ObjectWriter INDENTED = JSON.writer(indented());

    private Trees() {}

    static JsonMapper mapper() {
        return JSON;
    }

    static String json(JsonNode tree, boolean pretty) {
        try {
            return escaped(
                    pretty
                            ? INDENTED.writeValueAsString(tree)
                            : JSON.writeValueAsString(tree) + "\n");
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree that cannot be written", impossible);
        }
    }

    static String yaml(JsonNode tree) {
        var options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        return new Yaml(options).dump(sorted(tree));
    }

    /// In JSON these three can only stand inside of texts.
    private static String escaped(String json) {
        return json.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e");
    }

    private static @Nullable Object sorted(JsonNode tree) {
        if (tree.isObject()) {
            var map = new TreeMap<String, @Nullable Object>();
            tree.properties().forEach(field -> map.put(field.getKey(), sorted(field.getValue())));
            return map;
        }
        return JSON.convertValue(tree, Object.class);
    }

    private static DefaultPrettyPrinter indented() {
        var indenter = new DefaultIndenter("  ", "\n");
        var separators =
                Separators.createDefaultInstance()
                        .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                        .withObjectEmptySeparator("")
                        .withArrayEmptySeparator("");
        var printer = new DefaultPrettyPrinter(separators);
        printer.indentObjectsWith(indenter);
        printer.indentArraysWith(indenter);
        return printer;
    }
}
