package io.berth.kube.client;

import java.nio.charset.StandardCharsets;

/// A successful answer, complete.
public record ApiResponse(int code, byte[] body) {
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(@org.jspecify.annotations.Nullable Object other) {
        return other instanceof ApiResponse that
                && code == that.code
                && java.util.Arrays.equals(body, that.body);
    }

    @Override
    public int hashCode() {
        return 31 * code + java.util.Arrays.hashCode(body);
    }
}
