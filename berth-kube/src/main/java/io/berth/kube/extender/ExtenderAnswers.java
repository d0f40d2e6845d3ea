package io.berth.kube.extender;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.api.handle.Extender.ChosenVictims;
import io.berth.api.handle.Extender.Filtered;
import io.berth.api.handle.Extender.HostScore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads answers (rule E-145). Names of fields are taken in any case, unknown fields are passed
/// over, and `null` reads like an absent field. What an answer says went wrong is thrown, in its
/// own words.
final class ExtenderAnswers {
    private ExtenderAnswers() {}

    /// @param byName whether the answer is expected to name nodes; otherwise it holds them
    static Filtered filtered(byte[] json, boolean byName) throws IOException {
        @Nullable List<String> names = null;
        @Nullable List<String> items = null;
        Map<String, String> failed = Map.of();
        Map<String, String> unresolvable = Map.of();
        try (var in = open(json)) {
            for (String field = field(in); field != null; field = field(in)) {
                switch (field) {
                    case "nodes" -> items = itemNames(in);
                    case "nodenames" -> names = texts(in);
                    case "failednodes" -> failed = textMap(in);
                    case "failedandunresolvablenodes" -> unresolvable = textMap(in);
                    case "error" -> refuseIf(text(in));
                    default -> in.skipChildren();
                }
            }
        }
        var left = byName && names != null ? names : items;
        return new Filtered(left == null ? List.of() : left, failed, unresolvable);
    }

    static List<HostScore> scores(byte[] json) throws IOException {
        var result = new ArrayList<HostScore>();
        try (var in = Json.FACTORY.createParser(json)) {
            in.nextToken();
            if (!begins(in, JsonToken.START_ARRAY, "an array")) {
                return result;
            }
            while (in.nextToken() != JsonToken.END_ARRAY) {
                String host = "";
                long score = 0;
                if (begins(in, JsonToken.START_OBJECT, "an object")) {
                    for (String field = field(in); field != null; field = field(in)) {
                        switch (field) {
                            case "host" -> host = text(in);
                            case "score" -> score = number(in);
                            default -> in.skipChildren();
                        }
                    }
                }
                result.add(new HostScore(host, score));
            }
        }
        return result;
    }

    static void bound(byte[] json) throws IOException {
        try (var in = open(json)) {
            for (String field = field(in); field != null; field = field(in)) {
                if (field.equals("error")) {
                    refuseIf(text(in));
                } else {
                    in.skipChildren();
                }
            }
        }
    }

    static Map<String, ChosenVictims> victims(byte[] json) throws IOException {
        var result = new LinkedHashMap<String, ChosenVictims>();
        try (var in = open(json)) {
            for (String field = field(in); field != null; field = field(in)) {
                if (!field.equals("nodenametometavictims")) {
                    in.skipChildren();
                } else if (begins(in, JsonToken.START_OBJECT, "an object")) {
                    for (String node = in.nextFieldName();
                            node != null;
                            node = in.nextFieldName()) {
                        in.nextToken();
                        result.put(node, chosen(in));
                    }
                }
            }
        }
        return result;
    }

    private static ChosenVictims chosen(JsonParser in) throws IOException {
        var uids = new ArrayList<String>();
        long violations = 0;
        if (begins(in, JsonToken.START_OBJECT, "an object")) {
            for (String field = field(in); field != null; field = field(in)) {
                switch (field) {
                    case "pods" -> {
                        if (begins(in, JsonToken.START_ARRAY, "an array")) {
                            while (in.nextToken() != JsonToken.END_ARRAY) {
                                uids.add(textOf(in, "uid"));
                            }
                        }
                    }
                    case "numpdbviolations" -> violations = number(in);
                    default -> in.skipChildren();
                }
            }
        }
        return new ChosenVictims(uids, violations);
    }

    // --- reading

    private static void refuseIf(String error) {
        if (!error.isEmpty()) {
            throw new ExtenderException(error);
        }
    }

    private static JsonParser open(byte[] json) throws IOException {
        var in = Json.FACTORY.createParser(json);
        in.nextToken();
        if (!begins(in, JsonToken.START_OBJECT, "an object")) {
            // An answer of null says nothing: as if it were empty.
            return open(Json.bytes("{}"));
        }
        return in;
    }

    private static boolean begins(JsonParser in, JsonToken wanted, String what) throws IOException {
        if (in.currentToken() == wanted) {
            return true;
        }
        if (in.currentToken() == JsonToken.VALUE_NULL) {
            return false;
        }
        throw wrong(in, what);
    }

    private static IOException wrong(JsonParser in, String wanted) {
        String found = in.currentToken() == null ? "nothing" : in.currentToken().toString();
        return new IOException(
                "cannot understand the answer: expected %s at %s, found %s"
                        .formatted(wanted, in.getParsingContext().pathAsPointer(), found));
    }

    /// The next field's name in small letters, with its value ahead; null at the end.
    private static @Nullable String field(JsonParser in) throws IOException {
        String name = in.nextFieldName();
        if (name == null) {
            return null;
        }
        in.nextToken();
        return name.toLowerCase(Locale.ROOT);
    }

    private static String text(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case VALUE_STRING -> in.getText();
            case VALUE_NULL -> "";
            default -> throw wrong(in, "a string");
        };
    }

    private static long number(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case VALUE_NUMBER_INT -> in.getLongValue();
            case VALUE_NULL -> 0;
            default -> throw wrong(in, "an integer");
        };
    }

    private static @Nullable List<String> texts(JsonParser in) throws IOException {
        if (!begins(in, JsonToken.START_ARRAY, "an array")) {
            return null;
        }
        var result = new ArrayList<String>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            result.add(text(in));
        }
        return result;
    }

    private static Map<String, String> textMap(JsonParser in) throws IOException {
        if (!begins(in, JsonToken.START_OBJECT, "an object")) {
            return Map.of();
        }
        var result = new LinkedHashMap<String, String>();
        for (String key = in.nextFieldName(); key != null; key = in.nextFieldName()) {
            in.nextToken();
            result.put(key, text(in));
        }
        return result;
    }

    /// `items[].metadata.name` of a list.
    private static @Nullable List<String> itemNames(JsonParser in) throws IOException {
        if (!begins(in, JsonToken.START_OBJECT, "an object")) {
            return null;
        }
        var names = new ArrayList<String>();
        for (String field = field(in); field != null; field = field(in)) {
            if (!field.equals("items")) {
                in.skipChildren();
            } else if (begins(in, JsonToken.START_ARRAY, "an array")) {
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    names.add(itemName(in));
                }
            }
        }
        return names;
    }

    private static String itemName(JsonParser in) throws IOException {
        String name = "";
        if (begins(in, JsonToken.START_OBJECT, "an object")) {
            for (String field = field(in); field != null; field = field(in)) {
                if (field.equals("metadata")) {
                    name = textOf(in, "name");
                } else {
                    in.skipChildren();
                }
            }
        }
        return name;
    }

    /// One text field of the object ahead.
    private static String textOf(JsonParser in, String wanted) throws IOException {
        String result = "";
        if (begins(in, JsonToken.START_OBJECT, "an object")) {
            for (String field = field(in); field != null; field = field(in)) {
                if (field.equals(wanted)) {
                    result = text(in);
                } else {
                    in.skipChildren();
                }
            }
        }
        return result;
    }
}
