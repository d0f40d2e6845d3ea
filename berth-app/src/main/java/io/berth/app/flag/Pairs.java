package io.berth.app.flag;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Maps in flag values: `key=value`, several in one value if they are separated by commas. A single
/// pair may have commas on either side of its sign.
public final class Pairs {
    private Pairs() {}

    static Map<String, String> read(String value) throws FlagException {
        long signs = value.chars().filter(letter -> letter == '=').count();
        if (signs == 0) {
            throw new FlagException(value + " must be formatted as key=value");
        }
        var pairs = new TreeMap<String, String>();
        for (String pair : signs == 1 ? List.of(unquoted(value)) : Csv.fields(value)) {
            int sign = pair.indexOf('=');
            if (sign < 0) {
                throw new FlagException(pair + " must be formatted as key=value");
            }
            pairs.put(pair.substring(0, sign), pair.substring(sign + 1));
        }
        return pairs;
    }

    /// The pairs of a repeated flag, by key; a later one replaces an earlier one.
    public static Map<String, String> readAll(List<String> values) throws FlagException {
        var pairs = new TreeMap<String, String>();
        for (String value : values) {
            pairs.putAll(read(value));
        }
        return pairs;
    }

    private static String unquoted(String value) {
        return value.replaceAll("^\"+|\"+$", "");
    }
}
