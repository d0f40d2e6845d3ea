package io.berth.config.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/// The YAML half of [ObjectStream]: event by event, without a tree.
final class YamlObjects {
    private static final String ITEMS = "items";

    private final ParserImpl parser;
    private final JsonFactory factory;
    private final ObjectStream.Sink sink;
    private int depth;

    YamlObjects(InputStream in, JsonFactory factory, ObjectStream.Sink sink) {
        var options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        this.parser =
                new ParserImpl(
                        new StreamReader(new InputStreamReader(in, StandardCharsets.UTF_8)),
                        options);
        this.factory = factory;
        this.sink = sink;
    }

    void read() throws TextException, IOException {
        try {
            for (Event event = parser.getEvent(); event != null; event = parser.getEvent()) {
                if (event instanceof MappingStartEvent) {
                    value("");
                } else if (event instanceof SequenceStartEvent
                        || event instanceof ScalarEvent scalar && !scalar.getValue().isEmpty()) {
                    throw unexpected(event, "an object is expected here");
                } else if (event.is(Event.ID.StreamEnd)) {
                    return;
                }
            }
        } catch (MarkedYAMLException broken) {
            var mark = broken.getProblemMark();
            throw new TextException(
                    "line %d: %s"
                            .formatted(mark == null ? 0 : mark.getLine() + 1, broken.getProblem()));
        } catch (YAMLException broken) {
            if (broken.getCause() instanceof IOException unreadable) {
                throw unreadable;
            }
            throw new TextException(
                    String.valueOf(broken.getMessage()).lines().findFirst().orElse("malformed"));
        }
    }

    /// Copies the object that has begun; of a list, its items instead.
    private void value(String listKind) throws TextException, IOException {
        if (++depth > ObjectStream.DEEPEST) {
            throw new TextException("lists are nested deeper than " + ObjectStream.DEEPEST);
        }
        var bytes = new ByteArrayOutputStream(2048);
        boolean isList = false;
        String kind = "";
        try (JsonGenerator out = factory.createGenerator(bytes)) {
            out.writeStartObject();
            for (var key = key(); key != null; key = key()) {
                var event = parser.getEvent();
                if (key.equals(ITEMS) && event instanceof SequenceStartEvent) {
                    isList = true;
                    items(kind);
                    continue;
                }
                if (key.equals("kind") && event instanceof ScalarEvent scalar) {
                    kind = scalar.getValue();
                }
                out.writeFieldName(key);
                copy(event, out);
            }
            out.writeEndObject();
        }
        depth--;
        if (isList) {
            sink.listEnd(kind);
        } else {
            sink.object(bytes.toByteArray(), listKind);
        }
    }

    private void items(String kind) throws TextException, IOException {
        for (var event = parser.getEvent();
                !event.is(Event.ID.SequenceEnd);
                event = parser.getEvent()) {
            if (!(event instanceof MappingStartEvent)) {
                throw unexpected(event, "an object is expected here");
            }
            value(kind);
        }
    }

    /// The next key of the mapping; null at its end.
    private @Nullable String key() throws TextException {
        var event = parser.getEvent();
        if (event.is(Event.ID.MappingEnd)) {
            return null;
        }
        if (event instanceof ScalarEvent scalar) {
            return scalar.getValue();
        }
        throw unexpected(event, "a key must be a scalar");
    }

    private void copy(Event event, JsonGenerator out) throws TextException, IOException {
        switch (event) {
            case MappingStartEvent _ -> {
                out.writeStartObject();
                for (var key = key(); key != null; key = key()) {
                    out.writeFieldName(key);
                    copy(parser.getEvent(), out);
                }
                out.writeEndObject();
            }
            case SequenceStartEvent _ -> {
                out.writeStartArray();
                for (var item = parser.getEvent();
                        !item.is(Event.ID.SequenceEnd);
                        item = parser.getEvent()) {
                    copy(item, out);
                }
                out.writeEndArray();
            }
            case ScalarEvent scalar -> scalar(scalar, out);
            default -> throw unexpected(event, "aliases are not followed in dumps");
        }
    }

    private static void scalar(ScalarEvent scalar, JsonGenerator out)
            throws TextException, IOException {
        var text = scalar.getValue();
        boolean isPlain = scalar.getImplicit().canOmitTagInPlainScalar() && scalar.isPlain();
        var tag = isPlain ? GoScalars.tag(text) : Tag.STR;
        try {
            if (tag.equals(Tag.NULL)) {
                out.writeNull();
            } else if (tag.equals(Tag.BOOL)) {
                out.writeBoolean(GoScalars.isTrue(text));
            } else if (tag.equals(Tag.INT)) {
                out.writeNumber(GoScalars.whole(text));
            } else if (tag.equals(Tag.FLOAT)) {
                out.writeNumber(Double.parseDouble(text.replace("_", "")));
            } else {
                out.writeString(text);
            }
        } catch (NumberFormatException noNumber) {
            out.writeString(text);
        }
    }

    private static TextException unexpected(Event event, String sentence) {
        return new TextException(
                "line %d: %s".formatted(event.getStartMark().getLine() + 1, sentence));
    }
}
