package io.berth.kube.connection;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// Who we are to the API server, beyond a client certificate in the configuration. Called by any
/// thread that sends a request; may block for as long as a credential plugin runs.
public interface Credentials {
    Credentials NONE = () -> null;

    /// The present value of the `Authorization` header, or null for none.
    @Nullable String authorization();

    /// The server answered 401 to a request with this value: what is remembered is no longer good.
    default void refused(@Nullable String authorization) {}

    /// A client certificate that came with the credentials, or null. A new one is a new object.
    default @Nullable ClientCertificate certificate() {
        return null;
    }

    /// Where to count what getting credentials takes.
    default void countIn(ClientMetrics metrics) {}

    /// Certificate chain and key, both PEM.
    record ClientCertificate(PemSource chain, PemSource key) {}

    static Credentials bearer(String token) {
        String value = "Bearer " + token;
        return () -> value;
    }

    static Credentials basic(String user, String password) {
        byte[] pair = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        String value = "Basic " + Base64.getEncoder().encodeToString(pair);
        return () -> value;
    }
}
