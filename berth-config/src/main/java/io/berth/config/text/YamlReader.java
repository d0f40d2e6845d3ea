package io.berth.config.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.berth.api.amount.Numbers;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Flag;
import io.berth.config.text.Value.Items;
import io.berth.config.text.Value.Nothing;
import io.berth.config.text.Value.Numeral;
import io.berth.config.text.Value.Repeated;
import io.berth.config.text.Value.Text;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.resolver.Resolver;

/// Reads YAML texts.
///
/// Aliases are followed, up to a number of values that no configuration comes near, so that a small
/// file cannot blow up to a large one.
final class YamlReader {
    private static final int MOST_VALUES = 100_000;
    private static final int DEEPEST = 100;

    private final IdentityHashMap<Node, Boolean> open = new IdentityHashMap<>();
    private int values;

    private YamlReader() {}

    /// The one document of a text.
    ///
    /// @return [Nothing] for an empty text
    static Value only(String text) throws TextException {
        return reading(() -> {
            var documents = documents(text);
            var value = new YamlReader().next(documents);
            while (documents.checkNode()) {
                var more = documents.getNode();
                if (!more.getTag().equals(Tag.NULL)) {
                    throw new TextException(
                            "yaml: line %d: a second document begins here; a configuration is one document"
                                    .formatted(line(more)));
                }
            }
            return value;
        });
    }

    /// The first document of a text; what follows is not even looked at.
    ///
    /// @return [Nothing] for an empty text
    static Value first(String text) throws TextException {
        return reading(() -> new YamlReader().next(documents(text)));
    }

    @FunctionalInterface
    private interface Reading {
        Value read() throws TextException;
    }

    private static Value reading(Reading reading) throws TextException {
        try {
            return reading.read();
        } catch (MarkedYAMLException broken) {
            throw new TextException(sentence(broken));
        } catch (ReaderException broken) {
            throw new TextException("yaml: control characters are not allowed");
        } catch (YAMLException broken) {
            throw new TextException("yaml: " + oneLine(broken.getMessage()));
        }
    }

    private static Composer documents(String text) {
        var options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        options.setNestingDepthLimit(DEEPEST);
        options.setMaxAliasesForCollections(Integer.MAX_VALUE);
        options.setAllowRecursiveKeys(true);
        return new Composer(
                new ParserImpl(new WholeText(text), options), new GoResolver(), options);
    }

    private Value next(Composer documents) throws TextException {
        return documents.checkNode() ? value(documents.getNode()) : new Nothing(1);
    }

    private Value value(Node node) throws TextException {
        if (++values > MOST_VALUES) {
            throw new TextException("yaml: document contains excessive aliasing");
        }
        return switch (node) {
            case ScalarNode scalar -> scalar(scalar);
            case SequenceNode sequence -> {
                enter(node);
                var items = new ArrayList<Value>();
                for (var item : sequence.getValue()) {
                    items.add(value(item));
                }
                open.remove(node);
                yield new Items(items, line(node));
            }
            case MappingNode mapping -> {
                enter(node);
                var fields = fields(mapping);
                open.remove(node);
                yield fields;
            }
            default -> throw new TextException("yaml: line " + line(node) + ": unknown anchor");
        };
    }

    private void enter(Node node) throws TextException {
        if (open.put(node, true) != null) {
            throw new TextException(
                    "yaml: anchor '%s' value contains itself".formatted(node.getAnchor()));
        }
    }

    private Fields fields(MappingNode mapping) throws TextException {
        var entries = new TreeMap<String, Value>();
        var merged = new HashMap<String, Value>();
        var lines = new HashMap<String, Integer>();
        var repeated = new ArrayList<Repeated>();
        for (var tuple : mapping.getValue()) {
            if (tuple.getKeyNode().getTag().equals(Tag.MERGE)) {
                merge(tuple.getValueNode(), merged);
                continue;
            }
            var key = key(tuple.getKeyNode());
            int line = line(tuple.getKeyNode());
            if (lines.put(key, line) != null) {
                repeated.add(new Repeated(key, line));
            }
            entries.put(key, value(tuple.getValueNode()));
        }
        merged.forEach(entries::putIfAbsent);
        return new Fields(entries, lines, repeated, line(mapping));
    }

