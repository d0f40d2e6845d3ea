package io.berth.config.schema;

import java.util.Base64;

/// Bytes in a configuration file.
public final class Base64Data {
    private static final String ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private Base64Data() {}

    /// @throws IllegalArgumentException in Go's words where the text is not base64
    public static byte[] decode(String text) {
        var joined = text.replace("\n", "").replace("\r", "");
        int bad = 0;
        while (bad < joined.length() && ALPHABET.indexOf(joined.charAt(bad)) >= 0) {
            bad++;
        }
        try {
            if (joined.length() % 4 != 0) {
                throw new IllegalArgumentException("padding is missing");
            }
            return Base64.getDecoder().decode(joined);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    "illegal base64 data at input byte " + bad, malformed);
        }
    }
}
