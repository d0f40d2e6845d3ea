package io.berth.config.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/// Takes a dump of objects apart, in JSON or YAML: one object or several documents, each an object
/// or a list of them. Every object comes out as JSON of its own, so that a large list is never in
/// memory as a whole.
public final class ObjectStream {
    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(100)
                                    .maxStringLength(8 << 20)
                                    .build())
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build();
    private static final String ITEMS = "items";

    /// Who takes the objects.
    @FunctionalInterface
    public interface Sink {
        /// @param listKind what the list says that its objects are, such as `PodList`; empty where
        ///   it says nothing, or where there is no list
        void object(byte[] json, String listKind) throws IOException;
    }

    private ObjectStream() {}

    /// @throws TextException where the text is neither JSON nor YAML, from some line on
    /// @throws IOException where it cannot be read
    public static void read(InputStream in, Sink sink) throws TextException, IOException {
        var buffered = new BufferedInputStream(in, 1 << 16);
        if (beginsWithBrace(buffered)) {
            json(buffered, sink);
        } else {
            new YamlObjects(buffered, FACTORY, sink).read();
        }
    }

    private static boolean beginsWithBrace(BufferedInputStream in) throws IOException {
        in.mark(1 << 12);
        int letter = in.read();
        for (int i = 0; i < 4000 && letter >= 0 && Character.isWhitespace(letter); i++) {
            letter = in.read();
        }
        in.reset();
        return letter == '{';
    }

    private static void json(InputStream in, Sink sink) throws TextException, IOException {
        try (var parser = FACTORY.createParser(in)) {
            while (parser.nextToken() != null) {
                value(parser, sink, "");
            }
        } catch (JsonProcessingException broken) {
            var place = broken.getLocation();
            throw new TextException(
                    "line %d: %s"
                            .formatted(
                                    place == null ? 0 : place.getLineNr(),
                                    String.valueOf(broken.getOriginalMessage())));
        }
    }

    /// Copies an object; of a list, its items instead.
    private static void value(JsonParser parser, Sink sink, String listKind)
            throws TextException, IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new TextException(
                    "line %d: an object is expected here"
                            .formatted(parser.currentTokenLocation().getLineNr()));
        }
        var bytes = new ByteArrayOutputStream(2048);
        boolean isList = false;
        String kind = "";
        try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
            out.writeStartObject();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                var name = parser.currentName();
                var token = parser.nextToken();
                if (name.equals(ITEMS) && token == JsonToken.START_ARRAY) {
                    isList = true;
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        value(parser, sink, kind);
                    }
                    continue;
                }
                if (name.equals("kind") && token == JsonToken.VALUE_STRING) {
                    kind = parser.getText();
                }
                out.writeFieldName(name);
                out.copyCurrentStructure(parser);
            }
            out.writeEndObject();
        }
        if (!isList) {
            sink.object(bytes.toByteArray(), listKind);
        }
    }
}
