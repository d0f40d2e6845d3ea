package io.berth.apiserver.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.berth.apiserver.resource.ResourceType;
import io.berth.apiserver.schema.Field;
import io.berth.apiserver.schema.SchemaCatalog;
import io.berth.apiserver.schema.SchemaType;
import io.berth.apiserver.schema.SchemaType.ListOf;
import io.berth.apiserver.schema.SchemaType.MapOf;
import io.berth.apiserver.schema.SchemaType.Scalar;
import io.berth.apiserver.schema.StructType;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/// Reads a JSON tree as an object of its kind, as the typed decoder of the real server does: wrong
/// types are refused, unknown fields and nulls fall away, quantities and times take their one
/// written form.
public final class Decoder {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'");
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

    private final ResourceType resource;
    private final List<String> unknownFields = new ArrayList<>();

    private Decoder(ResourceType resource) {
        this.resource = resource;
    }

    /// What came out.
    ///
    /// @param object the object without unknown fields
    /// @param strictErrors what `fieldValidation=Warn` warns about, such as `unknown field
    ///   "spec.foo"`
    public record Decoded(ObjectNode object, List<String> strictErrors) {
        public Decoded {
            strictErrors = List.copyOf(strictErrors);
        }

        /// The object if there are no strict errors; this is `fieldValidation=Strict`.
        public ObjectNode strict(ResourceType type) {
            if (strictErrors.isEmpty()) {
                return object;
            }
            throw cannotBeHandled(
                    type, "strict decoding error: " + String.join(", ", strictErrors));
        }
    }

    /// Decodes an object, or says in a [Refusal] why it is not one of this kind. The given tree is
    /// left as it is. Of a kind that the schema catalog does not know, the metadata are decoded and
    /// the rest passes unchanged.
    public static Decoded decode(ResourceType type, JsonNode body) {
        if (!(body instanceof ObjectNode object)) {
            throw cannotBeHandled(
                    type,
                    "json: cannot unmarshal %s into Go value of type %s.%s"
                            .formatted(typeName(body), type.version(), type.kind()));
        }
        var decoder = new Decoder(type);
        var struct = SchemaCatalog.of(type);
        if (struct.isEmpty()) {
            return new Decoded(decoder.untyped(object), decoder.unknownFields);
        }
        ObjectNode decoded = decoder.struct(struct.get(), object, "", "");
        return new Decoded(decoded, decoder.unknownFields);
    }

    private static Refusal cannotBeHandled(ResourceType type, String problem) {
        return Refusal.badRequest(
                "%s in version \"%s\" cannot be handled as a %s: %s"
                        .formatted(type.kind(), type.version(), type.kind(), problem));
    }

    private ObjectNode untyped(ObjectNode object) {
        ObjectNode result = object.deepCopy();
        JsonNode metadata = object.path("metadata");
        if (metadata instanceof ObjectNode given) {
            StructType type = SchemaCatalog.struct("meta.v1.ObjectMeta").orElseThrow();
            result.set("metadata", struct(type, given, "metadata", "metadata"));
        } else if (!metadata.isMissingNode()) {
            throw cannotBeHandled(resource, "metadata must be an object");
        }
        return result;
    }

    /// @param goPath field names alone, as Go's errors show it
    /// @param path with indices, as strict errors show it
    private ObjectNode struct(StructType type, ObjectNode object, String goPath, String path) {
        ObjectNode result = object.objectNode();
        for (var entry : object.properties()) {
            String name = entry.getKey();
            JsonNode value = entry.getValue();
            var field = type.field(name);
            if (field.isEmpty()) {
                unknownFields.add("unknown field \"" + join(path, name) + "\"");
            } else if (!value.isNull()) {
                var place = new Place(type, field.get(), join(goPath, name));
                result.set(name, value(field.get().type(), value, place, join(path, name)));
            }
        }
        return result;
    }

