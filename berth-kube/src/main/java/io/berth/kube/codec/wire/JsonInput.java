package io.berth.kube.codec.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import io.berth.api.amount.Quantity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/// A stream of JSON values, read token by token.
public final class JsonInput extends ObjectInput {
    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    // Names of fields come from a table of the factory; the JVM's own is slower.
                    .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                    // Many similar keys reset that table instead of failing the stream.
                    .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(200)
                                    .maxStringLength(16 << 20)
                                    .build())
                    .build();

    private final JsonParser parser;

    public JsonInput(InputStream in, Shared shared) throws IOException {
        super(shared);
        this.parser = FACTORY.createParser(in);
    }

    public JsonInput(byte[] json, Shared shared) throws IOException {
        super(shared);
        this.parser = FACTORY.createParser(json);
    }

    /// The parser, for readers of other shapes.
    public JsonParser parser() {
        return parser;
    }

    /// Goes to the next value of the stream; false at its end.
    public boolean nextValue() throws IOException {
        return parser.nextToken() != null;
    }

    @Override
    public boolean beginObject() {
        return begins(JsonToken.START_OBJECT, "an object");
    }

    @Override
    public boolean beginArray() {
        return begins(JsonToken.START_ARRAY, "an array");
    }

    private boolean begins(JsonToken wanted, String what) {
        var token = parser.currentToken();
        if (token == wanted) {
            return true;
        }
        if (token == JsonToken.VALUE_NULL) {
            return false;
        }
        throw wrongType(what);
    }

    @Override
    public @Nullable String nextField() throws IOException {
        String name = parser.nextFieldName();
        if (name == null) {
            return null;
        }
        parser.nextToken();
        return name;
    }

    @Override
    public boolean nextElement() throws IOException {
        return parser.nextToken() != JsonToken.END_ARRAY;
    }

    @Override
    public void skip() throws IOException {
        parser.skipChildren();
    }

    /// Writes JSON beside this input.
    public JsonGenerator generator(OutputStream out) throws IOException {
        return FACTORY.createGenerator(out);
    }

    /// The value as a tree of maps, lists, texts, numbers and booleans that nobody can change.
    public @Nullable Object tree() throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                var fields = new LinkedHashMap<String, @Nullable Object>();
                for (String field = nextField(); field != null; field = nextField()) {
                    fields.put(field, tree());
                }
                yield Collections.unmodifiableMap(fields);
            }
            case START_ARRAY -> {
                var elements = new ArrayList<@Nullable Object>();
                while (nextElement()) {
                    elements.add(tree());
                }
                yield Collections.unmodifiableList(elements);
            }
            case VALUE_STRING -> text();
            case VALUE_NUMBER_INT -> number();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw wrongType("a value");
        };
    }

    /// Copies the value as JSON and goes to its end.
    public void copyTo(OutputStream out) throws IOException {
        try (var generator = FACTORY.createGenerator(out)) {
            generator.copyCurrentStructure(parser);
        }
    }

    @Override
    public String json() throws IOException {
        if (isNull()) {
            return "";
        }
        var bytes = new ByteArrayOutputStream();
        copyTo(bytes);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public boolean isNull() {
        return parser.currentToken() == JsonToken.VALUE_NULL;
    }

    @Override
    public String text() throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NULL -> "";
            default -> throw wrongType("a string");
        };
    }

    @Override
    public String sharedText() throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_STRING ->
                    shared().string(
                                    parser.getTextCharacters(),
                                    parser.getTextOffset(),
                                    parser.getTextLength());
            case VALUE_NULL -> "";
            default -> throw wrongType("a string");
        };
    }

    @Override
    public boolean flag() {
        return switch (parser.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE, VALUE_NULL -> false;
            default -> throw wrongType("a boolean");
        };
    }

    @Override
    public long number() throws IOException {
        return switch (parser.currentToken()) {
            case VALUE_NUMBER_INT -> {
                try {
                    yield parser.getLongValue();
                } catch (InputCoercionException tooLarge) {
                    throw wrongType("a 64-bit integer");
                }
            }
            case VALUE_NULL -> 0;
            default -> throw wrongType("an integer");
        };
    }

    @Override
    public @Nullable Instant time() throws IOException {
        if (isNull()) {
            return null;
        }
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw wrongType("a time");
        }
        try {
            return Times.parse(
                    parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
        } catch (DateTimeException malformed) {
            throw wrongType("a time");
        }
    }

    /// The API takes numbers as well as strings.
    @Override
    public @Nullable Quantity quantity() throws IOException {
        switch (parser.currentToken()) {
            case VALUE_NULL -> {
                return null;
            }
            case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                try {
                    return shared().quantity(
                                    parser.getTextCharacters(),
                                    parser.getTextOffset(),
                                    parser.getTextLength());
                } catch (IllegalArgumentException malformed) {
                    throw wrongType("a quantity");
                }
            }
            default -> throw wrongType("a quantity");
        }
    }

    @Override
    public UnreadableException wrongType(String wanted) {
        String found =
                switch (parser.currentToken()) {
                    case START_OBJECT -> "an object";
                    case START_ARRAY -> "an array";
                    case VALUE_STRING -> "a string";
                    case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
                    case VALUE_TRUE, VALUE_FALSE -> "a boolean";
                    case null, default -> "something else";
                };
        boolean same = wanted.equals(found);
        return new UnreadableException(
                path(parser.getParsingContext())
                        + ": expected "
                        + wanted
                        + (same ? "" : ", found " + found));
    }

    @Override
    public int depth() {
        return parser.getParsingContext().getNestingDepth();
    }

    @Override
    public void leave(int depth) throws IOException {
        var token = parser.currentToken();
        while (!(token == JsonToken.END_OBJECT && depth() == depth - 1)) {
            token = parser.nextToken();
            if (token == null) {
                throw new java.io.EOFException("end of input within an object");
            }
        }
    }

    private static String path(JsonStreamContext context) {
        var text = new StringBuilder();
        for (var at = context; at != null && !at.inRoot(); at = at.getParent()) {
            text.insert(
                    0,
                    at.inArray()
                            ? at.hasCurrentIndex() ? "[" + at.getCurrentIndex() + "]" : ""
                            : at.getCurrentName() == null ? "" : "." + at.getCurrentName());
        }
        return text.isEmpty() ? "(root)" : text.substring(text.charAt(0) == '.' ? 1 : 0);
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
