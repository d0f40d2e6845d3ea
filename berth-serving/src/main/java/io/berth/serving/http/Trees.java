package io.berth.serving.http;

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
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/// Writes trees the way the API server does: JSON with `&`, `<` and `>` escaped, indented by two
/// for people, or YAML with sorted keys.
public final class Trees {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final ObjectWriter INDENTED = JSON.writer(indented());

    private Trees() {}

    public static JsonMapper mapper() {
        return JSON;
    }

    public static String json(JsonNode tree, boolean pretty) {
        try {
            return escaped(
                    pretty
                            ? INDENTED.writeValueAsString(tree)
                            : JSON.writeValueAsString(tree) + "\n");
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree that cannot be written", impossible);
        }
    }

    public static String yaml(JsonNode tree) {
        var options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        return new Yaml(new GoStyle(options), options).dump(sorted(tree));
    }

    /// Texts that look like something else, such as `true` or `1.36`, stand in double quotes.
    private static final class GoStyle extends Representer {
        private final Resolver resolver = new Resolver();

        GoStyle(DumperOptions options) {
            super(options);
            representers.put(String.class, this::text);
        }

        private Node text(Object value) {
            String text = value.toString();
            boolean plain = resolver.resolve(NodeId.scalar, text, true).equals(Tag.STR);
            return representScalar(
                    Tag.STR,
                    text,
                    plain
                            ? DumperOptions.ScalarStyle.PLAIN
                            : DumperOptions.ScalarStyle.DOUBLE_QUOTED);
        }
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
