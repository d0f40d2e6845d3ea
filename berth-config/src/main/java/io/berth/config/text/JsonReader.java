package io.berth.config.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Flag;
import io.berth.config.text.Value.Items;
import io.berth.config.text.Value.Nothing;
import io.berth.config.text.Value.Numeral;
import io.berth.config.text.Value.Repeated;
import io.berth.config.text.Value.Text;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;

/// Reads the one value of a JSON text.
final class JsonReader {
    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(100).build())
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build();

    private final JsonParser parser;

    private JsonReader(JsonParser parser) {
        this.parser = parser;
    }

    static Value read(String text) throws TextException {
        try (var parser = FACTORY.createParser(text)) {
            parser.nextToken();
            var value = new JsonReader(parser).value();
            if (parser.nextToken() != null) {
                throw new TextException(
                        "line %d: more text after the end of the JSON value"
                                .formatted(parser.currentTokenLocation().getLineNr()));
            }
            return value;
        } catch (JsonProcessingException broken) {
            throw new TextException(sentence(broken));
        } catch (IOException impossible) {
            throw new IllegalStateException("reading a string failed", impossible);
        }
    }

    private Value value() throws IOException {
        int line = line();
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(line);
            case START_ARRAY -> {
                var items = new ArrayList<Value>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value());
                }
                yield new Items(items, line);
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Numeral(parser.getText(), line);
            case VALUE_TRUE, VALUE_FALSE -> new Flag(parser.getBooleanValue(), line);
            case VALUE_NULL -> new Nothing(line);
            case null, default -> new Text(parser.getText(), line);
        };
    }

    private Fields object(int line) throws IOException {
        var entries = new LinkedHashMap<String, Value>();
        var lines = new HashMap<String, Integer>();
        var repeated = new ArrayList<Repeated>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            var key = parser.currentName();
            int keyLine = line();
            parser.nextToken();
            entries.put(key, value());
            if (lines.put(key, keyLine) != null) {
                repeated.add(new Repeated(key, keyLine));
            }
        }
        return new Fields(entries, lines, repeated, line);
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    private static String sentence(JsonProcessingException broken) {
        var problem = broken.getOriginalMessage();
        var first = problem == null ? "malformed" : problem.lines().findFirst().orElse("malformed");
        var place = broken.getLocation();
        return place == null ? first : "line %d: %s".formatted(place.getLineNr(), first);
    }
}
