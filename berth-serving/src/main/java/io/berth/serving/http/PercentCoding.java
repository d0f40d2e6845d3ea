package io.berth.serving.http;

import java.io.ByteArrayOutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decodes paths and queries.
public final class PercentCoding {
    private PercentCoding() {}

    /// The text with `%xx` replaced; empty if a `%` is not followed by two digits.
    public static Optional<String> decode(String text) {
        if (text.indexOf('%') < 0) {
            return Optional.of(text);
        }
        var out = new ByteArrayOutputStream(text.length());
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                out.write(bytes[i]);
                continue;
            }
            if (i + 2 >= bytes.length) {
                return Optional.empty();
            }
            int high = Character.digit(bytes[i + 1], 16);
            int low = Character.digit(bytes[i + 2], 16);
            if (high < 0 || low < 0) {
                return Optional.empty();
            }
            out.write(high << 4 | low);
            i += 2;
        }
        return Optional.of(out.toString(StandardCharsets.UTF_8));
    }

    /// The parameters of a query; those that cannot be read are left out.
    static Map<String, List<String>> parameters(String query) {
        var parameters = new LinkedHashMap<String, List<String>>();
        for (String pair : query.split("&", -1)) {
            if (pair.isEmpty() || pair.indexOf(';') >= 0) {
                continue;
            }
            int equals = pair.indexOf('=');
            try {
                String name = plain(equals < 0 ? pair : pair.substring(0, equals));
                String value = equals < 0 ? "" : plain(pair.substring(equals + 1));
                parameters.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
            } catch (IllegalArgumentException unreadable) {
                // As if it had not been sent.
            }
        }
        return parameters;
    }

    private static String plain(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
