package io.berth.config.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;

/// Takes a dump of objects apart, in JSON or YAML: one object or several documents, each an object
/// or a list of them. Every object comes out as JSON of its own, so that a large list is never in
/// memory as a whole.
public final class ObjectStream {
    /// No object of the API is nested like this.
    static final int DEEPEST = 100;

    /// The YAML parser's time grows with the square of a line. An API server takes no object of
    /// this size.
    private static final int LONGEST_YAML_LINE = 2 << 20;

    private static final int BUFFER_BYTES = 1 << 16;

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(DEEPEST)
                                    .maxStringLength(8 << 20)
                                    .build())
                    .streamWriteConstraints(
                            StreamWriteConstraints.builder().maxNestingDepth(DEEPEST).build())
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build();
    private static final String ITEMS = "items";

    /// Who takes the objects.
    @FunctionalInterface
    public interface Sink {
        /// @param listKind what the list says that its objects are, such as `PodList`; empty where
        ///   it says nothing, or where there is no list
        void object(byte[] json, String listKind) throws IOException;

        /// A list has ended.
        ///
        /// @param kind empty where the list does not say, as one that was cut off: in what kubectl
        ///   writes it comes after the objects
        default void listEnd(String kind) {}
    }

    private ObjectStream() {}

    /// @throws TextException where the text is neither JSON nor YAML, from some line on
    /// @throws IOException where it cannot be read
    public static void read(InputStream in, Sink sink) throws TextException, IOException {
        var buffered = new BufferedInputStream(in, BUFFER_BYTES);
        try {
            refuseOtherFormats(buffered);
            if (beginsWithBrace(buffered)) {
                json(new PlainText(buffered, Integer.MAX_VALUE), sink);
            } else {
                new YamlObjects(new PlainText(buffered, LONGEST_YAML_LINE), FACTORY, sink).read();
            }
        } catch (PlainText.NoTextException noText) {
            throw new TextException(String.valueOf(noText.getMessage()));
        } catch (JsonProcessingException broken) {
            throw new TextException(sentence(broken));
        }
    }

    /// What people hand over by mistake; skips the mark that some editors put before UTF-8.
    private static void refuseOtherFormats(BufferedInputStream in)
            throws TextException, IOException {
        in.mark(3);
        byte[] first = in.readNBytes(3);
        in.reset();
        switch (HexFormat.of().formatHex(first)) {
            case String start when start.startsWith("1f8b") ->
                    throw new TextException("compressed with gzip; unpack it first, with gunzip");
            case String start when start.startsWith("fffe") || start.startsWith("feff") ->
                    throw new TextException(
                            "UTF-16, as PowerShell's > writes; write UTF-8, with | Out-File -Encoding utf8");
            case "efbbbf" -> in.skipNBytes(3);
            default -> {}
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
        }
    }

    /// Without what it says of its own methods.
    private static String sentence(JsonProcessingException broken) {
        var place = broken.getLocation();
        var text = String.valueOf(broken.getOriginalMessage()).replaceAll(", from `[^`]*`", "");
        return place == null || place.getLineNr() <= 0
                ? text
                : "line %d: %s".formatted(place.getLineNr(), text);
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
        if (isList) {
            sink.listEnd(kind);
        } else {
            sink.object(bytes.toByteArray(), listKind);
        }
    }
}
