package io.berth.config.schema;

import io.berth.config.schema.Type.ListOf;
import io.berth.config.schema.Type.MapOf;
import io.berth.config.schema.Type.Raw;
import io.berth.config.schema.Type.Scalar;
import io.berth.config.schema.Type.Struct;
import io.berth.config.text.DurationText;
import io.berth.config.text.JsonWriter;
import io.berth.config.text.Value;
import io.berth.config.text.Value.Fields;
import io.berth.config.text.Value.Flag;
import io.berth.config.text.Value.Items;
import io.berth.config.text.Value.Nothing;
import io.berth.config.text.Value.Numeral;
import io.berth.config.text.Value.Text;
import java.util.ArrayList;
import java.util.List;

/// Compares a value with the type it should have (rules P-72, P-73). Finds everything that is
/// wrong, in the order of the text.
public final class StrictDecoder {
    /// Something wrong, in upstream's words, and where.
    public record Finding(String text, int line) {}

    private final boolean json;
    private final List<Finding> mismatches = new ArrayList<>();
    private final List<Finding> strict = new ArrayList<>();

    /// @param json whether the text is JSON: repeated keys are found here then, and by
    ///   [#repeatedKeys] otherwise
    public StrictDecoder(boolean json) {
        this.json = json;
    }

    /// Values of the wrong type.
    public List<Finding> mismatches() {
        return mismatches;
    }

    /// Unknown and repeated fields.
    public List<Finding> strict() {
        return strict;
    }

    public void check(Fields root, Struct type) {
        fields(root, type, "", "");
    }

    /// The repeated keys of a YAML text.
    public static List<Finding> repeatedKeys(Value value) {
        var found = new ArrayList<Finding>();
        collectRepeated(value, found);
        found.sort(java.util.Comparator.comparingInt(Finding::line));
        return found;
    }

    private static void collectRepeated(Value value, List<Finding> found) {
        switch (value) {
            case Fields fields -> {
                for (var repeated : fields.repeated()) {
                    found.add(
                            new Finding(
                                    "line %d: key %s already set in map"
                                            .formatted(
                                                    repeated.line(),
                                                    JsonWriter.quoted(repeated.key())),
                                    repeated.line()));
                }
                fields.entries().values().forEach(inner -> collectRepeated(inner, found));
            }
            case Items items -> items.items().forEach(inner -> collectRepeated(inner, found));
            case Text text -> {}
            case Numeral number -> {}
            case Flag flag -> {}
            case Nothing nothing -> {}
        }
    }

    private void fields(Fields fields, Struct type, String path, String goPath) {
        fields.entries()
                .forEach((key, value) -> {
                    var here = path.isEmpty() ? key : path + "." + key;
                    if (json) {
                        repeated(fields, key, here);
                    }
                    var inner = type.fields().get(key);
                    if (inner == null) {
                        strict.add(
                                new Finding(
                                        "unknown field " + JsonWriter.quoted(here),
                                        fields.keyLine(key)));
                    } else {
                        value(value, inner, new Place(type.simpleName(), goPath + key, here));
                    }
                });
    }

    private void repeated(Fields fields, String key, String path) {
        for (var repeated : fields.repeated()) {
            if (repeated.key().equals(key)) {
                strict.add(
                        new Finding("duplicate field " + JsonWriter.quoted(path), repeated.line()));
            }
        }
    }

    /// @param goPath the path without indices, as Go's errors show it
    private record Place(String struct, String goPath, String path) {
        Place at(int index) {
            return new Place(struct, goPath, path + "[" + index + "]");
        }
    }

    private void value(Value value, Type type, Place place) {
        if (value instanceof Nothing) {
            return;
        }
        switch (type) {
            case Raw raw -> {}
            case Struct struct -> {
                if (value instanceof Fields fields) {
                    fields(fields, struct, place.path, place.goPath + ".");
                } else {
                    mismatch(value, type, place);
                }
            }
            case ListOf list -> {
                if (value instanceof Items items) {
                    for (int i = 0; i < items.items().size(); i++) {
                        value(items.items().get(i), list.element(), place.at(i));
                    }
                } else {
                    mismatch(value, type, place);
                }
            }
            case MapOf map -> {
                if (value instanceof Fields fields) {
                    fields.entries().values().forEach(inner -> value(inner, map.element(), place));
                } else {
                    mismatch(value, type, place);
                }
            }
            case Scalar scalar -> scalar(value, scalar, place);
        }
    }

    private void scalar(Value value, Scalar type, Place place) {
        boolean fits =
                switch (type.kind()) {
                    case STRING, DURATION, BYTES -> value instanceof Text;
                    case BOOL -> value instanceof Flag;
                    case INT32 -> isWhole(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
                    case INT64 -> isWhole(value, Long.MIN_VALUE, Long.MAX_VALUE);
                    case FLOAT32 ->
                            value instanceof Numeral number
                                    && Float.isFinite(Float.parseFloat(number.literal()));
                };
        if (!fits) {
            mismatch(value, type, place);
        } else if (value instanceof Text text) {
            content(text, type, place);
        }
    }

    /// Strings that must be read further. Go's errors lack the field's name here; ours has it.
    private void content(Text text, Scalar type, Place place) {
        try {
            if (type.kind() == Type.Kind.DURATION) {
                DurationText.parse(text.text());
            } else if (type.kind() == Type.Kind.BYTES) {
                Base64Data.decode(text.text());
            }
        } catch (IllegalArgumentException malformed) {
            mismatches.add(new Finding(place.path + ": " + malformed.getMessage(), text.line()));
        }
    }

    private static boolean isWhole(Value value, long min, long max) {
        if (!(value instanceof Numeral number)) {
            return false;
        }
        try {
            long whole = Long.parseLong(number.literal());
            return whole >= min && whole <= max;
        } catch (NumberFormatException notWhole) {
            return false;
        }
    }

    private void mismatch(Value value, Type type, Place place) {
        boolean wantsNumber =
                type instanceof Scalar scalar
                        && switch (scalar.kind()) {
                            case INT32, INT64, FLOAT32 -> true;
                            case STRING, BOOL, DURATION, BYTES -> false;
                        };
        var word =
                value instanceof Numeral number && wantsNumber
                        ? "number " + number.literal()
                        : value.word();
        mismatches.add(
                new Finding(
                        "json: cannot unmarshal %s into Go struct field %s.%s of type %s"
                                .formatted(word, place.struct, place.goPath, type.goName()),
                        value.line()));
    }
}