    /// The fields of other objects, for those that an object does not give itself.
    private void merge(Node node, Map<String, Value> into) throws TextException {
        switch (value(node)) {
            case Fields fields -> fields.entries().forEach(into::putIfAbsent);
            case Items items -> {
                for (var item : items.items()) {
                    if (!(item instanceof Fields fields)) {
                        throw new TextException(
                                "yaml: map merge requires map or sequence of maps as the value");
                    }
                    fields.entries().forEach(into::putIfAbsent);
                }
            }
            default ->
                    throw new TextException(
                            "yaml: map merge requires map or sequence of maps as the value");
        }
    }

    private static String key(Node node) throws TextException {
        if (!(node instanceof ScalarNode scalar)) {
            throw new TextException("yaml: line " + line(node) + ": a key must be a scalar");
        }
        return switch (scalar(scalar)) {
            case Text text -> text.text();
            case Numeral number -> number.literal();
            case Flag flag -> String.valueOf(flag.set());
            default -> "null";
        };
    }

    private static Value scalar(ScalarNode node) throws TextException {
        var text = node.getValue();
        int line = line(node);
        try {
            if (node.getTag().equals(Tag.INT)) {
                return new Numeral(GoScalars.whole(text).toString(), line);
            }
            if (node.getTag().equals(Tag.FLOAT)) {
                return new Numeral(decimal(text), line);
            }
        } catch (NumberFormatException notNumber) {
            throw new TextException(
                    "yaml: line %d: cannot decode !!str `%s` as a number"
                            .formatted(line, Numbers.shown(text)));
        }
        if (node.getTag().equals(Tag.BINARY)) {
            return new Text(binary(text), line);
        }
        if (node.getTag().equals(Tag.BOOL) && GoScalars.isBoolean(text)) {
            return new Flag(GoScalars.isTrue(text), line);
        }
        return node.getTag().equals(Tag.NULL) ? new Nothing(line) : new Text(text, line);
    }

    private static String binary(String text) throws TextException {
        try {
            return new String(Base64.getDecoder().decode(text.replaceAll("\\s", "")), UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new TextException("yaml: !!binary value contains invalid base64 data");
        }
    }

    private static String decimal(String text) {
        double number = Double.parseDouble(text.replace("_", ""));
        return GoNumbers.shortest(number);
    }

    private static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    private static String sentence(MarkedYAMLException broken) {
        var mark = broken.getProblemMark();
        var problem = oneLine(broken.getProblem());
        if (problem.startsWith("found undefined alias")) {
            var name = problem.substring("found undefined alias".length()).strip();
            return "yaml: unknown anchor '%s' referenced".formatted(name);
        }
        problem = upstreamWords(problem);
        return mark == null
                ? "yaml: " + problem
                : "yaml: line %d: %s".formatted(mark.getLine() + 1, problem);
    }

    /// Two parsers of one origin: most of their complaints differ in words alone.
    private static String upstreamWords(String problem) {
        if (problem.startsWith("mapping values are not allowed")) {
            return "mapping values are not allowed in this context";
        }
        if (problem.startsWith("expected ',' or ']'")) {
            return "did not find expected ',' or ']'";
        }
        if (problem.startsWith("expected ',' or '}'")) {
            return "did not find expected ',' or '}'";
        }
        if (problem.startsWith("found character") && problem.contains("cannot start any token")) {
            return "found character that cannot start any token";
        }
        return problem.startsWith("expected <block end>") ? "did not find expected key" : problem;
    }

    private static String oneLine(@Nullable String text) {
        return text == null ? "malformed" : text.lines().findFirst().orElse("malformed").strip();
    }

    /// Gives plain scalars the meaning they have in Go.
    private static final class GoResolver extends Resolver {
        @Override
        public Tag resolve(NodeId kind, String value, boolean implicit) {
            if (kind == NodeId.scalar) {
                return implicit ? GoScalars.tag(value) : Tag.STR;
            }
            return super.resolve(kind, value, implicit);
        }
    }
}
