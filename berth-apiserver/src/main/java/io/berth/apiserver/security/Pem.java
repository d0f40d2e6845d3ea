package io.berth.apiserver.security;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// The text form of keys and certificates.
final class Pem {
    private static final Base64.Encoder LINES =
            Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private Pem() {}

    static String encode(String label, byte[] der) {
        return "-----BEGIN "
                + label
                + "-----\n"
                + LINES.encodeToString(der)
                + "\n-----END "
                + label
                + "-----\n";
    }
}
