package io.berth.config.schema;

import io.berth.api.amount.GoDuration;
import io.berth.config.schema.Type.ListOf;
import io.berth.config.schema.Type.MapOf;
import io.berth.config.schema.Type.Raw;
import io.berth.config.schema.Type.Scalar;
import io.berth.config.schema.Type.Struct;
import io.berth.config.text.DurationText;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Flag;
import io.berth.config.text.Value.Items;
import io.berth.config.text.Value.Nothing;
import io.berth.config.text.Value.Numeral;
import io.berth.config.text.Value.Text;
import java.util.LinkedHashMap;

/// The form in which Go writes a value of a type: fields in the type's order, empty ones left out
/// unless the type wants them always.
public final class Canonical {
    private Canonical() {}

    public static Fields of(Fields fields, Struct type) {
        var written = new LinkedHashMap<String, Value>();
        type.fields()
                .forEach((name, inner) -> {
                    var value = fields.find(name);
                    if (value != null
                            && !(value instanceof Items items && items.items().isEmpty())) {
                        written.put(name, of(value, inner));
                    } else if (type.always().contains(name)) {
                        written.put(name, value == null ? zero(inner) : value);
                    }
                });
        return Value.of(written);
    }

    private static Value of(Value value, Type type) {
        return switch (type) {
            case Struct struct ->
                    value instanceof Fields fields ? of(fields, struct) : of(Fields.EMPTY, struct);
            case ListOf list ->
                    value instanceof Items items
                            ? Value.of(
                                    items.items().stream()
                                            .map(item -> of(item, list.element()))
                                            .toList())
                            : value;
            case MapOf map -> value;
            case Raw raw -> value;
            case Scalar scalar -> scalar(value, scalar);
        };
    }

    private static Value scalar(Value value, Scalar type) {
        if (value instanceof Nothing) {
            return zero(type);
        }
        return type.kind() == Type.Kind.DURATION && value instanceof Text text
                ? Value.of(GoDuration.format(DurationText.parse(text.text())))
                : value;
    }

    private static Value zero(Type type) {
        return switch (type) {
            case Struct struct -> of(Fields.EMPTY, struct);
            case Scalar scalar ->
                    switch (scalar.kind()) {
                        case STRING -> new Text("", 0);
                        case BOOL -> new Flag(false, 0);
                        case INT32, INT64, FLOAT32 -> new Numeral("0", 0);
                        case DURATION, BYTES -> new Nothing(0);
                    };
            case ListOf list -> new Nothing(0);
            case MapOf map -> new Nothing(0);
            case Raw raw -> new Nothing(0);
        };
    }
}
