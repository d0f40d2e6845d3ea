package io.berth.app.flag;

import java.util.ArrayList;
import java.util.List;

/// Lists in one flag value: fields between commas, in double quotes where a field holds a comma.
public final class Csv {
    private Csv() {}

    /// The fields of one value; none for an empty one.
    public static List<String> fields(String value) throws FlagException {
        return value.isEmpty() ? List.of() : new Reading(value).fields();
    }

    /// The fields of a repeated flag, one after the other.
    public static List<String> fields(List<String> values) throws FlagException {
        var fields = new ArrayList<String>();
        for (String value : values) {
            fields.addAll(fields(value));
        }
        return fields;
    }

    /// One pass over a value. Like pflag it reads the first line and forgets the rest.
    private static final class Reading {
        private final String line;
        private final List<String> fields = new ArrayList<>();
        private int position;

        Reading(String value) {
            int end = value.indexOf('\n');
            this.line = end < 0 ? value : value.substring(0, end);
        }

        List<String> fields() throws FlagException {
            do {
                fields.add(
                        position < line.length() && line.charAt(position) == '"'
                                ? quoted()
                                : plain());
            } while (position++ < line.length());
            return fields;
        }

        private String plain() throws FlagException {
            int comma = line.indexOf(',', position);
            int end = comma < 0 ? line.length() : comma;
            String field = line.substring(position, end);
            int quote = field.indexOf('"');
            if (quote >= 0) {
                throw wrong(position + quote, "bare \" in non-quoted field");
            }
            position = end;
            return field;
        }

        private String quoted() throws FlagException {
            var field = new StringBuilder();
            position++;
            while (position < line.length()) {
                char letter = line.charAt(position);
                if (letter != '"') {
                    field.append(letter);
                    position++;
                } else if (line.startsWith("\"\"", position)) {
                    field.append('"');
                    position += 2;
                } else {
                    position++;
                    if (position < line.length() && line.charAt(position) != ',') {
                        throw wrong(position - 1, "extraneous or missing \" in quoted-field");
                    }
                    return field.toString();
                }
            }
            throw wrong(line.length(), "extraneous or missing \" in quoted-field");
        }

        private static FlagException wrong(int index, String what) {
            return new FlagException("parse error on line 1, column " + (index + 1) + ": " + what);
        }
    }
}