    private JsonNode value(SchemaType type, JsonNode value, Place place, String path) {
        return switch (type) {
            case StructType struct -> {
                if (!(value instanceof ObjectNode object)) {
                    throw mismatch(value, place, type);
                }
                yield struct(struct, object, place.goPath, path);
            }
            case ListOf list -> {
                if (!(value instanceof ArrayNode array)) {
                    throw mismatch(value, place, type);
                }
                ArrayNode result = array.arrayNode();
                for (int i = 0; i < array.size(); i++) {
                    if (!array.get(i).isNull()) {
                        result.add(value(list.items(), array.get(i), place, path + "[" + i + "]"));
                    }
                }
                yield result;
            }
            case MapOf map -> {
                if (!(value instanceof ObjectNode object)) {
                    throw mismatch(value, place, type);
                }
                ObjectNode result = object.objectNode();
                for (var entry : object.properties()) {
                    String inner = join(path, entry.getKey());
                    if (!entry.getValue().isNull()) {
                        result.set(
                                entry.getKey(),
                                value(map.values(), entry.getValue(), place, inner));
                    } else if (map.values() == Scalar.STRING) {
                        result.put(entry.getKey(), "");
                    }
                }
                yield result;
            }
            case Scalar scalar -> scalar(scalar, value, place);
        };
    }

    private JsonNode scalar(Scalar scalar, JsonNode value, Place place) {
        boolean fits =
                switch (scalar) {
                    case STRING, BYTES, TIME, MICRO_TIME -> value.isTextual();
                    case BOOLEAN -> value.isBoolean();
                    case INT32 -> value.isIntegralNumber() && value.canConvertToInt();
                    case INT64 -> value.isIntegralNumber() && value.canConvertToLong();
                    case DOUBLE -> value.isNumber();
                    case QUANTITY, ANY -> true;
                    case INT_OR_STRING ->
                            value.isTextual()
                                    || (value.isIntegralNumber() && value.canConvertToInt());
                };
        if (!fits) {
            throw mismatch(value, place, scalar);
        }
        return switch (scalar) {
            case QUANTITY -> quantity(value.asText());
            case TIME -> time(value.textValue(), SECONDS, "");
            case MICRO_TIME -> time(value.textValue(), MICROS, ".000000");
            case ANY -> value.deepCopy();
            case STRING, BYTES, BOOLEAN, INT32, INT64, DOUBLE, INT_OR_STRING -> value;
        };
    }

    private JsonNode quantity(String text) {
        return Quantity.parse(text)
                .map(quantity -> TextNode.valueOf(quantity.canonical()))
                .orElseThrow(() -> cannotBeHandled(resource, Quantity.SYNTAX_MESSAGE));
    }

    /// @param fraction how Go writes the fraction of a second in the layout
    private JsonNode time(String text, DateTimeFormatter format, String fraction) {
        try {
            var time = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
            return TextNode.valueOf(format.format(time));
        } catch (DateTimeException e) {
            throw cannotBeHandled(
                    resource,
                    ("parsing time \"%s\" as \"2006-01-02T15:04:05%sZ07:00\": cannot parse"
                                    + " \"%s\" as \"2006\"")
                            .formatted(text, fraction, text));
        }
    }

    /// A field, and how Go names its place.
    private record Place(StructType owner, Field field, String goPath) {}

    private Refusal mismatch(JsonNode value, Place place, SchemaType type) {
        String found = typeName(value);
        if (value.isNumber() && (type == Scalar.INT32 || type == Scalar.INT64)) {
            found += " " + value.asText();
        }
        return cannotBeHandled(
                resource,
                "json: cannot unmarshal %s into Go struct field %s.%s of type %s"
                        .formatted(found, place.owner.simpleName(), place.goPath, goName(type)));
    }

    private static String goName(SchemaType type) {
        return switch (type) {
            case StructType struct -> {
                String[] parts = struct.name().split("\\.", -1);
                yield parts[parts.length - 2] + "." + struct.simpleName();
            }
            case ListOf list -> "[]" + goName(list.items());
            case MapOf map -> "map[string]" + goName(map.values());
            case Scalar scalar ->
                    switch (scalar) {
                        case STRING, TIME, MICRO_TIME -> "string";
                        case BOOLEAN -> "bool";
                        case INT32 -> "int32";
                        case INT64 -> "int64";
                        case DOUBLE -> "float64";
                        case QUANTITY -> "resource.Quantity";
                        case INT_OR_STRING -> "intstr.IntOrString";
                        case BYTES -> "[]uint8";
                        case ANY -> "interface {}";
                    };
        };
    }

    private static String typeName(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT, POJO -> "object";
            case ARRAY -> "array";
            case STRING, BINARY -> "string";
            case NUMBER -> "number";
            case BOOLEAN -> "bool";
            case NULL, MISSING -> "null";
        };
    }

    private static String join(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
